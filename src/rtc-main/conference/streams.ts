/**
 * Pictures and sound of a conference by stream. A stream can have any number of video elements. Sound has separate elements, so
 * that it continues when nothing shows the picture. The size of a stream's elements decides which layer is requested.
 */
import { AppError } from "../../shared/errors.ts";
import type { Layer } from "../../shared/protocol/confr-model.ts";
import type { MediaDeps } from "../deps.ts";
import type { LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";

/** The own camera. */
export const SELF = "self";
/** The own screen. */
export const SCREEN = "screen";
/** A tile of at most this width gets the low layer. CSS px. */
const SMALL = 320;

export interface StreamElements {
  /** @param wanted the layer that the element needs although no page shows it; left out: by its size and visibility */
  bind(id: string, element: HTMLVideoElement, wanted?: "low" | "high"): () => void;
  /** The sound of another member that is played; null for none. */
  soundOf(id: string): MediaStreamTrack | null;
  showVideo(id: string, track: MediaStreamTrack | null): void;
  playAudio(id: string, track: MediaStreamTrack | null): void;
  /** The layer that the elements of a stream need now. */
  wish(id: string): Layer;
  /** Sets the output device. Rejects with AppError media.* and keeps the former one. */
  sink(deviceId: string): Promise<void>;
  /** Plays no sound while true: the call beside this conference has the same voices. */
  hush(on: boolean): void;
  /** Call in a click handler: plays the sound that autoplay refused. */
  resume(): Promise<void>;
  readonly blocked: boolean;
  /** What is received of a stream now. */
  tracks(id: string): LocalTracks;
  /** How loud a stream plays in this tab, 0..1. It holds for every later track of the stream. */
  setVolume(id: string, volume: number): void;
  /**
   * Plays the sound of a stream in an element of the host page, in place of a hidden one. A stream has one such element.
   *
   * @returns a function that gives the element back; the sound then plays in a hidden one
   */
  bindSound(id: string, element: HTMLAudioElement): () => void;
  /** Removes all pictures and sound; elements stay bound. */
  clear(): void;
}

interface Seen {
  readonly undo: () => void;
  visible: boolean;
  width: number;
}

export function createStreamElements(
  deps: Pick<MediaDeps, "createAudioElement" | "createStream" | "report" | "observeTile">,
  tally: Tally,
  on: {
    readonly blocked: (blocked: boolean) => void;
    readonly wish: () => void;
    /** An element has painted a frame of the stream. */
    readonly painted: (id: string) => void;
    /** The tracks of a stream changed: a connection was built again, or this tab carries the media since now, or no longer. */
    readonly tracks?: (id: string) => void;
  },
): StreamElements {
  const bound = new Map<string, Map<HTMLVideoElement, Seen>>();
  const pictures = new Map<string, { track: MediaStreamTrack; stream: MediaStream }>();
  const sounds = new Map<
    string,
    { element: HTMLAudioElement; isOfPage: boolean; track: MediaStreamTrack; close: () => void }
  >();
  const refused = new Set<string>();
  const volumes = new Map<string, number>();
  /** Elements of the host page that play a stream. */
  const given = new Map<string, HTMLAudioElement>();
  let output = "";
  let blocked = false;
  let hushed = false;
  const tellBlocked = (): void => {
    if (blocked === refused.size > 0) return;
    blocked = refused.size > 0;
    on.blocked(blocked);
  };

  const attach = (id: string, element: HTMLVideoElement): void => {
    const stream = pictures.get(id)?.stream ?? null;
    if (element.srcObject === stream) return;
    element.muted = true;
    element.playsInline = true;
    element.srcObject = stream;
    if (stream === null) return;
    element.requestVideoFrameCallback?.(() => {
      if (element.srcObject === stream) on.painted(id);
    });
    element.play().catch((error: unknown) => {
      if (!(error instanceof Error && error.name === "AbortError"))
        deps.report(`video ${id} does not play: ${String(error)}`);
    });
  };
  const route = (element: HTMLAudioElement): void => {
    element.setSinkId?.(output).catch((error: unknown) => {
      // The device was unplugged: the default one plays.
      deps.report(`output refused: ${String(error)}`);
    });
  };
  const play = async (id: string): Promise<void> => {
    const sound = sounds.get(id);
    if (sound === undefined) return;
    try {
      await sound.element.play();
      refused.delete(id);
    } catch (error) {
      const name = error instanceof Error ? error.name : "";
      if (name === "NotAllowedError" && sounds.has(id)) refused.add(id);
      else if (name !== "AbortError") deps.report(`sound ${id} does not play: ${String(error)}`);
    }
    tellBlocked();
  };
  const silence = (id: string): void => {
    const sound = sounds.get(id);
    sounds.delete(id);
    refused.delete(id);
    if (sound === undefined) return;
    sound.element.srcObject = null;
    // An element of the page stays where it is.
    if (!sound.isOfPage) sound.element.remove();
    sound.close();
    tellBlocked();
  };
  const start = (id: string, track: MediaStreamTrack): void => {
    const known = sounds.get(id);
    const ofPage = given.get(id);
    const element = known?.element ?? ofPage ?? deps.createAudioElement();
    if (known === undefined && output !== "") route(element);
    element.muted = hushed;
    element.volume = volumes.get(id) ?? 1;
    element.srcObject = deps.createStream([track]);
    const { isOfPage, close } = known ?? {
      isOfPage: ofPage !== undefined,
      close: tally.open("elements"),
    };
    sounds.set(id, { element, isOfPage, track, close });
    void play(id);
  };
  /** Plays the sound in another element. */
  const move = (id: string): void => {
    const track = sounds.get(id)?.track;
    if (track === undefined) return;
    silence(id);
    start(id, track);
  };
  const showVideo = (id: string, track: MediaStreamTrack | null): void => {
    if ((pictures.get(id)?.track ?? null) === track) return;
    if (track === null) pictures.delete(id);
    else pictures.set(id, { track, stream: deps.createStream([track]) });
    for (const element of bound.get(id)?.keys() ?? []) attach(id, element);
    on.tracks?.(id);
  };

  return {
    bind(id, element, wanted) {
      const close = tally.open("elements");
      const elements = bound.get(id) ?? new Map<HTMLVideoElement, Seen>();
      bound.set(id, elements);
      elements.get(element)?.undo();
      const seen: Seen = {
        visible: true,
        width: wanted === undefined ? element.clientWidth : wanted === "high" ? SMALL + 1 : 1,
        undo:
          wanted === undefined
            ? deps.observeTile(element, (now) => {
                Object.assign(seen, now);
                on.wish();
              })
            : () => undefined,
      };
      elements.set(element, seen);
      attach(id, element);
      on.wish();
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        seen.undo();
        close();
        if (elements.get(element) !== seen) return;
        elements.delete(element);
        if (elements.size === 0 && bound.get(id) === elements) bound.delete(id);
        element.srcObject = null;
        on.wish();
      };
    },
    soundOf: (id) => sounds.get(id)?.track ?? null,
    showVideo,
    playAudio(id, track) {
      if (track === (sounds.get(id)?.track ?? null)) return;
      if (track === null) silence(id);
      else start(id, track);
      on.tracks?.(id);
    },
    tracks: (id) => ({
      audio: sounds.get(id)?.track ?? null,
      video: pictures.get(id)?.track ?? null,
    }),
    setVolume(id, volume) {
      volumes.set(id, volume);
      const sound = sounds.get(id);
      if (sound !== undefined) sound.element.volume = volume;
    },
    bindSound(id, element) {
      given.set(id, element);
      move(id);
      return () => {
        if (given.get(id) !== element) return;
        given.delete(id);
        move(id);
      };
    },
    wish(id) {
      const shown = [...(bound.get(id)?.values() ?? [])].filter(({ visible }) => visible);
      if (shown.length === 0) return "none";
      // An element without layout may become any size.
      return shown.some(({ width }) => width === 0 || width > SMALL) ? "high" : "low";
    },
    async sink(deviceId) {
      try {
        for (const { element } of sounds.values()) await element.setSinkId?.(deviceId);
        output = deviceId;
      } catch (cause) {
        for (const { element } of sounds.values()) route(element);
        throw new AppError("media.no-device", { cause });
      }
    },
    hush(on) {
      if (hushed === on) return;
      hushed = on;
      for (const [id, { element }] of sounds) {
        element.muted = on;
        if (!on) void play(id);
      }
    },
    async resume() {
      await Promise.all([...sounds.keys()].map(play));
    },
    get blocked() {
      return blocked;
    },
    clear() {
      for (const id of pictures.keys()) showVideo(id, null);
      for (const id of sounds.keys()) {
        silence(id);
        on.tracks?.(id);
      }
    },
  };
}
