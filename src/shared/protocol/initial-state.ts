/** The initial value of every slice, used when the core starts and by mirrors before the first snapshot. */
import type { ChatFriends } from "./friend-model.ts";
import { SYSTEM_HEADER_VALUE } from "./system-names.ts";
import type { ControlView } from "./remote-control.ts";
import type { CallSlice, ConferenceSlice, GroupCallSlice, SessionSlice, Slices } from "./state.ts";

/** The core leaves `restoring` once, after it has read its storage. After a logout the status is `anonymous`. */
export function emptySession(status: SessionSlice["status"], offset = 0): SessionSlice {
  return {
    status,
    infoLoaded: false,
    accountId: null,
    username: null,
    name: "",
    nickname: "",
    avatar: "",
    introduction: "",
    isGuest: "0",
    supplierId: null,
    supplierName: "",
    applyNum: 0,
    systemName: SYSTEM_HEADER_VALUE,
    systemNameLogin: SYSTEM_HEADER_VALUE,
    roles: [],
    permissions: [],
    accountInfo: null,
    employee: null,
    employees: [],
    menus: [],
    chatUserName: null,
    serverTimeOffset: offset,
    expiresAt: null,
    locked: false,
    left: null,
    outside: null,
    expired: null,
  };
}

/** The state without a call: no devices open, no owner. */
export const idleCall = (): CallSlice => ({
  status: "idle",
  direction: null,
  info: null,
  peer: null,
  startedAt: null,
  deadline: null,
  gestureTab: null,
  ringTab: null,
  local: { audioMuted: false, videoOff: false, hasAudio: false, hasVideo: false },
  remote: { audioMuted: false, videoOff: false },
  owner: null,
  connection: "none",
  noData: { local: false, remote: false },
  lastOutcome: null,
});

/** Before friends are read. */
export const noFriends = (): ChatFriends => ({
  state: "loading",
  list: [],
  requests: [],
  blocked: [],
});

/** The state without a group call. */
export const noGroupCall = (): GroupCallSlice => ({
  status: "idle",
  info: null,
  startedAt: null,
  deadline: null,
  gestureTab: null,
  ringTab: null,
});

/** Nobody controls a screen. */
export const noControl = (): ControlView => ({
  able: false,
  screen: { state: "free", id: "", by: null, since: 0 },
  own: { state: "idle", of: null },
  ended: null,
  freed: null,
});

/** The state outside a conference. */
export const noConference = (lastExit: ConferenceSlice["lastExit"] = null): ConferenceSlice => ({
  status: "idle",
  info: null,
  self: null,
  members: {},
  streams: {},
  screens: true,
  cver: 0,
  attrs: {},
  muteAll: false,
  mayUnmute: false,
  mutedByAdmin: false,
  requests: {},
  asked: null,
  reply: null,
  messages: [],
  recording: null,
  owner: null,
  local: {
    audioMuted: false,
    videoOff: false,
    audioOff: true,
    microphone: "off",
    camera: "off",
    cameraControl: false,
    sharing: false,
    publishing: false,
  },
  signals: [],
  control: noControl(),
  cameraControlled: null,
  startedAt: null,
  lastExit,
});

/** @param now ms since the epoch */
export function initialSlices(core: {
  readonly coreId: string;
  readonly build: string;
  readonly now: number;
}): Slices {
  const socket = () => ({
    state: "closed" as const,
    since: core.now,
    attempts: 0,
    sent: 0,
    received: 0,
  });
  return {
    session: emptySession("restoring"),
    tabs: { byId: {} },
    chat: {
      connection: "closed",
      statusText: "logged-out",
      restored: false,
      conversations: {},
      uploads: {},
      typing: {},
      online: {},
      groups: {},
      groupRequests: [],
      friends: noFriends(),
      names: {},
      keeping: { pinned: {}, muted: {}, quiet: false },
    },
    call: idleCall(),
    groupCall: noGroupCall(),
    quality: { upload: "closed", uploadAttempts: 0, uploadQueued: 0, streams: {}, events: [] },
    imports: { byKey: {} },
    uploads: { ready: false, byKey: {}, chat: {} },
    downloads: { byKey: {} },
    conference: noConference(),
    worker: {
      coreId: core.coreId,
      build: core.build,
      epoch: core.coreId,
      startedAt: core.now,
      restarts: 0,
      sockets: { chat: socket(), signalling: socket(), quality: socket() },
      perSecond: [],
      commands: {},
      fanOut: { count: 0, p50: 0, p99: 0 },
      refreshes: 0,
      errors: [],
    },
    probe: { n: 0, at: core.now, payload: "" },
    reach: { state: "up", since: core.now },
    news: { unread: 0, messages: {} },
    alerts: { byKey: {} },
  };
}
