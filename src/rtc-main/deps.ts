/** What the tab's media code needs of the browser, and the implementation in a page. Tests pass fakes. */
import type { IAgoraRTC } from "agora-rtc-sdk-ng";
import { basePathOf, locksBelow } from "../shared/domain/base-path.ts";
import { browserClock, type MediaClock } from "./clock.ts";
import { createFreshConnections, openFrame } from "./connections/fresh.ts";
import type { ControlExecutor, ControlPort } from "./control/contracts.ts";
import { createPageExecutor } from "./control/page.ts";
import { browserPictures, type PicturesPort } from "./conference/pictures.ts";
import type { EffectsPort } from "./effects/effects.ts";
import { createPermission, type PermissionPort } from "./media/permission.ts";
import { freezeFrame, type Still } from "./elements/still.ts";
import { DEFAULT_METER, type MeterSettings } from "./sound/meter.ts";
import { browserRecorder, type RecorderPort } from "./recording/port.ts";
import type { RecordingOwner } from "./recording/store.ts";
import { SOUND_MODULE } from "./sound/module-url.ts";
import { browserSoundMeters, type Listener } from "./sound/meters.ts";

export interface MediaDevicesPort extends Pick<
  EventTarget,
  "addEventListener" | "removeEventListener"
> {
  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream>;
  getDisplayMedia?(options?: DisplayMediaStreamOptions): Promise<MediaStream>;
  enumerateDevices?(): Promise<MediaDeviceInfo[]>;
}

export interface MediaDeps {
  /** Null when the page has no access to devices, because it is not secure. */
  readonly devices: MediaDevicesPort | null;
  readonly permission: PermissionPort;
  /** False when the browser has no RTCPeerConnection. */
  readonly hasConnections: () => boolean;
  readonly createConnection: (config: RTCConfiguration) => RTCPeerConnection;
  /** Whether the machine has none of this connection's addresses any more, and connections that are made now use its present ones. */
  readonly hasMoved: (pc: RTCPeerConnection) => Promise<boolean>;
  readonly createStream: (tracks: MediaStreamTrack[]) => MediaStream;
  /** Creates a hidden element in the page; the caller removes it. */
  readonly createAudioElement: () => HTMLAudioElement;
  /** Creates an element outside the page that detects the first frame; null when the browser has no requestVideoFrameCallback. */
  readonly createProbeElement: () => HTMLVideoElement | null;
  /** The current picture of an element as a still stream; null when it shows none. */
  readonly freezeFrame: (element: HTMLVideoElement) => Still | null;
  /** Reports whether the element is visible and its width (CSS px), at once and on change. @returns a function that stops it */
  readonly observeTile: (
    element: HTMLElement,
    changed: (now: { readonly visible: boolean; readonly width: number }) => void,
  ) => () => void;
  /** Reports whether the page is visible, at once and on change. @returns a function that stops it */
  readonly observePage: (changed: (visible: boolean) => void) => () => void;
  /** Measures a track's sound (docs/conferences.md#sound-meter); null when the browser has no WebAudio. */
  readonly listen: (track: MediaStreamTrack) => Listener | null;
  readonly meter: MeterSettings;
  /** The codecs that the browser can send; undefined when it does not report them. */
  readonly videoCodecs: () => readonly RTCRtpCodec[] | undefined;
  /** Whether to negotiate subscriptions one after another (Safari, docs/conferences.md#subscribing). */
  readonly serialSubscriptions: boolean;
  /** Resolves once the lock is held; rejects when `signal` is aborted. */
  readonly acquireLock: (name: string, signal: AbortSignal) => Promise<{ release(): void }>;
  readonly clock: MediaClock;
  /** Null where nothing can be recorded. */
  readonly recorder: RecorderPort | null;
  /** Null where the own picture and sound cannot be changed. */
  readonly effects: EffectsPort | null;
  /** Null where a shared screen cannot be controlled. */
  readonly control: ControlPort | null;
  /** Null where the own picture cannot be zoomed, frozen and taken. */
  readonly pictures: PicturesPort | null;
  readonly loadAgora: () => Promise<IAgoraRTC>;
  /**
   * Calls the handler when the page enters the back/forward cache, where it would keep its locks.
   *
   * @returns a function that removes the handler
   */
  readonly onFreeze: (handler: () => void) => () => void;
  /** Writes to the developers' log; never pass a secret. */
  readonly report: (message: string) => void;
}

