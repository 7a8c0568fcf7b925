/**
 * The conferencing library as a host page loads it (`npm run build:lib`): the public API over the library's own SharedWorker and
 * this tab's media. Create one client per page; further ones have an `instance`.
 */
import { proxy, subscribe } from "valtio/vanilla";
import {
  type ConferenceClient,
  createConferenceFace,
  type Identity,
  settingsOf,
} from "./face/index.ts";
import {
  browserMediaDeps,
  browserRecordings,
  createMediaHost,
  isSafari,
} from "../rtc-main/index.ts";
import { AppError } from "../shared/errors.ts";
import {
  libraryConfigSchema,
  libraryCoreName,
  nameForInstance,
} from "../shared/protocol/library.ts";
import type { TabToCore } from "../shared/protocol/state.ts";
import { createCommands } from "../core-client/commands.ts";
import { type ConferenceSettings, splitSettings } from "./settings.ts";
import { createConnection } from "../core-client/connection.ts";
import type { CoreState } from "../core-client/contracts.ts";
import type { CoreHost, HostFactory } from "../core-client/host.ts";
import { createMarksWatch } from "../core-client/marks-watch.ts";
import { createMirror } from "../core-client/mirror.ts";
import { watchPresence } from "../core-client/presence.ts";

export type {
  Annotated,
  AnnotatingApi,
  Answer,
  Applicant,
  ClickPlace,
  ClientApi,
  CloseReason,
  ConferenceClient,
  ConferenceEvents,
  ConnectionEvent,
  DeviceEvent,
  EnterEvent,
  ConferenceLimits,
  ConferenceWishes,
  ConfrAttr,
  ControlFreed,
  DesktopOptions,
  Graffiti,
  GraffitiOptions,
  Joined,
  LiveEvent,
  LocalTracks,
  PublishOptions,
  SendOptions,
  StreamEvent,
  TicketEvent,
  TracksApi,
  TypedEvents,
  JoiningApi,
  ManagingApi,
  MediaChanged,
  OnSoundChanged,
  OnTransmission,
  RecordingApi,
  TransmissionHelper,
  TransmissionSample,
  Member,
  MemberRef,
  RemoteControlApi,
  RemoteControlEvents,
  RemoteControlOptions,
  RemoteCameraApi,
  RemoteCameraDetail,
  Stream,
  StreamingApi,
  StreamRef,
  TagEvent,
  TextMessage,
} from "./face/index.ts";
export type { ControlAction, ControlInput } from "../shared/protocol/remote-control.ts";
export type { ControlExecutor, DeviceEntry, PrecallCheck } from "../rtc-main/index.ts";
export { MEDIA_CHANGED, TAG_ATTRIBUTES, TAG_EVENTS } from "./face/index.ts";
export type { ConferenceSettings } from "./settings.ts";
export { runPrecallChecks } from "../rtc-main/index.ts";
export { AppError } from "../shared/errors.ts";

export interface ConferenceClientOptions extends ConferenceSettings {
  /** org#app */
  readonly appkey: string;
  /** Segment of the conference REST paths. Default: easemob. */
  readonly provider?: string;
  /** Region in which the provider opens conferences. Default: the provider's choice. */
  readonly region?: string;
  /** Origin of the platform. Default: the page's origin. The platform must allow the page's origin. */
  readonly origin?: string;
  /**
   * Up to three origins of name services, tried in this order, instead of `origin`: each lists the platform's hosts
   * (`GET /{provider}/server.json`), of which the first that has TLS and answers is used.
   */
  readonly dnsHosts?: readonly string[];
  /** Address of a JSON that replaces the host of the socket, that of the TURN servers, and candidates. Default: none. */
  readonly deployUrl?: string;
  /**
   * A name (letters, digits, `-`, `_`) for a further client of the page, with a core, an identity and a conference of its own. Default: the
   * client that all pages of the origin share.
   */
  readonly instance?: string;
  /** URL of the library's worker, on the page's origin. Default: conference-core.js beside this file. */
  readonly workerUrl?: string | URL;
  /** Whether to subscribe to every published stream automatically. Default: false. */
  readonly autoSub?: boolean;
  /** Whether others may control the camera of this person, and take pictures with it. Ask the person first. Default: false. */
  readonly cameraControl?: boolean;
  /** ms between two measurements of sound; 0 measures none. Default: 400. */
  readonly getMediaMeterIntervalMillis?: number;
  /** From this level on a stream counts as talking, 0..1. Default: 0.05. */
  readonly judgeTalkingByInstantGE?: number;
  /** Receives messages for developers. Default: the browser's console. */
  readonly warn?: (message: string) => void;
}

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
const after = (ms: number, run: () => void): { cancel(): void } => {
  const handle = setTimeout(run, ms);
  return { cancel: () => clearTimeout(handle) };
};

