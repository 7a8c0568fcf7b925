/**
 * Controls another member's camera (docs/conferences.md#remote-camera), with the names of the platform's specification. A failure rejects
 * with AppError camera.*, whose details have `result`, `error` (-203) and `errorType`, and is announced by onRemoteControlFail.
 */
import { pointInPicture } from "../../shared/domain/picture-point.ts";
import { AppError } from "../../shared/errors.ts";
import type { CameraControl, CameraState } from "../../shared/protocol/confr-camera.ts";
import { type Face, requireJoined, streamIdOf } from "./context.ts";
import type { StreamRef } from "./contracts.ts";
import { refusal } from "./refuse.ts";

/** Where a click was: an event of the mouse has it. */
export type ClickPlace = Pick<MouseEvent, "clientX" | "clientY">;
/** `detail` of the element events. Each of its functions is called at most once. */
export interface RemoteCameraDetail {
  /** torchRemote; left out: the opposite of now. */
  readonly torch?: boolean;
  /** zoomRemote. */
  readonly multiples?: number;
  readonly success?: (value?: unknown) => void;
  readonly fail?: (error: unknown) => void;
}

export interface RemoteCameraApi {
  /** Turns the light of the camera on or off. @param torch left out: the opposite of now @returns whether it is on */
  torchRemote(stream: StreamRef, torch?: boolean): Promise<boolean>;
  /**
   * Multiplies the zoom. A step that would bring it below 1 changes nothing.
   *
   * @param multiples for example 2 or 0.5
   * @returns the whole zoom, 1 for none
   */
  zoomRemote(stream: StreamRef, multiples: number): Promise<number>;
  /** Freezes the picture, or lets it go on. @returns whether it stands still */
  freezeFrameRemote(stream: StreamRef): Promise<boolean>;
  /** Takes a picture with the camera. @returns a data URL */
  capturePictureRemote(stream: StreamRef): Promise<string>;
  /** Focuses and exposes for the place of a click. Rejects for a click outside of the picture. */
  focusExpoRemote(
    stream: StreamRef,
    videoTag: HTMLVideoElement,
    clickEvent: ClickPlace,
  ): Promise<void>;
  /**
   * Focuses at each click on a bound element.
   *
   * @param event which event counts; default: click
   * @returns the name of the event, for offEventAtTag
   */
  onFocusExpoRemoteWhenClickVideo(
    tag: HTMLVideoElement,
    event?: string,
    fail?: (error: unknown) => void,
    success?: () => void,
  ): string;
  /** Ends onFocusExpoRemoteWhenClickVideo. */
  offEventAtTag(tag: HTMLVideoElement, event?: string): void;
  /** Switches the member's device to its next camera. Only members of this project's clients accept it. */
  changeCameraRemote(stream: StreamRef): Promise<void>;
  /** Whether others may control the own camera from now on. */
  allowCameraControl(on: boolean): Promise<void>;
  /** Ends the zoom, light and freeze that another member has made of the own camera. */
  restoreCamera(): Promise<void>;
}

/** The events by which a page controls the camera that a bound element shows. */
const CAMERA_TAG_EVENTS = [
  "capturePictureRemote",
  "freezeFrameRemote",
  "zoomRemote",
  "torchRemote",
] as const;
type CameraTagEvent = (typeof CAMERA_TAG_EVENTS)[number];

const fitOf = (tag: HTMLVideoElement): string =>
  globalThis.getComputedStyle?.(tag).objectFit ?? "contain";

export function createRemoteCamera(face: Face): RemoteCameraApi {
  const { commands } = face.deps.core;
  const listening = new Map<HTMLVideoElement, Map<string, () => void>>();

  async function control(
    ref: StreamRef,
    wanted: CameraControl,
  ): Promise<CameraState & { readonly picture: string | null }> {
    requireJoined(face);
    const streamId = streamIdOf(ref);
    try {
      return await commands.controlCamera({ streamId, control: wanted });
    } catch (error) {
      if (error instanceof AppError) face.emitter.emit("onRemoteControlFail", streamId, error);
      throw error;
    }
  }
  const off = (tag: HTMLVideoElement, event = "click"): void => {
    const events = listening.get(tag);
    events?.get(event)?.();
    events?.delete(event);
    if (events?.size === 0) listening.delete(tag);
  };

  const api: RemoteCameraApi = {
    async torchRemote(stream, torch) {
      const on = torch === undefined ? {} : { on: torch };
      return (await control(stream, { kind: "torch", ...on })).torch;
    },
    zoomRemote: async (stream, multiples) =>
      (await control(stream, { kind: "zoom", by: multiples })).zoom,
    freezeFrameRemote: async (stream) => (await control(stream, { kind: "freeze" })).freezeFrame,
    capturePictureRemote: async (stream) =>
      (await control(stream, { kind: "capture" })).picture ?? "",
    async focusExpoRemote(stream, videoTag, { clientX: x, clientY: y }) {
      const size = { width: videoTag.videoWidth, height: videoTag.videoHeight };
      const box = videoTag.getBoundingClientRect();
      const place = pointInPicture(box, size, fitOf(videoTag), { x, y });
      if (place === null) throw refusal("clickOutside");
      await control(stream, { kind: "focus", ...place });
    },
    onFocusExpoRemoteWhenClickVideo(tag, event = "click", fail, success) {
      off(tag, event);
      const focus = (given: Event): void => {
        const streamId = face.tags.streamIdOf(tag);
        const work =
          streamId === null
            ? Promise.reject(refusal("badStream"))
            : // A host page may name any event that has a place.
              api.focusExpoRemote(streamId, tag, given as unknown as ClickPlace);
        work.then(success, (error: unknown) => {
          if (fail === undefined) face.deps.warn(`focusExpoRemote: ${String(error)}`);
          else fail(error);
        });
      };
      tag.addEventListener(event, focus);
      const events = listening.get(tag) ?? new Map<string, () => void>();
      listening.set(tag, events);
      events.set(event, () => tag.removeEventListener(event, focus));
      return event;
    },
    offEventAtTag: off,
    async changeCameraRemote(stream) {
      await control(stream, { kind: "switch" });
    },
    async allowCameraControl(on) {
      await commands.allowCameraControl({ on });
    },
    async restoreCamera() {
      await commands.restoreCamera({});
    },
  };

  const done = (event: CameraTagEvent, streamId: string, detail: RemoteCameraDetail) => {
    const { torch, multiples = 1 } = detail;
    if (event === "torchRemote") return api.torchRemote(streamId, torch);
    if (event === "zoomRemote") return api.zoomRemote(streamId, multiples);
    return api[event](streamId);
  };
  for (const event of CAMERA_TAG_EVENTS) {
    face.tagHandlers.register(event, (streamId, detail) => {
      const given = (detail ?? {}) as RemoteCameraDetail;
      const work: Promise<unknown> = done(event, streamId, given);
      return work.then(given.success, given.fail);
    });
  }
  return api;
}
