/** Publishes own streams, subscribes to others' streams, and binds both to elements. */
import {
  CONFERENCE_ROLE,
  isMixed,
  MIX_STREAM_ID,
  STREAM_TYPE,
} from "../../shared/domain/conference-types.ts";
import { AppError } from "../../shared/errors.ts";
import { CONFR_END } from "../../shared/protocol/confr-signalling.ts";
import { type DeviceEntry, deviceError } from "../../rtc-main/index.ts";
import { type Face, requireJoined, requireStream, streamIdOf } from "./context.ts";
import type { Member, Stream, StreamRef } from "./contracts.ts";
import { failingAs } from "./failures.ts";
import {
  type PublishOptions,
  publishingOf,
  requirePublishable,
  type SendOptions,
  settingsOf,
} from "./publishing.ts";
import { refusal } from "./refuse.ts";
import type { StreamEvent } from "./typed-events.ts";

export interface DesktopOptions extends SendOptions {
  /** The current conference. */
  readonly confrId: string;
  readonly videoTag?: HTMLVideoElement;
  readonly ext?: string;
  /** Called when the sharing has ended, for any reason. */
  readonly stopSharedCallback?: () => void;
}

export interface StreamingApi {
  /**
   * Publishes camera and microphone, or tracks of the page. The library opens the devices and leaves out a missing one. Rejects for the
   * role audience, for a second stream, and with request.invalid for an option out of its limits (docs/conferences.md#own-tracks-and-bitrates).
   *
   * @param options what is on from the start, where it comes from and how it is sent; default: both devices
   * @param videoTag element for the own picture
   * @returns the stream's id
   */
  publish(options?: PublishOptions, videoTag?: HTMLVideoElement, ext?: string): Promise<string>;
  /** Ends an own stream. */
  unpublish(stream: StreamRef): Promise<void>;
  /** Subscribes to a stream, or changes what is subscribed. Rejects with 'Bad stream' when the stream is not the member's. */
  subscribe(
    member: Pick<Member, "id"> | null,
    stream: StreamRef,
    video?: boolean,
    audio?: boolean,
    videoTag?: HTMLVideoElement,
  ): Promise<void>;
  /** Stops receiving the stream. */
  unsubscribe(stream: StreamRef): Promise<void>;
  /** Unpublishes an own stream or unsubscribes from another's. Only logs a warning when there is no such stream. */
  hungup(stream: StreamRef | HTMLVideoElement): Promise<void>;
  /** Shows the stream in the element. The element's size decides which layer is received. */
  streamBindVideo(stream: StreamRef, videoTag: HTMLVideoElement): void;
  /** The element that shows the stream; null for none. Throws 'Bad stream' for a reference without an id. */
  getBindVideoBy(stream: StreamRef): HTMLVideoElement | null;
  /** Stops sending the picture of an own stream, or receiving the picture of another's. */
  pauseVideo(stream: StreamRef | HTMLVideoElement): Promise<void>;
  /** Ends `pauseVideo`. */
  resumeVideo(stream: StreamRef | HTMLVideoElement): Promise<void>;
  /** Like `pauseVideo`, for the sound. */
  pauseAudio(stream: StreamRef | HTMLVideoElement): Promise<void>;
  /** Ends `pauseAudio`. */
  resumeAudio(stream: StreamRef | HTMLVideoElement): Promise<void>;
  /**
   * Switches to another camera, by default the next one. Rejects and keeps the former one when the new one cannot be opened.
   *
   * @returns false without a switch, because the camera is off or there is only one
   */
  changeCamera(deviceId?: string): Promise<boolean>;
  /** Switches to the camera on the other side of a phone. @returns like changeCamera */
  switchMobileCamera(): Promise<boolean>;
  /** Switches to another microphone. */
  changeMicrophone(deviceId: string): Promise<void>;
  /** Lists the devices of a kind. Labels are empty until the person has granted the permission. */
  mediaDevices(kind: "audioinput" | "videoinput" | "audiooutput"): Promise<DeviceEntry[]>;
  /** Opens devices for the host page, which must stop their tracks. */
  openUserMedia(constraints?: MediaStreamConstraints): Promise<MediaStream>;
  /** Shares a screen, window or tab without sound. Call in a click handler. @returns the stream's id */
  shareDesktop(options: DesktopOptions): Promise<string>;
  /** Shares with the sound of the tab or system. Not in mixed conferences (11, 12). Call in a click handler. @returns the stream's id */
  shareDesktopWithAudio(options: DesktopOptions & { readonly audio?: boolean }): Promise<string>;
}

