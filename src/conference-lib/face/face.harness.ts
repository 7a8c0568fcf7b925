/** A fake core and media half for tests of the library's API. Commands are recorded; the test sets the state. */
import { AppError } from "../../shared/errors.ts";
import type { ConferenceMember } from "../../shared/protocol/confr-model.ts";
import { noConference } from "../../shared/protocol/initial-state.ts";
import type { OnSound, TransmissionCount } from "../../rtc-main/index.ts";
import type { ConferenceSlice } from "../../shared/protocol/state.ts";
import { FakeClock } from "../../rtc-main/clock.fake.ts";
import { FakeElement } from "../../rtc-main/element.fake.ts";
import { createConferenceFace } from "./client.ts";
import type { LocalTracks, TypedEvents } from "./typed-events.ts";
import type { ConferenceClientDeps, ConferenceEvents, CoreConnection } from "./contracts.ts";

export class FakeTag extends FakeElement {
  readonly attributes = new Map<string, string>();
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
}
export const asTag = (tag: FakeTag): HTMLVideoElement => tag as unknown as HTMLVideoElement;

export const fakeTrack = (
  kind: "audio" | "video",
  readyState: MediaStreamTrackState = "live",
): MediaStreamTrack => ({ kind, readyState }) as MediaStreamTrack;

export const member = (memId: string, more: Partial<ConferenceMember> = {}): ConferenceMember => ({
  memId,
  memName: `name-${memId}`,
  nickName: "",
  role: 3,
  ext: "",
  acptOps: [],
  vcodes: [],
  ...more,
});
/** What the core answers to the commands that enter a conference. */
export const ENTERED = {
  confrId: "c1",
  type: 10,
  isCreator: false,
  joinId: "m1",
  role: 3,
} as const;
const EVENTS = [
  "onMemberJoined",
  "onMemberExited",
  "onStreamAdded",
  "onStreamRemoved",
  "onStreamUpdated",
  "onRoleChanged",
  "onConferenceExit",
  "onAdminChanged",
  "onConfrAttrsUpdated",
  "onConfrStateUpdated",
  "onMuteAll",
  "onUnMuteAll",
  "onMuted",
  "onUnmuted",
  "onRequestToTalker",
  "onRequestToAdmin",
  "onRequestToTalkerReply",
  "onRequestToAdminReply",
  "onRequestUnanswered",
  "onPubVideoTooMuch",
  "onPubDesktopTooMuch",
  "onNetworkQuality",
  "onTalking",
  "onRemoteControlFail",
  "onCameraControlled",
  "onRecording",
  "onTextMessage",
  "onAutoplayBlocked",
] as const satisfies readonly (keyof ConferenceEvents)[];
const TYPED = [
  "onConnectionChanged",
  "onEnterFailed",
  "onStreamConnection",
  "onDeviceError",
  "onTicket",
  "onLiveCfgs",
  "onTracksChanged",
] as const satisfies readonly (keyof TypedEvents | "onTracksChanged")[];