/** Holds a Web Lock until `release`. */
function acquireWebLock(name: string, signal: AbortSignal): Promise<{ release(): void }> {
  return new Promise((resolve, reject) => {
    locksBelow(basePathOf(import.meta.url), navigator.locks)
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

/** Whether the browser is WebKit: Safari, or any browser on iOS. */
export const isSafari = (userAgent: string): boolean =>
  /AppleWebKit/.test(userAgent) && !/Chrome\/|Chromium\/|Edg\/|OPR\//.test(userAgent);

/** Only Chromium has the property. */
const isChromium = (who: object): boolean => "userAgentData" in who;

function observeTile(
  element: HTMLElement,
  changed: (now: { readonly visible: boolean; readonly width: number }) => void,
): () => void {
  let inViewport = true;
  // A floating window has a document of its own, shows all of it, and is seen while the page is not.
  const own = element.ownerDocument;
  const report = (): void =>
    changed({
      visible: inViewport && (own !== document || own.visibilityState === "visible"),
      width: element.clientWidth,
    });
  const viewport = new IntersectionObserver(([entry]) => {
    inViewport = entry?.isIntersecting === true;
    report();
  });
  const size = new ResizeObserver(report);
  if (own === document) viewport.observe(element);
  size.observe(element);
  document.addEventListener("visibilitychange", report);
  return () => {
    viewport.disconnect();
    size.disconnect();
    document.removeEventListener("visibilitychange", report);
  };
}

function observePage(changed: (visible: boolean) => void): () => void {
  const report = (): void => changed(document.visibilityState === "visible");
  report();
  document.addEventListener("visibilitychange", report);
  return () => document.removeEventListener("visibilitychange", report);
}

const drawnHandle = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");

/**
 * The dependencies in a browser. Call only in a page.
 *
 * @param recordingOwner to whom the recordings of this page belong
 */
export function browserMediaDeps(
  recordingOwner: RecordingOwner,
  overrides: Partial<MediaDeps> = {},
): MediaDeps {
  const report = overrides.report ?? ((message) => console.debug(`[rtc-main] ${message}`));
  const fresh = createFreshConnections(
    { clock: browserClock, create: (config) => new RTCPeerConnection(config) },
    openFrame,
  );
  return {
    devices: (navigator.mediaDevices as MediaDevices | undefined) ?? null,
    permission: createPermission(navigator.permissions as Permissions | undefined),
    hasConnections: () => typeof RTCPeerConnection !== "undefined",
    createConnection: fresh.create,
    hasMoved: isChromium(navigator) ? fresh.hasMoved : () => Promise.resolve(false),
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
    listen: browserSoundMeters(SOUND_MODULE, report),
    meter: DEFAULT_METER,
    observeTile,
    observePage,
    videoCodecs: () => RTCRtpSender.getCapabilities("video")?.codecs,
    serialSubscriptions: isSafari(navigator.userAgent),
    acquireLock: acquireWebLock,
    clock: browserClock,
    effects: null,
    control: {
      handle: drawnHandle(),
      origin: location.origin,
      shell: () => (window as { desktopControl?: ControlExecutor }).desktopControl ?? null,
      page: () => createPageExecutor(document),
    },
    pictures: browserPictures(report),
    recorder: browserRecorder(SOUND_MODULE, recordingOwner),
    // Load the SDK only when a call uses Agora: it has 430 kB and opens its own sockets.
    loadAgora: () => import("agora-rtc-sdk-ng").then((module) => module.default),
    onFreeze(handler) {
      const onHide = (event: PageTransitionEvent): void => {
        if (event.persisted) handler();
      };
      window.addEventListener("pagehide", onHide);
      return () => window.removeEventListener("pagehide", onHide);
    },
    report,
    ...overrides,
  };
}