export function createStreaming(face: Face): StreamingApi {
  const { core, media, safari, warn, sendDefaults } = face.deps;
  const { commands } = core;
  /** Stream types that are being published. */
  const underWay = new Set<number>();
  let facing: "user" | "environment" = "user";

  /** An own stream: of camera and microphone, also as an audio-mixer stream (0), or the desktop (1). */
  const ownOf = (type: 0 | 1): Stream | undefined =>
    [...face.view().streams.values()].find(
      (one) => one.located() && (one.type === STREAM_TYPE.screen) === (type === STREAM_TYPE.screen),
    );
  const refuseStream = (
    key: "safariOrder" | "mixerTwice" | "mixerSound" | "mixerPicture",
    streamId: string,
  ): AppError => {
    const error = refusal(key);
    const code = error.message as Extract<
      StreamEvent["code"],
      `SubFailSafari${string}` | `Audio${string}`
    >;
    face.emitter.emit("onStreamConnection", { code, message: code, details: { streamId } });
    return error;
  };
  const bind = (streamId: string, tag: HTMLVideoElement | undefined): void => {
    if (tag === undefined) return;
    const stream = face.view().streams.get(streamId);
    if (stream !== undefined) face.tags.bind(stream, tag);
  };
  async function send(type: 0 | 1, run: () => Promise<{ streamId: string }>): Promise<string> {
    underWay.add(type);
    try {
      const { streamId } = await run();
      await face.until(({ streams }) => streams.has(streamId));
      return streamId;
    } catch (error) {
      const reason = error instanceof AppError ? error.details?.["endReason"] : undefined;
      if (reason === CONFR_END.tooManyVideos) face.emitter.emit("onPubVideoTooMuch");
      if (reason === CONFR_END.tooManyDesktops) face.emitter.emit("onPubDesktopTooMuch");
      // What was never published has no id.
      const event = { code: "PushFail", message: "PushFail", details: { streamId: "" } } as const;
      face.emitter.emit("onStreamConnection", event);
      throw error;
    } finally {
      underWay.delete(type);
    }
  }
  const refusePublish = (type: 0 | 1): void => {
    const view = requireJoined(face);
    if (view.self?.role === CONFERENCE_ROLE.audience) throw refusal("audience");
    if (ownOf(type) !== undefined || underWay.has(type)) {
      throw refusal(type === STREAM_TYPE.camera ? "videoTwice" : "desktopTwice");
    }
  };
  const streamOf = (what: StreamRef | HTMLVideoElement): Stream => {
    const isTag = typeof what === "object" && "srcObject" in what;
    const id = isTag ? face.tags.streamIdOf(what) : streamIdOf(what);
    if (id === null) throw refusal("badStream");
    return requireStream(face, id);
  };
  async function turn(
    what: StreamRef | HTMLVideoElement,
    kind: "video" | "audio",
    on: boolean,
  ): Promise<void> {
    const stream = streamOf(what);
    if (stream.located()) {
      if (stream.type === STREAM_TYPE.screen) return warn("a shared desktop cannot be paused");
      await commands.setLocal(kind === "video" ? { videoOff: !on } : { audioMuted: !on });
      return;
    }
    const { subSVideo, subSAudio } = stream.subArgs;
    await commands.subscribe({
      streamId: stream.id,
      video: kind === "video" ? on : subSVideo,
      audio: kind === "audio" ? on : subSAudio,
    });
  }
  const hungup: StreamingApi["hungup"] = async (what) => {
    let stream: Stream;
    try {
      stream = streamOf(what);
    } catch {
      return warn("hungup: the stream is not there");
    }
    const { id } = stream;
    if (stream.located()) await commands.unpublish({ streamId: id });
    else await commands.unsubscribe({ streamId: id });
  };
  const cameraIsOn = (): boolean => {
    const { local } = core.getState();
    return local.camera === "on" && !local.videoOff;
  };

  async function share(options: DesktopOptions, audio: boolean): Promise<string> {
    const { confrId, videoTag, ext = "", stopSharedCallback } = options;
    const settings = settingsOf({ ...sendDefaults, ...options });
    if (!confrId) throw refusal("desktopNoConference");
    if (safari && face.byTicket) throw refusal("desktopSafari");
    const view = requireJoined(face);
    if (view.confrId !== confrId) throw refusal("noCurrent");
    if (audio && isMixed(core.getState().info?.type)) throw refusal("mixDesktopAudio");
    refusePublish(1);
    // Await nothing before this, because the browser shows its dialog only within the click.
    if (!(await failingAs("devices", () => media.captureScreen({ audio })))) {
      const error = refusal("desktopDenied");
      face.emitter.emit("onDeviceError", {
        code: "OpenDesktopMediaAccessDenied",
        message: error.message,
        details: { device: "screen", cause: "denied" },
      });
      throw error;
    }
    let id: string;
    try {
      id = await send(STREAM_TYPE.screen, () =>
        commands.publish({
          type: STREAM_TYPE.screen,
          ext,
          ...(Object.keys(settings).length === 0 ? {} : { settings }),
        }),
      );
    } catch (error) {
      media.stopScreen();
      throw error;
    }
    if (stopSharedCallback !== undefined) face.onGone.set(id, stopSharedCallback);
    bind(id, videoTag);
    return id;
  }

  const api: StreamingApi = {
    async publish(options = {}, videoTag, ext = "") {
      requirePublishable(options);
      const published = ownOf(STREAM_TYPE.camera);
      if (options.audioMixer === true && published?.type === STREAM_TYPE.mixer) {
        throw refuseStream("mixerTwice", published.id);
      }
      refusePublish(0);
      const { tracks, ...how } = publishingOf({ ...sendDefaults, ...options });
      const own = Object.keys(tracks) as ("audio" | "video")[];
      // The core may ask this tab for them before it answers the command.
      if (own.length > 0) media.provideTracks({ audio: null, video: null, ...tracks });
      let id: string;
      try {
        id = await send(0, () => commands.publish({ ...how, ext }));
      } catch (error) {
        if (own.length > 0) media.provideTracks({ audio: null, video: null });
        throw error;
      }
      face.ownKinds.clear();
      for (const kind of own) face.ownKinds.add(kind);
      bind(id, videoTag);
      return id;
    },
    async unpublish(ref) {
      const stream = requireStream(face, ref);
      if (!stream.located()) throw refusal("badStream");
      await commands.unpublish({ streamId: stream.id });
    },
    async subscribe(member, ref, video = true, audio = true, videoTag) {
      requireJoined(face);
      const stream = requireStream(face, ref);
      if (stream.located()) throw refusal("badStream");
      if (member !== null && member.id !== stream.memId) throw refusal("badStream");
      if (safari && ownOf(0) === undefined) {
        throw refuseStream("safariOrder", stream.id);
      }
      // The sound of a member's mixer stream is in the mix; subscribing to it would play it twice (docs/conferences.md#mixer-streams).
      const isInMix = stream.type === STREAM_TYPE.mixer && stream.id !== MIX_STREAM_ID;
      if (isInMix && !(video && stream.hasVideo)) {
        throw refuseStream(audio ? "mixerSound" : "mixerPicture", stream.id);
      }
      if (videoTag !== undefined) face.tags.bind(stream, videoTag);
      await commands.subscribe({ streamId: stream.id, video, audio: audio && !isInMix });
    },
    async unsubscribe(ref) {
      await commands.unsubscribe({ streamId: requireStream(face, ref).id });
    },
    hungup,
    streamBindVideo(ref, videoTag) {
      face.tags.bind(requireStream(face, ref), videoTag);
    },
    getBindVideoBy: (ref) => face.tags.tagOf(streamIdOf(ref)),
    pauseVideo: (what) => turn(what, "video", false),
    resumeVideo: (what) => turn(what, "video", true),
    pauseAudio: (what) => turn(what, "audio", false),
    resumeAudio: (what) => turn(what, "audio", true),
    async changeCamera(deviceId) {
      if (!cameraIsOn()) return false;
      const all = await media.mediaDevices("videoinput");
      if (all.length < 2) return false;
      const now = all.findIndex(({ current }) => current);
      const next = deviceId ?? all[(now + 1) % all.length]?.deviceId;
      if (next === undefined) return false;
      await failingAs("camera", () => media.changeDevice("videoinput", next));
      return true;
    },
    async switchMobileCamera() {
      if (!cameraIsOn()) return false;
      if ((await media.mediaDevices("videoinput")).length < 2) return false;
      const next = facing === "user" ? "environment" : "user";
      await failingAs("camera", () => media.changeCameraTo(next));
      facing = next;
      return true;
    },
    changeMicrophone: (deviceId) => media.changeDevice("audioinput", deviceId),
    mediaDevices: (kind) => media.mediaDevices(kind),
    openUserMedia: (constraints = { audio: true, video: true }) =>
      failingAs("devices", () =>
        face.deps.getUserMedia(constraints).catch((error: unknown) => {
          throw deviceError(constraints.video ? "video" : "audio", error);
        }),
      ),
    shareDesktop: (options) => share(options, false),
    shareDesktopWithAudio: (options) => share(options, options.audio ?? true),
  };

  const { register } = face.tagHandlers;
  register("hungup", hungup);
  register("subscribe", (streamId, detail) => {
    const { video = true, audio = true } = (detail ?? {}) as Record<string, boolean>;
    return api.subscribe(null, streamId, video, audio);
  });
  register("chanageCamera", () => api.changeCamera());
  for (const event of ["pauseVideo", "resumeVideo", "pauseAudio", "resumeAudio"] as const) {
    register(event, api[event]);
  }
  return api;
}
