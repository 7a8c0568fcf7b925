/** What the media half needs from outside, and the browser's own of it. */
import type { IAgoraRTC } from "agora-rtc-sdk-ng";
import { createPermission, type PermissionPort } from "./media/permission.ts";
import { freezeFrame, type Still } from "./elements/still.ts";
import { type Listener, listenTo } from "./media/listen.ts";

export interface MediaTimer {
  cancel(): void;
}
export interface MediaClock {
  /** ms since the epoch */
  now(): number;
  after(ms: number, run: () => void): MediaTimer;
}

export interface MediaDevicesPort extends Pick<
  EventTarget,
  "addEventListener" | "removeEventListener"
> {
  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream>;
  getDisplayMedia?(options?: DisplayMediaStreamOptions): Promise<MediaStream>;
  enumerateDevices?(): Promise<MediaDeviceInfo[]>;
}

export interface MediaDeps {
  /** null where the browser has none (a page that is not secure). */
  readonly devices: MediaDevicesPort | null;
  readonly permission: PermissionPort;
  /** false where the browser has no RTCPeerConnection. */
  readonly hasConnections: () => boolean;
  readonly createConnection: (config: RTCConfiguration) => RTCPeerConnection;
  readonly createStream: (tracks: MediaStreamTrack[]) => MediaStream;
  /** A hidden element that is part of the page already; `remove()` takes it out. */
  readonly createAudioElement: () => HTMLAudioElement;
  /** A detached element that looks for the first frame; null where there is no requestVideoFrameCallback. */
  readonly createProbeElement: () => HTMLVideoElement | null;
  /** The picture an element shows now as a still stream; null when it shows none. */
  readonly freezeFrame: (element: HTMLVideoElement) => Still | null;
  /** Tells at once and on change whether the element is in sight, and how wide it is (CSS px). @returns stops looking */
  readonly observeTile: (
    element: HTMLElement,
    changed: (now: { readonly visible: boolean; readonly width: number }) => void,
  ) => () => void;
  /** How loud a track is, for statistics that do not say it; null where it cannot be listened to. */
  readonly listen: (track: MediaStreamTrack) => Listener | null;
  /** What the browser can send; undefined where it cannot be asked. */
  readonly videoCodecs: () => readonly RTCRtpCodec[] | undefined;
  /** Subscriptions are negotiated one after the other (Safari). */
  readonly serialSubscriptions: boolean;
  /** Resolves once the lock is held; rejects when `signal` ends the wait. */
  readonly acquireLock: (name: string, signal: AbortSignal) => Promise<{ release(): void }>;
  readonly clock: MediaClock;
  readonly loadAgora: () => Promise<IAgoraRTC>;
  /** The page goes into the back/forward cache: it keeps its locks there. */
  readonly onFreeze: (handler: () => void) => () => void;
  /** Shown to developers; never a secret. */
  readonly report: (message: string) => void;
}

/** Holds a Web Lock until `release`. */
function acquireWebLock(name: string, signal: AbortSignal): Promise<{ release(): void }> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(
        name,
        { signal },
        () =>
          new Promise<void>((free) => {
            resolve({ release: () => free() });
          }),
      )
      .catch(reject);
  });
}

/** Safari on the desktop and every browser of iOS: all of them are WebKit. */
export const isSafari = (userAgent: string): boolean =>
  /AppleWebKit/.test(userAgent) && !/Chrome\/|Chromium\/|Edg\/|OPR\//.test(userAgent);

function observeTile(
  element: HTMLElement,
  changed: (now: { readonly visible: boolean; readonly width: number }) => void,
): () => void {
  let inSight = true;
  const tell = (): void =>
    changed({
      visible: inSight && document.visibilityState === "visible",
      width: element.clientWidth,
    });
  const sight = new IntersectionObserver(([entry]) => {
    inSight = entry?.isIntersecting === true;
    tell();
  });
  const size = new ResizeObserver(tell);
  sight.observe(element);
  size.observe(element);
  document.addEventListener("visibilitychange", tell);
  return () => {
    sight.disconnect();
    size.disconnect();
    document.removeEventListener("visibilitychange", tell);
  };
}

/** The browser's deps; only callable on a page. */
export function browserMediaDeps(overrides: Partial<MediaDeps> = {}): MediaDeps {
  return {
    devices: (navigator.mediaDevices as MediaDevices | undefined) ?? null,
    permission: createPermission(navigator.permissions as Permissions | undefined),
    hasConnections: () => typeof RTCPeerConnection !== "undefined",
    createConnection: (config) => new RTCPeerConnection(config),
    createStream: (tracks) => new MediaStream(tracks),
    createAudioElement() {
      const audio = document.createElement("audio");
      audio.autoplay = true;
      audio.hidden = true;
      document.body.append(audio);
      return audio;
    },
    createProbeElement() {
      const video = document.createElement("video");
      if (!("requestVideoFrameCallback" in video)) return null;
      video.muted = true;
      video.playsInline = true;
      return video;
    },
    freezeFrame,
    listen: listenTo,
    observeTile,
    videoCodecs: () => RTCRtpSender.getCapabilities("video")?.codecs,
    serialSubscriptions: isSafari(navigator.userAgent),
    acquireLock: acquireWebLock,
    clock: {
      now: () => Date.now(),
      after(ms, run) {
        const timer = setTimeout(run, ms);
        return { cancel: () => clearTimeout(timer) };
      },
    },
    // the SDK is 430 kB and opens sockets of its own: only who uses it loads it
    loadAgora: () => import("agora-rtc-sdk-ng").then((module) => module.default),
    onFreeze(handler) {
      const onHide = (event: PageTransitionEvent): void => {
        if (event.persisted) handler();
      };
      window.addEventListener("pagehide", onHide);
      return () => window.removeEventListener("pagehide", onHide);
    },
    report: (message) => console.debug(`[rtc-main] ${message}`),
    ...overrides,
  };
}
