/**
 * State that the core mirrors into every tab: slices of plain data, changed by versioned ops (see ARCHITECTURE.md, "State").
 * A tab drops a seq that it already has, and asks for a resync on a gap or a new epoch. No secrets: tokens stay in the core.
 */
import { z } from "../zod.ts";
import { errorCodeSchema, wireErrorSchema } from "../errors.ts";
import { CALL_STATES } from "../domain/call-states.ts";
import { CONFERENCE_CONNECTION_STATES, CONFERENCE_STATES } from "../domain/conference-states.ts";
import { DEVICE_STATES } from "../domain/device-states.ts";
import { IMPORT_STATES } from "../domain/import-states.ts";
import { callMediaSchema } from "./call-message.ts";
import { systemNameSchema } from "./config.ts";
import { accountInfoSchema, employeeSchema, menuEntrySchema, roleSchema } from "./rest/entities.ts";
import { confrMemberSchema, confrStreamSchema, layerSchema } from "./confr-signalling.ts";
import { importModeSchema } from "./rest/imports.ts";
import { reachSliceSchema, type ReachSlice } from "./reach.ts";
import { conferenceTypeSchema } from "./rest/rtc.ts";

export const connectionStateSchema = z.enum(["closed", "connecting", "open", "waiting"]);
export type ConnectionState = z.infer<typeof connectionStateSchema>;

export const expiredSchema = z.object({
  /** The one tab that shows the question; null during a call or conference, or when there is no tab. */
  tabId: z.string().nullable(),
  /** The person chose to stay on the page; a bar keeps offering the login. */
  dismissed: z.boolean(),
});

export const sessionSliceSchema = z.object({
  /** restoring: the core has not read its storage yet. */
  status: z.enum(["restoring", "anonymous", "authenticated"]),
  /** Whether the account, roles and menus of this session are loaded. */
  infoLoaded: z.boolean(),
  accountId: z.string().nullable(),
  username: z.string().nullable(),
  name: z.string(),
  nickname: z.string(),
  avatar: z.string(),
  introduction: z.string(),
  /** '1' means guest (docs/session.md#user-info). */
  isGuest: z.enum(["0", "1"]),
  supplierId: z.string().nullable(),
  supplierName: z.string(),
  /** Applies of this account that the platform holds. */
  applyNum: z.number().int(),
  /** The system whose menus are shown. */
  systemName: systemNameSchema,
  /** The system that the person logged in to; its client credentials go with every refresh. */
  systemNameLogin: systemNameSchema,
  /** Roles and permissions in the current company only. */
  roles: z.array(roleSchema),
  permissions: z.array(z.string()),
  /** What the account call answered for the current company. */
  accountInfo: accountInfoSchema.nullable(),
  employee: employeeSchema.nullable(),
  employees: z.array(employeeSchema),
  menus: z.array(menuEntrySchema),
  /** Chat user name of this account, null before the chat account is known. */
  chatUserName: z.string().nullable(),
  /** Server time minus local time in ms, from the server's date header. */
  serverTimeOffset: z.number(),
  /** When the access token ends: issued-at plus expires_in, seconds since the epoch. */
  expiresAt: z.number().nullable(),
  /** How the last login ended, while nobody is logged in. */
  left: z.enum(["logout", "expired"]).nullable(),
  /** The login has expired and the person is asked whether to log in again (docs/session.md#expired-login); null: nothing to ask. */
  expired: expiredSchema.nullable(),
});
export type SessionSlice = z.infer<typeof sessionSliceSchema>;

export const tabEntrySchema = z.object({
  tabId: z.string(),
  visible: z.boolean(),
  focusedAt: z.number(),
  path: z.string(),
  connectedAt: z.number(),
  /** Number of ops that the tab has not acknowledged. */
  unacked: z.number().int(),
});
export const tabsSliceSchema = z.object({ byId: z.record(z.string(), tabEntrySchema) });

