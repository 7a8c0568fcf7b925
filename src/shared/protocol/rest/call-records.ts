/** Past calls of a person (docs/calls.md#records). Shapes are ours. */
import { z } from "../../zod.ts";
import { CALL_CAUSES } from "../../domain/call-causes.ts";
import { CALL_RESULTS } from "../../domain/call-results.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  sortSchema,
} from "./call.ts";
import { idListSchema } from "./dict.ts";
import { chatUserNameSchema, idSchema } from "./entities.ts";

const access = { company: "optional", guests: true } as const;
const text = (max: number) => z.string().max(max).refine(hasNoNul, NUL_MESSAGE);
/** ms since the epoch, by the server's clock as the core knows it. */
const time = z.number().int().min(0).max(8_640_000_000_000);

export const callResultSchema = z.enum(CALL_RESULTS);
const recordSchema = z.object({
  /** The id that the caller's core gave the call. */
  callId: text(64).min(1),
  /** Conference or channel; "" when the call ended before it had one. */
  channel: text(128),
  type: z.literal([1, 2]),
  media: z.enum(["voice", "video"]),
  direction: z.enum(["in", "out"]),
  /** Chat user name of the other side; for a group call, of the person who started it. */
  peer: chatUserNameSchema,
  result: callResultSchema,
  startedAt: time,
  /** null for a call that was not answered. */
  answeredAt: time.nullable(),
  endedAt: time,
});
export type CallReport = z.infer<typeof recordSchema>;

export const callReportCall = defineCall({
  id: "calls.report",
  method: "POST",
  path: "/dc-im/api/callRecords",
  summary:
    "Record a call that has ended, for the caller of this request. The same call may be reported by several devices and several times",
  auth: "bearer",
  access,
  touches: ["calls"],
  body: recordSchema.refine(
    ({ startedAt, endedAt, answeredAt }) =>
      startedAt <= endedAt &&
      (answeredAt === null || (startedAt <= answeredAt && answeredAt <= endedAt)),
    { path: ["endedAt"], message: "时间先后有误" },
  ),
});

/** Somebody who was inside a group call, or was only invited. */
const callPersonSchema = z.object({
  userName: z.string(),
  name: z.string(),
  /** First entering and last leaving, ms since the epoch; null for those who never entered. */
  enteredAt: z.number().nullable(),
  leftAt: z.number().nullable(),
  /** ms inside, over all visits. */
  inside: z.number(),
});
export type CallPerson = z.infer<typeof callPersonSchema>;

export const callRecordsCall = defineCall({
  id: "calls.records",
  method: "GET",
  path: "/dc-im/api/callRecords",
  summary: "A page of the caller's own past calls, newest first",
  auth: "bearer",
  access,
  page: true,
  shows: ["calls"],
  query: pageQuerySchema.extend({
    direction: z.enum(["in", "out"]).optional(),
    result: callResultSchema.optional(),
    media: z.enum(["voice", "video"]).optional(),
    /** 1: calls of two. 2: group calls. */
    type: z
      .enum(["1", "2"])
      .transform((type): 1 | 2 => (type === "1" ? 1 : 2))
      .optional(),
    /** Chat user name of the other side of a call of two. */
    peer: chatUserNameSchema.optional(),
    /** Calls that began after this moment, ms since the epoch. */
    since: z.coerce.number().int().min(0).max(8_640_000_000_000).optional(),
    sort: sortSchema("name", "result", "startedAt", "duration"),
  }),
  data: pageSchema(
    recordSchema.omit({ callId: true }).extend({
      id: idSchema,
      /** The other side's name when the call ended; of a group call the group, or the names of the others. */
      name: z.string(),
      /** The chat group that called; null for a call of two or of chosen people. */
      groupId: z.string().nullable(),
      /** Those who were inside a group call in the order of entering, then those who were only invited. None for a call of two. */
      people: z.array(callPersonSchema),
      /**
       * Means over the call, null when nothing was measured. `rtt` in ms, `loss` in percent; `mos` is the opinion score of the worse
       * direction (docs/calls.md#opinion-scores).
       */
      quality: z
        .object({ rtt: z.number().nullable(), loss: z.number(), mos: z.number() })
        .nullable(),
    }),
  ),
});

export const callRecordDeleteCall = defineCall({
  id: "calls.deleteRecords",
  method: "DELETE",
  path: "/dc-im/api/callRecords/{id}",
  summary: "Remove past calls from the caller's own list; several ids are separated by commas",
  auth: "bearer",
  access,
  page: true,
  touches: ["calls"],
  personal: true,
  params: idListSchema,
});

const scoreSchema = z.number().min(1).max(5).nullable();
export const callQualitySchema = z.object({
  /** By who sends, as this person's devices measured it; empty when nothing was. */
  scores: z.array(
    z.object({
      from: z.string(),
      name: z.string(),
      sound: scoreSchema,
      picture: scoreSchema,
      mos: scoreSchema,
    }),
  ),
  /** Why the call was bad, in the order in which it began (docs/calls.md#causes). */
  causes: z.array(
    z.object({
      cause: z.enum(CALL_CAUSES),
      /** Name of the one whose sending or machine it is; null: both. */
      name: z.string().nullable(),
      /** ms since the epoch; the end is null when it lasted to the end of the call. */
      begin: z.number(),
      end: z.number().nullable(),
    }),
  ),
});
export type CallQuality = z.infer<typeof callQualitySchema>;

export const callQualityCall = defineCall({
  id: "calls.quality",
  method: "GET",
  path: "/dc-im/api/callRecords/{id}/quality",
  summary:
    "How good one of the caller's own past calls was in each direction, and why it was bad, while its quality records are kept",
  auth: "bearer",
  access,
  page: true,
  shows: ["calls"],
  params: z.object({ id: idSchema }),
  data: callQualitySchema,
});

export const callRecordCalls = {
  callQuality: callQualityCall,
  callReport: callReportCall,
  callRecords: callRecordsCall,
  callRecordDelete: callRecordDeleteCall,
};
