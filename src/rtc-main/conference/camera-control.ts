/**
 * The own camera under the control of another member (docs/conferences.md#remote-camera). The device does what it can by its own
 * constraints. What it cannot is made of its picture (zoom, freeze), or refused with -507 (torch, focus).
 */
import {
  CAMERA_AT_REST,
  type CameraAction,
  type CameraDone,
  type CameraState,
} from "../../shared/protocol/confr-camera.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../shared/protocol/confr-media.ts";
import { RESULT } from "../../shared/protocol/signalling.ts";
import type { LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";
import type { ChangedPicture, PicturesPort } from "./pictures.ts";

/** The largest zoom that is made of the picture: beyond, one sees only its pixels. */
export const LARGEST_ZOOM = 8;
const OK: CameraDone = { result: RESULT.ok };
const CANNOT: CameraDone = { result: RESULT.notFound };
const CLOSED: CameraDone = { result: RESULT.notAllowed };
const FAILED: CameraDone = { result: -203 };

/** What the compiler's library lacks of the image capture constraints. */
interface Capabilities {
  readonly torch?: boolean | readonly boolean[];
  readonly zoom?: { readonly min: number; readonly max: number };
  readonly focusMode?: readonly string[];
  readonly exposureMode?: readonly string[];
}
const capabilitiesOf = (device: MediaStreamTrack): Capabilities =>
  (device.getCapabilities?.() ?? {}) as Capabilities;
const hasTorch = ({ torch }: Capabilities): boolean =>
  torch === true || (Array.isArray(torch) && torch.includes(true));
/** Focus and exposure for a point once, else for as long as the point stays. */
const modeIn = (modes: readonly string[] = []): string | undefined =>
  ["single-shot", "continuous"].find((mode) => modes.includes(mode));

export interface CameraControl {
  /** The tracks of the devices and their effects. `changed` gets what to send and show in their place. */
  wear(tracks: LocalTracks): void;
  run(command: Extract<ConferenceMediaCommand, { t: "camera" }>): void;
  /** Emits the state again, for a new core. */
  replay(): void;
  close(): void;
}

export function createCameraControl(
  deps: {
    readonly pictures: PicturesPort | null;
    readonly tally: Tally;
    readonly report: (message: string) => void;
    /** The track of the camera itself; null while it is off. */
    readonly device: () => MediaStreamTrack | null;
    /** Switches to the next camera. @returns false when there is none */
    readonly nextCamera: () => Promise<boolean>;
  },
  /** What to send and show from now on. */
  changed: (tracks: LocalTracks) => void,
  post: (event: ConferenceMediaEvent) => void,
): CameraControl {
  const { pictures, tally } = deps;
  let state = CAMERA_AT_REST;
  /** The part of the zoom that the device does. */
  let native = 1;
  let device: MediaStreamTrack | null = null;
  let tracks: LocalTracks = { audio: null, video: null };
  let running: { source: MediaStreamTrack; picture: ChangedPicture; uncount: () => void } | null =
    null;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const set = (part: Partial<CameraState>): void => {
    const next = { ...state, ...part };
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    if (!closed) post({ t: "camera-state", ...state });
  };
  const stop = (): void => {
    running?.picture.close();
    running?.uncount();
    running = null;
  };
  /** @returns what to send, and what to do once it is sent */
  function worn(): readonly [LocalTracks, () => void] {
    const { video } = tracks;
    const settings = { zoom: state.zoom / native, frozen: state.freezeFrame };
    const isChanged = settings.frozen || settings.zoom > 1.001;
    if (video === null || pictures === null || !isChanged) return [tracks, stop];
    if (running?.source === video) {
      running.picture.set(settings);
      return [{ ...tracks, video: running.picture.track }, () => undefined];
    }
    const former = running;
    running = {
      source: video,
      picture: pictures.change(video, settings),
      uncount: tally.open("tracks"),
    };
    const end = (): void => {
      former?.picture.close();
      former?.uncount();
    };
    return [{ ...tracks, video: running.picture.track }, end];
  }
  /** First sends the new track, then ends the former one: the sender never has an ended track. */
  function apply(): void {
    const [next, then] = worn();
    changed(next);
    then();
  }
  const constrain = (one: MediaStreamTrack, advanced: object): Promise<void> =>
    // Alone: Chromium refuses image capture constraints beside others, and keeps the others by itself.
    one.applyConstraints({ advanced: [advanced as MediaTrackConstraintSet] });

  async function torch(camera: MediaStreamTrack, on: boolean): Promise<CameraDone> {
    if (!hasTorch(capabilitiesOf(camera))) return CANNOT;
    await constrain(camera, { torch: on });
    set({ torch: on });
    return OK;
  }
  async function zoom(camera: MediaStreamTrack, wanted: number): Promise<CameraDone> {
    const range = capabilitiesOf(camera).zoom;
    const possible = range === undefined || range.min <= 0 ? 1 : range.max / range.min;
    if (possible <= 1 && pictures === null) return CANNOT;
    if (range !== undefined && possible > 1) {
      const factor = Math.min(wanted, possible);
      await constrain(camera, { zoom: range.min * factor });
      native = factor;
    }
    const most = pictures === null ? possible : Math.max(possible, LARGEST_ZOOM);
    const reached = Math.min(wanted, most);
    set({ zoom: reached });
    apply();
    return { ...OK, zoom: reached };
  }
  async function focus(
    camera: MediaStreamTrack,
    { x, y, focus: sharp, expo }: Extract<CameraAction, { kind: "focus" }>,
  ): Promise<CameraDone> {
    const { focusMode, exposureMode } = capabilitiesOf(camera);
    const modes = {
      ...(sharp ? { focusMode: modeIn(focusMode) } : {}),
      ...(expo ? { exposureMode: modeIn(exposureMode) } : {}),
    };
    const known = Object.entries(modes).filter(([, mode]) => mode !== undefined);
    if (known.length === 0) return CANNOT;
    // The point is one of the picture that is sent; the device counts from its own corners.
    const digital = state.zoom / native;
    const at = (value: number): number => 0.5 + (value - 0.5) / digital;
    const pointsOfInterest = [{ x: at(x), y: at(y) }];
    await constrain(camera, { pointsOfInterest, ...Object.fromEntries(known) });
    return OK;
  }
  async function capture(camera: MediaStreamTrack): Promise<CameraDone> {
    if (pictures === null) return CANNOT;
    const [{ video }] = worn();
    const sent = video ?? camera;
    // A photo of the device would show what an effect hides.
    const photo = sent === camera;
    const close = tally.open("tracks");
    try {
      return { ...OK, pic: await pictures.picture(sent, photo) };
    } finally {
      close();
    }
  }
  function freeze(on: boolean): CameraDone {
    if (pictures === null) return CANNOT;
    set({ freezeFrame: on });
    apply();
    return OK;
  }
  async function restore(camera: MediaStreamTrack | null): Promise<CameraDone> {
    if (camera !== null && state.torch) await torch(camera, false);
    if (camera !== null && native > 1) await zoom(camera, 1);
    set(CAMERA_AT_REST);
    apply();
    return OK;
  }
  async function perform(action: CameraAction): Promise<CameraDone> {
    const camera = deps.device();
    if (action.kind === "restore") return restore(camera);
    if (camera === null || tracks.video === null) return CLOSED;
    switch (action.kind) {
      case "torch":
        return torch(camera, action.on);
      case "zoom":
        return zoom(camera, action.zoom);
      case "focus":
        return focus(camera, action);
      case "freeze":
        return freeze(action.on);
      case "capture":
        return capture(camera);
      case "switch":
        return (await deps.nextCamera()) ? OK : CANNOT;
    }
  }
  async function attempt(action: CameraAction): Promise<CameraDone> {
    try {
      return closed ? FAILED : await perform(action);
    } catch (error) {
      deps.report(`camera ${action.kind} failed: ${String(error)}`);
      return FAILED;
    }
  }

  return {
    wear(next) {
      tracks = next;
      const now = deps.device();
      if (next.video === null) {
        // A camera that is off is at rest when it is on again.
        native = 1;
        device = null;
        set(CAMERA_AT_REST);
      } else if (now !== device) {
        device = now;
        native = 1;
        set({ torch: false });
      }
      apply();
    },
    run({ id, action }) {
      // One after the other, so that quick steps of a zoom end in the last one.
      last = last.then(async () => {
        const done = await attempt(action);
        if (!closed && id !== "") post({ t: "camera-done", id, ...done });
      });
    },
    replay() {
      // A new core begins with a camera at rest.
      if (state !== CAMERA_AT_REST) post({ t: "camera-state", ...state });
    },
    close() {
      closed = true;
      stop();
    },
  };
}