export const chatMessageSchema = z.object({
  /** Local id; the same when the message is sent again. */
  id: z.string(),
  /** The server's id, null until sent. */
  mid: z.string().nullable(),
  chatId: z.string(),
  from: z.string(),
  bySelf: z.boolean(),
  type: z.enum(["text", "img", "file", "audio", "video"]),
  msg: z.string(),
  status: z.enum(["unread", "read", "sending", "sent", "recall", "failed"]),
  /** ms since the epoch: the server's time once known, else the local one. */
  time: z.number(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const conversationSchema = z.object({
  chatId: z.string(),
  name: z.string(),
  unread: z.number().int(),
  /** Local ids, oldest first. */
  order: z.array(z.string()),
  messages: z.record(z.string(), chatMessageSchema),
  historyLoaded: z.boolean(),
  historyEnd: z.boolean(),
});
export const chatSliceSchema = z.object({
  connection: connectionStateSchema,
  /** Text of docs/chat.md#connection: logged in, logged out, network connected, network disconnected. */
  statusText: z.enum(["logged-in", "logged-out", "network-connected", "network-disconnected"]),
  /** The conversations that an earlier core stored are loaded. Before that, an empty list means nothing. */
  restored: z.boolean(),
  conversations: z.record(z.string(), conversationSchema),
  /** Presence by chat user name. */
  online: z.record(z.string(), z.boolean()),
});
export type ChatSlice = z.infer<typeof chatSliceSchema>;

export const callLinkSchema = z.enum([
  "none",
  "connecting",
  "connected",
  "weak",
  "restarting",
  "failed",
]);
export type CallLink = z.infer<typeof callLinkSchema>;

export const callSliceSchema = z.object({
  status: z.enum(CALL_STATES),
  direction: z.enum(["out", "in"]).nullable(),
  info: z
    .object({
      confrName: z.string(),
      channel: z.string(),
      callId: z.string(),
      type: z.union([z.literal(1), z.literal(2)]),
      media: callMediaSchema,
      fromUser: z.string(),
      toUser: z.string(),
    })
    .nullable(),
  peer: z.object({ userName: z.string(), name: z.string() }).nullable(),
  /** ms since the epoch when the call reached `chat`; the duration is the wall clock minus this. */
  startedAt: z.number().nullable(),
  /** When the running ring, answer or confirm timeout ends, ms since the epoch. */
  deadline: z.number().nullable(),
  /** The tab in which the person dialled or answered; it shows the call's window large. */
  gestureTab: z.string().nullable().default(null),
  local: z.object({
    audioMuted: z.boolean(),
    videoOff: z.boolean(),
    /** Which devices could be opened; a call without a camera continues with voice. */
    hasAudio: z.boolean(),
    hasVideo: z.boolean(),
  }),
  remote: z.object({ audioMuted: z.boolean(), videoOff: z.boolean() }),
  /** The owner: the tab that holds the devices and connections. */
  owner: z.object({ tabId: z.string(), epoch: z.number().int(), ready: z.boolean() }).nullable(),
  link: callLinkSchema,
  /** Set once per direction by the call monitor; cleared when data flows again. */
  noData: z.object({ local: z.boolean(), remote: z.boolean() }),
  /** How the last call ended, for the window that has just closed. */
  lastOutcome: z
    .object({
      callId: z.string(),
      outcome: z.string(),
      /** ms, null when it never connected */
      duration: z.number().nullable(),
      at: z.number(),
    })
    .nullable(),
});
export type CallSlice = z.infer<typeof callSliceSchema>;

/** One sample of one stream in kbit/s, %, ms and frames/s; null where the stream has no such value. */
export const qualityPointSchema = z.object({
  at: z.number(),
  kbps: z.number().nullable(),
  loss: z.number().nullable(),
  rtt: z.number().nullable(),
  fps: z.number().nullable(),
  jitter: z.number().nullable(),
  freezes: z.number().nullable(),
});
export const qualitySliceSchema = z.object({
  upload: connectionStateSchema,
  uploadAttempts: z.number().int(),
  uploadQueued: z.number().int(),
  /** By stream id (see streamSampleSchema); the newest 120 points. */
  streams: z.record(
    z.string(),
    z.object({
      id: z.string(),
      callId: z.string(),
      direction: z.enum(["local", "remote"]),
      kind: z.enum(["audio", "video"]),
      /** 2 good, 1 poor, 0 disconnected. */
      quality: z.union([z.literal(0), z.literal(1), z.literal(2)]),
      /** Estimated audio MOS, see facts; null for video. */
      mos: z.number().nullable(),
      points: z.array(qualityPointSchema),
    }),
  ),
  /** Newest first, at most 100. */
  events: z.array(z.object({ at: z.number(), kind: z.string(), text: z.string() })),
});
export type QualitySlice = z.infer<typeof qualitySliceSchema>;

export const latencySchema = z.object({
  count: z.number().int(),
  p50: z.number(),
  p99: z.number(),
});
export const workerSliceSchema = z.object({
  coreId: z.string(),
  build: z.string(),
  epoch: z.string(),
  startedAt: z.number(),
  /** How many times this person's core was restarted while tabs were open. */
  restarts: z.number().int(),
  sockets: z.record(
    z.enum(["chat", "signalling", "quality"]),
    z.object({
      state: connectionStateSchema,
      since: z.number(),
      attempts: z.number().int(),
      sent: z.number().int(),
      received: z.number().int(),
    }),
  ),
  /** Newest 120 seconds, oldest first. */
  perSecond: z.array(
    z.object({
      at: z.number(),
      commands: z.number(),
      messages: z.number(),
      opsOut: z.number(),
    }),
  ),
  commands: z.record(z.string(), latencySchema),
  fanOut: latencySchema,
  refreshes: z.number().int(),
  errors: z.array(z.object({ at: z.number(), message: z.string() })),
});
export type WorkerSlice = z.infer<typeof workerSliceSchema>;

/** A batch import as every tab shows it: staged on this machine, and being sent now or sent recently. */
export const importEntrySchema = z.object({
  /** The job's key (see import-staging). */
  key: z.string(),
  /** The server's id, null until it knows the job. */
  jobId: z.string().nullable(),
  fileName: z.string(),
  supplierId: z.string(),
  mode: importModeSchema,
  isInvite: z.boolean(),
  state: z.enum(IMPORT_STATES),
  rows: z.number().int(),
  /** Rows that the server has acknowledged. */
  sent: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  refused: z.number().int(),
  /** The server had imported the whole file before: nothing was added this time, and `created` counts the earlier import. */
  already: z.boolean(),
  chunks: z.number().int(),
  chunksDone: z.number().int(),
  /** ms since the epoch */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Rows per second over the last chunks, and ms left; null while unknown. */
  rate: z.number().nullable(),
  left: z.number().nullable(),
  /** Why the import waits or failed. */
  error: wireErrorSchema.nullable(),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;
export const importsSliceSchema = z.object({ byKey: z.record(z.string(), importEntrySchema) });

/** A stream of a conference as every tab shows it. */
export const confrStreamViewSchema = confrStreamSchema.extend({
  /** Published by this person. */
  located: z.boolean(),
  /** What is subscribed; for an own stream, what is sent. */
  video: z.boolean(),
  audio: z.boolean(),
  layer: layerSchema,
  link: z.enum(CONFERENCE_CONNECTION_STATES),
  talking: z.boolean(),
  /** 2 good, 1 poor, 0 disconnected. */
  quality: z.union([z.literal(0), z.literal(1), z.literal(2)]),
});
export type ConfrStreamView = z.infer<typeof confrStreamViewSchema>;

export const conferenceSliceSchema = z.object({
  status: z.enum(CONFERENCE_STATES),
  info: z
    .object({
      confrId: z.string(),
      name: z.string(),
      type: conferenceTypeSchema,
      isCreator: z.boolean(),
    })
    .nullable(),
  self: confrMemberSchema.nullable(),
  /** All members including oneself, by memId. */
  members: z.record(z.string(), confrMemberSchema),
  streams: z.record(z.string(), confrStreamViewSchema),
  cver: z.number().int(),
  attrs: z.record(z.string(), z.string()),
  muteAll: z.boolean(),
  /** An admin muted this member individually. */
  mutedByAdmin: z.boolean(),
  /** Requests that an admin may answer, by id. */
  requests: z.record(
    z.string(),
    z.object({
      id: z.string(),
      kind: z.enum(["talker", "admin"]),
      memId: z.string(),
      nickName: z.string(),
      at: z.number(),
    }),
  ),
  /** The own request that has no answer yet. */
  asked: z.enum(["talker", "admin"]).nullable(),
  /** The outcome of the last request; after `late` and `lost` the person may ask again. */
  reply: z
    .object({
      id: z.string(),
      kind: z.enum(["talker", "admin"]),
      result: z.enum(["agreed", "refused", "late", "lost"]),
    })
    .nullable(),
  /** In-call texts, oldest first, at most 200. */
  messages: z.array(
    z.object({
      id: z.string(),
      from: z.string(),
      nickName: z.string(),
      to: z.string().nullable(),
      text: z.string(),
      at: z.number(),
      mine: z.boolean(),
    }),
  ),
  owner: z.object({ tabId: z.string(), epoch: z.number().int(), ready: z.boolean() }).nullable(),
  local: z.object({
    audioMuted: z.boolean(),
    /** The microphone is closed until the person turns it on. */
    audioOff: z.boolean(),
    videoOff: z.boolean(),
    microphone: z.enum(DEVICE_STATES),
    camera: z.enum(DEVICE_STATES),
    /** A screen is being shared. */
    sharing: z.boolean(),
    /** The person wants to publish what is on; it is published again after every loss. */
    publishing: z.boolean(),
  }),
  startedAt: z.number().nullable(),
  /** How the last one ended: a reason of END_REASON or CONFR_END, and whether it was a failure. */
  lastExit: z
    .object({
      confrId: z.string(),
      name: z.string(),
      reason: z.number().int(),
      failed: z.boolean(),
      at: z.number(),
    })
    .nullable(),
});
export type ConferenceSlice = z.infer<typeof conferenceSliceSchema>;

/** Data for measuring the fan-out; sent at once like call changes. Nothing else reads it. */
export const probeSliceSchema = z.object({
  n: z.number().int(),
  at: z.number(),
  payload: z.string(),
});

export const sliceSchemas = {
  session: sessionSliceSchema,
  tabs: tabsSliceSchema,
  chat: chatSliceSchema,
  call: callSliceSchema,
  quality: qualitySliceSchema,
  imports: importsSliceSchema,
  conference: conferenceSliceSchema,
  worker: workerSliceSchema,
  probe: probeSliceSchema,
  reach: reachSliceSchema,
} as const;
export type SliceName = keyof typeof sliceSchemas;
export const SLICE_NAMES = Object.keys(sliceSchemas) as SliceName[];
export interface Slices {
  session: SessionSlice;
  tabs: z.infer<typeof tabsSliceSchema>;
  chat: ChatSlice;
  call: CallSlice;
  quality: QualitySlice;
  imports: z.infer<typeof importsSliceSchema>;
  conference: ConferenceSlice;
  worker: WorkerSlice;
  probe: z.infer<typeof probeSliceSchema>;
  reach: ReachSlice;
}

/** Path: slice name, then keys into plain objects or array indexes. */
export const opSchema = z.union([
  z.tuple([z.literal("set"), z.array(z.union([z.string(), z.number()])).min(1), z.unknown()]),
  z.tuple([z.literal("del"), z.array(z.union([z.string(), z.number()])).min(2)]),
]);
export type Op = ["set", (string | number)[], unknown] | ["del", (string | number)[]];

/** A text shown once to the person, in visible tabs only. `style` is the platform's even where it is odd (docs/calls.md#texts). */
export const noticeSchema = z.object({
  id: z.string(),
  style: z.enum(["info", "success", "warning", "error"]),
  /** Chinese text, to the letter where the platform fixes it. */
  text: z.string(),
  /** Key for other languages: an error code, or a key of the UI's texts. */
  key: z.string(),
  code: errorCodeSchema.optional(),
  /** Values to insert into the text of a key of shared/domain/notice-texts. */
  args: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** ms that it stays; 5000 by default. */
  duration: z.number().default(5000),
});
export type Notice = z.infer<typeof noticeSchema>;

export const coreToTabSchema = z.discriminatedUnion("t", [
  z.object({
    t: z.literal("snapshot"),
    epoch: z.string(),
    seq: z.number().int(),
    slices: z.record(z.string(), z.unknown()),
  }),
  z.object({
    t: z.literal("ops"),
    epoch: z.string(),
    seq: z.number().int(),
    ops: z.array(opSchema),
    /** The core's clock when it sent the ops, ms since the epoch; used to measure the fan-out latency. */
    at: z.number(),
  }),
  z.object({ t: z.literal("notice"), notice: noticeSchema }),
  /** A newer build is waiting: offer a reload, but never force one during a call. */
  z.object({ t: z.literal("retired"), build: z.string() }),
]);
export type CoreToTab = z.infer<typeof coreToTabSchema>;

export const tabToCoreSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("ack"), seq: z.number().int(), at: z.number() }),
  z.object({ t: z.literal("resync") }),
  z.object({
    t: z.literal("presence"),
    visible: z.boolean(),
    focusedAt: z.number(),
    path: z.string().max(500),
  }),
]);
export type TabToCore = z.infer<typeof tabToCoreSchema>;

/** With more unacknowledged ops than this, a tab gets a later snapshot instead of more ops. */
export const BACK_PRESSURE_OPS = 200;
