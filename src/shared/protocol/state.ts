/**
 * State that the core mirrors into every tab: slices of plain data, changed by versioned ops (see ARCHITECTURE.md, "State").
 * A tab drops a seq that it already has, and asks for a resync on a gap or a new epoch. No secrets: tokens stay in the core.
 * Each slice is declared in slices/; the ops and messages that carry them are here.
 */
import { z } from "../zod.ts";
import { alertsSliceSchema, type AlertsSlice } from "./alert-message.ts";
import { languageSchema } from "./language.ts";
import { newsSliceSchema, type NewsSlice } from "./news.ts";
import { reachSliceSchema, type ReachSlice } from "./reach.ts";
import { callSliceSchema, type CallSlice } from "./slices/call.ts";
import { chatSliceSchema, type ChatSlice } from "./slices/chat.ts";
import { conferenceSliceSchema, type ConferenceSlice } from "./slices/conference.ts";
import { downloadsSliceSchema } from "./slices/downloads.ts";
import { groupCallSliceSchema, type GroupCallSlice } from "./slices/group-call.ts";
import { importsSliceSchema } from "./slices/imports.ts";
import { qualitySliceSchema, type QualitySlice } from "./slices/quality.ts";
import { sessionSliceSchema, type SessionSlice } from "./slices/session.ts";
import { tabsSliceSchema } from "./slices/tabs.ts";
import { uploadsSliceSchema } from "./slices/uploads.ts";
import { probeSliceSchema, workerSliceSchema, type WorkerSlice } from "./slices/worker.ts";
import type { SliceName } from "./slice-names.ts";
import { errorCodeSchema } from "./wire-error.ts";

export * from "./slice-names.ts";
export * from "./slices/call.ts";
export * from "./slices/chat.ts";
export * from "./slices/conference.ts";
export * from "./slices/connection.ts";
export * from "./slices/downloads.ts";
export * from "./slices/group.ts";
export * from "./slices/group-call.ts";
export * from "./slices/imports.ts";
export * from "./slices/message.ts";
export * from "./slices/quality.ts";
export * from "./slices/session.ts";
export * from "./slices/tabs.ts";
export * from "./slices/uploads.ts";
export * from "./slices/worker.ts";

export const sliceSchemas = {
  session: sessionSliceSchema,
  tabs: tabsSliceSchema,
  chat: chatSliceSchema,
  call: callSliceSchema,
  groupCall: groupCallSliceSchema,
  quality: qualitySliceSchema,
  imports: importsSliceSchema,
  uploads: uploadsSliceSchema,
  downloads: downloadsSliceSchema,
  conference: conferenceSliceSchema,
  worker: workerSliceSchema,
  probe: probeSliceSchema,
  reach: reachSliceSchema,
  news: newsSliceSchema,
  alerts: alertsSliceSchema,
} as const satisfies Readonly<Record<SliceName, z.ZodType>>;
export interface Slices {
  session: SessionSlice;
  tabs: z.infer<typeof tabsSliceSchema>;
  chat: ChatSlice;
  call: CallSlice;
  groupCall: GroupCallSlice;
  quality: QualitySlice;
  imports: z.infer<typeof importsSliceSchema>;
  uploads: z.infer<typeof uploadsSliceSchema>;
  downloads: z.infer<typeof downloadsSliceSchema>;
  conference: ConferenceSlice;
  worker: WorkerSlice;
  probe: z.infer<typeof probeSliceSchema>;
  reach: ReachSlice;
  news: NewsSlice;
  alerts: AlertsSlice;
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
  /** Notices of one topic replace each other, so that the steps of a call are one message. */
  topic: z.enum(["call"]).optional(),
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
  /** A newer build is waiting: offer a reload, but never force one during a call. null: its deployment was taken back. */
  z.object({ t: z.literal("retired"), build: z.string().nullable() }),
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
    language: languageSchema.optional(),
  }),
]);
export type TabToCore = z.infer<typeof tabToCoreSchema>;

/** With more unacknowledged ops than this, a tab gets a later snapshot instead of more ops. */
export const BACK_PRESSURE_OPS = 200;
