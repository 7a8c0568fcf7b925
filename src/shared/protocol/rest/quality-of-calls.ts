/** Calls and conferences as operations see them: how good they were, and why not (docs/server.md#quality-of-calls). The calls are ours. */
import { z } from "../../zod.ts";
import { CALL_RESULTS } from "../../domain/call-results.ts";
import { callViewSchema } from "../call-view.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  scopeSchema,
  sortSchema,
} from "./call.ts";

const SEES = {
  company: "required",
  permissions: ["monitor:call:list", "platform:call:list"],
} as const;
/** Nothing touches it: each look at a call is in the operation log, so a page reads again when a person asks. */
const SHOWS = ["measuredCalls"] as const;
const iso = z.string();

export const CALL_KINDS = ["call", "group", "conference"] as const;
export const CALL_GRADES = ["good", "fair", "poor"] as const;

const rowSchema = z.object({
  /** Of the conference that carried it. */
  id: z.string(),
  kind: z.enum(CALL_KINDS),
  /** Of a conference; empty for calls. */
  title: z.string(),
  /** Names of the people: of a call of two both, else those who were inside, as far as it is known. */
  people: z.array(z.string()),
  /** ISO 8601 */
  startTime: iso,
  /** ms; null while it lasts, and when nobody answered. */
  duration: z.number().nullable(),
  /** How a call of two went; null for the others. */
  result: z.enum(CALL_RESULTS).nullable(),
  /** End reason of a conference (docs/conferences.md#ends); null while it lasts, and for a call of two. */
  reason: z.number().int().nullable(),
  /** Opinion score of the worst direction; null when nothing was measured. */
  mos: z.number().nullable(),
});
export type MeasuredCall = z.infer<typeof rowSchema>;

export const measuredCallsCall = defineCall({
  id: "measured.list",
  method: "GET",
  path: "/system/api/calls/list",
  summary:
    "A page of the calls and conferences of the last 30 days, the latest first; keyword searches people and the title. A call belongs to a company in which all of its people work. With scope=all those of every company, for operators of the platform",
  auth: "bearer",
  access: SEES,
  page: true,
  shows: SHOWS,
  query: pageQuerySchema.extend({
    scope: scopeSchema,
    kind: z.enum(CALL_KINDS).optional(),
    grade: z.enum(CALL_GRADES).optional(),
    sort: sortSchema("startTime", "duration", "mos"),
  }),
  data: pageSchema(rowSchema),
});

export const measuredReachCall = defineCall({
  id: "measured.reach",
  method: "GET",
  path: "/system/api/calls/reach",
  summary: "Whether the caller may list the calls of all companies",
  auth: "bearer",
  access: { company: "required", permissions: ["platform:call:list"] },
  page: true,
  shows: SHOWS,
  data: z.object({ all: z.boolean() }),
});

const LOOKS = {
  company: "required",
  permissions: ["monitor:call:view", "platform:call:view"],
} as const;
const byId = z.object({ id: z.string().min(1).max(128).refine(hasNoNul, NUL_MESSAGE) });

export const measuredCallCall = defineCall({
  id: "measured.call",
  method: "GET",
  path: "/system/api/calls/{id}/timeline",
  summary:
    "What was measured of one call or conference by the devices of the company's people. The look is written to the operation log",
  auth: "bearer",
  access: LOOKS,
  page: true,
  shows: SHOWS,
  audits: {
    call: ["通话", "Call", { people: ["参与人", "People"] }],
  },
  params: byId,
  data: rowSchema.extend({
    view: callViewSchema,
    /** Names of the chat user names in it. */
    names: z.record(z.string(), z.string()),
    /** Records were left out at the end, since there are too many. */
    cut: z.boolean(),
  }),
});

export const measuredFileCall = defineCall({
  id: "measured.file",
  method: "GET",
  path: "/system/api/calls/{id}/file",
  summary:
    "The same as a JSON file with the whole timeline, which the page of calls opens again. Written to the operation log as an export",
  auth: "bearer",
  access: LOOKS,
  file: true,
  download: true,
  params: byId,
});

export const measuredCallCalls = {
  measuredCalls: measuredCallsCall,
  measuredReach: measuredReachCall,
  measuredCall: measuredCallCall,
  measuredFile: measuredFileCall,
};