export function faceWorld({
  meterMillis = 400,
  ...options
}: Partial<ConferenceClientDeps> & { readonly meterMillis?: number } = {}) {
  const clock = new FakeClock();
  const calls: [string, unknown][] = [];
  const media: unknown[][] = [];
  const warnings: string[] = [];
  const events: unknown[][] = [];
  const typed: [string, unknown][] = [];
  const handlers = {
    core: new Set<() => void>(),
    media: new Set<() => void>(),
    tracks: new Set<(id: string) => void>(),
    sound: new Set<OnSound>(),
  };
  const tracks = new Map<string, LocalTracks>();
  let state: ConferenceSlice = noConference();
  /** Answers of commands by name. An Error is thrown. */
  const answers = new Map<string, unknown>();
  const bound = new Map<unknown, string>();
  const transmitted: TransmissionCount[] = [];
  let devices: { deviceId: string; label: string; current: boolean }[] = [];
  let blocked = false;
  let grants = true;
  let refusesConstraints = false;
  let refusesDevices = false;

  const commands = new Proxy(
    {},
    {
      get: (_, name: string) => async (input: unknown) => {
        calls.push([name, input]);
        const answer = answers.get(name) ?? null;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  ) as CoreConnection["commands"];
  const face = createConferenceFace({
    core: {
      commands,
      getState: () => state,
      subscribe(handler) {
        handlers.core.add(handler);
        return () => handlers.core.delete(handler);
      },
      async identify(identity) {
        calls.push(["identify", identity]);
      },
    },
    media: {
      bindStream(id, element) {
        bound.set(element, id);
        return () => bound.delete(element);
      },
      async captureScreen(given) {
        media.push(["captureScreen", given]);
        return grants;
      },
      stopScreen: () => void media.push(["stopScreen"]),
      mediaDevices: async () => devices,
      async changeDevice(kind, id) {
        if (refusesDevices) throw new AppError("media.open-failed");
        media.push(["changeDevice", kind, id]);
      },
      async changeCameraTo(facing) {
        if (refusesDevices) throw new AppError("media.open-failed");
        media.push(["changeCameraTo", facing]);
      },
      async constrain(kind, constraints) {
        media.push(["constrain", kind, constraints]);
        if (refusesConstraints) throw new AppError("media.open-failed");
      },
      provideTracks: (given) => void media.push(["provideTracks", given]),
      tracksOf: (id) => tracks.get(id) ?? { audio: null, video: null },
      onTracks(handler) {
        handlers.tracks.add(handler);
        return () => handlers.tracks.delete(handler);
      },
      setVolume: (id, volume) => void media.push(["setVolume", id, volume]),
      bindSound(id, element) {
        bound.set(element, id);
        return () => bound.delete(element);
      },
      localLevel: () => 0,
      controlWith: (executor) => void media.push(["controlWith", executor]),
      meterMillis: () => meterMillis,
      transmission: async () => transmitted,
      onSound(handler) {
        handlers.sound.add(handler);
        return () => handlers.sound.delete(handler);
      },
      resumePlayback: async () => void media.push(["resumePlayback"]),
      getState: () => ({ autoplayBlocked: blocked }),
      subscribe(handler) {
        handlers.media.add(handler);
        return () => handlers.media.delete(handler);
      },
    },
    recordings: {
      list: async () => [],
      file: async (id) => ({ file: new Blob([id]), name: `${id}.webm` }),
      save: async (id) => ({ name: `${id}.webm`, bytes: 1 }),
      discard: async () => undefined,
    },
    now: () => clock.now(),
    getUserMedia: () => Promise.reject(new Error("no devices here")),
    appkey: "org#app",
    safari: false,
    after: (ms, run) => clock.after(ms, run),
    warn: (message) => warnings.push(message),
    ...options,
  });
  for (const name of EVENTS) {
    face.on(name, (...given: unknown[]) => void events.push([name, ...given]));
  }
  for (const name of TYPED) {
    face.on(name, (...given: unknown[]) => void typed.push([name, given.at(-1)]));
  }
  const set = (change: Partial<ConferenceSlice>): void => {
    state = { ...state, ...change };
    for (const handler of handlers.core) handler();
  };
  return {
    face,
    clock,
    calls,
    media,
    warnings,
    events,
    answers,
    bound,
    handlers,
    transmitted,
    set,
    get state() {
      return state;
    },
    /** The typed events since the last call, by name and argument. */
    heardTyped: () => typed.splice(0),
    /** Names of the events since the last call. */
    heard: () => events.splice(0).map(([name]) => name),
    /** Puts the person into the conference as member m1. */
    inside(change: Partial<ConferenceSlice> = {}) {
      const self = change.self ?? member("m1");
      set({
        status: "joined",
        info: { confrId: "c1", name: "", type: 10, isCreator: false },
        self,
        members: { m1: self, m2: member("m2", { role: 7 }) },
        local: { ...state.local, microphone: "on", camera: "on" },
        ...change,
      });
      events.length = 0;
      typed.length = 0;
    },
    setDevices: (next: typeof devices) => void (devices = next),
    setTracks(id: string, next: LocalTracks) {
      tracks.set(id, next);
      for (const handler of handlers.tracks) handler(id);
    },
    setGrants: (next: boolean) => void (grants = next),
    /** No other device opens. */
    refuseDevices: () => void (refusesDevices = true),
    /** The device cannot give what it is asked for. */
    refuseConstraints: () => void (refusesConstraints = true),
    setBlocked(next: boolean) {
      blocked = next;
      for (const handler of handlers.media) handler();
    },
  };
}