function workerHost(url: string | URL, name: string): HostFactory {
  if (typeof SharedWorker === "undefined" || !("locks" in navigator)) return null;
  return () => {
    const worker = new SharedWorker(url, { type: "module", name });
    const host: CoreHost = { port: worker.port, onError: null };
    worker.addEventListener("error", () => host.onError?.());
    return host;
  };
}

/**
 * Creates the library's client. Call `setIdentity` next. Commands wait for the worker; in a browser that cannot run it they reject
 * with code core.unsupported.
 *
 * @throws AppError request.invalid for an appkey that is not org#app, for addresses that are none, and for settings out of their limits
 */
export function createConferenceClient(options: ConferenceClientOptions): ConferenceClient {
  const {
    autoSub = false,
    cameraControl = false,
    warn = (message) => console.warn(`[conference] ${message}`),
  } = options;
  const { settings, sendDefaults } = splitSettings(options);
  settingsOf(sendDefaults);
  const parsed = libraryConfigSchema.safeParse({
    build: __BUILD__,
    origin: options.origin ?? "",
    provider: options.provider ?? "easemob",
    appkey: options.appkey,
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(options.region === undefined ? {} : { region: options.region }),
    ...(options.instance === undefined ? {} : { instance: options.instance }),
    ...(options.dnsHosts === undefined ? {} : { dnsHosts: options.dnsHosts }),
    ...(options.deployUrl === undefined ? {} : { deployUrl: options.deployUrl }),
  });
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? [];
    const field = path.filter((part) => part !== "settings").join(".");
    throw new AppError("request.invalid", { details: { field } });
  }
  const url =
    options.workerUrl ?? new URL(/* @vite-ignore */ "./conference-core.js", import.meta.url);
  const { instance } = options;
  /** A page that shares the core of another page was not given the identity, but knows the own member. */
  const recordingOwner = (): string | null => {
    const memName = identity?.memName ?? mirror.state.conference.self?.memName;
    return memName === undefined
      ? null
      : `${nameForInstance("conference-library", instance)}:${memName}`;
  };
  const deps = browserMediaDeps(recordingOwner, {
    meter: {
      getMediaMeterIntervalMillis: options.getMediaMeterIntervalMillis ?? 400,
      judgeTalkingByInstantGE: options.judgeTalkingByInstantGE ?? 0.05,
    },
  });
  const media = createMediaHost({
    ...deps,
    acquireLock: (name, signal) => deps.acquireLock(nameForInstance(name, instance), signal),
  });
  const coreState = proxy<CoreState>({
    state: "connecting",
    unsupported: null,
    newerBuild: null,
    unreachable: false,
  });
  let statePort: MessagePort | null = null;
  let identity: Identity | null = null;

  const mirror = createMirror({
    build: __BUILD__,
    now: () => Date.now(),
    onRetired: () => undefined,
    onNotice: ({ text }) => warn(text),
  });
  const presence = watchPresence({
    path: () => location.pathname,
    onChange: (now) => {
      const message: TabToCore = { t: "presence", ...now };
      statePort?.postMessage(message);
    },
    onRestored: () => connection.again(),
  });
  const connection = createConnection({
    tabId: newId(),
    build: __BUILD__,
    host: workerHost(url, libraryCoreName(parsed.data)),
    locks: navigator.locks,
    coreState,
    presence: () => presence.current(),
    claim: () => media.claim(),
    after,
    onState(port) {
      statePort = port;
      mirror.use(port);
    },
    onMedia(port) {
      media.connect(port);
      // A restarted core does not know the identity any more.
      if (identity !== null) identify(identity).catch((error: unknown) => warn(String(error)));
    },
  });
  const commands = createCommands({ connection, after, newId, company: () => null });
  const identify = async ({ memName, token }: Identity): Promise<void> => {
    await commands.library.identify({ memName, token });
  };

  return createConferenceFace({
    core: {
      commands: commands.conference,
      getState: () => mirror.state.conference,
      subscribe: (handler) => subscribe(mirror.state.conference, handler),
      watchMarks: createMarksWatch({ connection, newId, after }),
      async identify(next) {
        identity = next;
        await identify(next);
      },
      dispose() {
        presence.dispose();
        connection.dispose();
        media.dispose();
      },
    },
    media,
    recordings: browserRecordings(recordingOwner),
    now: () => Date.now(),
    getUserMedia: (constraints) => navigator.mediaDevices.getUserMedia(constraints),
    appkey: options.appkey,
    autoSub,
    cameraControl,
    sendDefaults,
    safari: isSafari(navigator.userAgent),
    after,
    warn,
  });
}
