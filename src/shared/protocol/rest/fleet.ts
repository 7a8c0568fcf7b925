/** The fleet: the cores of all people, now and in figures of the past (docs/server.md#reports-of-cores). The calls are ours. */
import { z } from "../../zod.ts";
import { FLEET_HAVING, REPORTED_SOCKETS } from "../../domain/fleet-names.ts";
import { coreReportSchema } from "../fleet.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  scopeSchema,
  sortSchema,
} from "./call.ts";
import { idSchema } from "./entities.ts";

const SEES = {
  company: "required",
  permissions: ["monitor:fleet:list", "platform:fleet:list"],
} as const;
/** Nothing touches it: cores report all the time, and pages ask again while they are looked at. */
const SHOWS = ["fleet"] as const;
const word = z.string().trim().max(100).refine(hasNoNul, NUL_MESSAGE).optional();
const count = z.number().int().nonnegative();
const iso = z.string();

/** With scope=all: of this company alone. */
const ofCompany = z
  .string()
  .regex(/^[1-9]\d{0,17}$/, "企业编号不正确")
  .optional();

export const fleetTicketCall = defineCall({
  id: "fleet.ticket",
  method: "GET",
  path: "/system/api/fleet/ticket",
  summary:
    "The address of the socket on which the caller's core reports its statistics; null when this login is not to report",
  auth: "bearer",
  access: { company: "none", guests: true },
  data: z.object({
    url: z.string().nullable(),
    /** ms between two reports */
    every: z.number().int().positive(),
  }),
});

const coreSchema = z.object({
  /** Of this run of the core. */
  id: z.string(),
  accountId: idSchema,
  /** Empty for an account that is gone. */
  name: z.string(),
  companyId: idSchema,
  companyName: z.string(),
  build: z.string(),
  browser: z.string(),
  os: z.string(),
  /** ISO 8601: when the core began, by the clock of its machine */
  startTime: iso,
  /** ISO 8601: its last report */
  reportTime: iso,
  tabs: count,
  visible: count,
  /** Chat messages that wait to be sent. */
  outbox: count,
  /** ms of 99 of 100 commands of the last report; null: there were none. */
  p99: z.number().nullable(),
  /** Errors, and lost sockets, since the core reports to this server. */
  errors: count,
  lost: count,
  restarted: z.boolean(),
});
export type FleetCore = z.infer<typeof coreSchema>;

export const fleetListCall = defineCall({
  id: "fleet.list",
  method: "GET",
  path: "/system/api/fleet/list",
  summary:
    "A page of the cores that report now, the latest started first; keyword searches the person's name. With scope=all those of every company, for operators of the platform",
  auth: "bearer",
  access: SEES,
  page: true,
  shows: SHOWS,
  query: pageQuerySchema.extend({
    scope: scopeSchema,
    company: ofCompany,
    build: word,
    browser: word,
    /** Code of an error that they had, or name of a socket that they lost. */
    error: word,
    socket: z.enum(REPORTED_SOCKETS).optional(),
    having: z.enum(FLEET_HAVING).optional(),
    sort: sortSchema("name", "build", "browser", "tabs", "p99", "errors", "lost", "startTime"),
  }),
  data: pageSchema(coreSchema),
});

const shares = z.array(z.object({ name: z.string(), cores: count }));
export const fleetFiguresCall = defineCall({
  id: "fleet.figures",
  method: "GET",
  path: "/system/api/fleet/figures",
  summary: "How many cores, people and tabs there are now, by build, by browser and by company",
  auth: "bearer",
  access: SEES,
  page: true,
  shows: SHOWS,
  query: z.object({ scope: scopeSchema }),
  data: z.object({
    /** Whether the caller may ask for all companies. */
    all: z.boolean(),
    cores: count,
    people: count,
    tabs: count,
    visible: count,
    outbox: count,
    builds: shares,
    browsers: shares,
    companies: z.array(z.object({ id: idSchema, name: z.string(), cores: count })),
  }),
});

export const fleetCoreCall = defineCall({
  id: "fleet.core",
  method: "GET",
  path: "/system/api/fleet/core/{id}",
  summary:
    "The last report of one core of the company, or of any for operators of the platform. The look is written to the operation log; reads of one login within a minute are one look",
  auth: "bearer",
  page: true,
  shows: SHOWS,
  access: { company: "required", permissions: ["monitor:fleet:view", "platform:fleet:view"] },
  audits: {
    core: ["浏览器核心", "Core of a browser", { core: ["核心编号", "Id of the core"] }],
  },
  params: z.object({ id: z.string().min(1).max(64).refine(hasNoNul, NUL_MESSAGE) }),
  data: coreSchema.extend({
    /** Null when the process that has it did not answer. */
    report: coreReportSchema.nullable(),
    /** Its reports of the last 5 minutes, the latest first: the unusual ones, and all since somebody looks at it. */
    recent: z.array(z.object({ time: iso, report: coreReportSchema })),
  }),
});

const time = z.iso.datetime("时间格式不正确").refine((text) => text >= "2000", "时间格式不正确");
/** Whose figures, and of which time. */
const asked = {
  scope: scopeSchema,
  company: ofCompany,
  from: time,
  to: time,
};
const METRIC = String.raw`[a-zA-Z][\w.@+-]*`;
export const fleetSeriesCall = defineCall({
  id: "fleet.series",
  method: "GET",
  path: "/system/api/fleet/series",
  summary:
    "A figure over a time of at most 400 days, by 10 s, by minute or by hour, as the time and what is kept allow",
  auth: "bearer",
  access: SEES,
  page: true,
  shows: SHOWS,
  query: z.object({
    ...asked,
    /** Like `cores`, `command.chat.send`, `socket.chat.lost.network`, `errors.core.deadline` (docs/server.md#reports-of-cores). */
    metric: z
      .string()
      .max(120)
      .regex(new RegExp(`^${METRIC}$`), "指标名称不正确"),
  }),
  data: z.object({
    /** counter: how often in each step. level: how many at a time. latency: ms. */
    kind: z.enum(["counter", "level", "latency"]),
    /** s of a step */
    seconds: z.number().int(),
    points: z.array(
      z.object({
        /** ISO 8601: begin of the step */
        time: iso,
        /** Of a counter and of durations: how many. Of a level: the mean. */
        value: z.number(),
        /** Of a level: the most. */
        most: z.number().optional(),
        /** ms */
        p50: z.number().optional(),
        p99: z.number().optional(),
      }),
    ),
    /** Of all the time together, which is not the mean of its steps. */
    total: z.object({
      value: z.number(),
      p50: z.number().nullable(),
      p99: z.number().nullable(),
    }),
  }),
});

/** What has parts: lost and opened connections by socket, errors by code, commands by name, answers of the server by route. */
export const FLEET_PARTS = ["lost", "opened", "errors", "commands", "routes"] as const;
export const fleetPartsCall = defineCall({
  id: "fleet.parts",
  method: "GET",
  path: "/system/api/fleet/parts",
  summary:
    "A figure over a time of at most 400 days by its parts, the largest first; of commands the slowest. Points of the first seven, by the steps of fleet.series",
  auth: "bearer",
  access: SEES,
  page: true,
  shows: SHOWS,
  query: z.object({ ...asked, of: z.enum(FLEET_PARTS) }),
  data: z.object({
    kind: z.enum(["counter", "latency"]),
    /** s of a step */
    seconds: z.number().int(),
    parts: z.array(
      z.object({
        name: z.string(),
        value: z.number(),
        /** ms, of durations */
        p50: z.number().nullable(),
        p99: z.number().nullable(),
        /** Of losses: how often for which reason. Of errors: in which build. */
        details: z.array(z.object({ name: z.string(), value: z.number() })),
        points: z.array(
          z.object({
            time: iso,
            value: z.number(),
            p50: z.number().optional(),
            p99: z.number().optional(),
          }),
        ),
      }),
    ),
  }),
});

/** One number for each step; null: there was nothing to measure. */
const column = z.array(z.number().nullable());
const totals = {
  value: z.number(),
  /** ms, of durations */
  p50: z.number().nullable(),
  p99: z.number().nullable(),
};
/** Most metrics of one answer. */
const METRICS_MAX = 20;
const listOf = (one: string, message: string) =>
  z
    .string()
    .max(2000)
    .regex(new RegExp(`^(|${one}(,${one}){0,${METRICS_MAX - 1}})$`), message);
export const fleetChartsCall = defineCall({
  id: "fleet.charts",
  method: "GET",
  path: "/system/api/fleet/charts",
  summary:
    "All figures of a page over a time of at most 400 days in one answer, as columns with one number for each step: metrics as those of fleet.series, parts as those of fleet.parts. Durations by part have no columns",
  auth: "bearer",
  access: SEES,
  page: true,
  shows: SHOWS,
  query: z.object({
    ...asked,
    /** Separated by commas, at most 20. */
    metrics: listOf(METRIC, "指标名称不正确").default(""),
    parts: listOf(`(${FLEET_PARTS.join("|")})`, "数据类别不正确").default(""),
  }),
  data: z.object({
    /** s of a step */
    seconds: z.number().int(),
    /** Begin of the first step, ms since the epoch. */
    first: z.number().int(),
    steps: count,
    /** In the order of the request. */
    series: z.array(
      z.object({
        metric: z.string(),
        kind: z.enum(["counter", "level", "latency"]),
        /** Of a counter and of durations: how many. Of a level: the mean. */
        value: column,
        /** ms, of durations */
        p50: column.optional(),
        p99: column.optional(),
        total: z.object(totals),
      }),
    ),
    parts: z.array(
      z.object({
        of: z.enum(FLEET_PARTS),
        kind: z.enum(["counter", "latency"]),
        parts: z.array(
          z.object({
            name: z.string(),
            ...totals,
            details: z.array(z.object({ name: z.string(), value: z.number() })),
            /** Of the first seven, and of counters alone; else empty. */
            column,
          }),
        ),
      }),
    ),
  }),
});

export const fleetCalls = {
  fleetTicket: fleetTicketCall,
  fleetList: fleetListCall,
  fleetFigures: fleetFiguresCall,
  fleetCore: fleetCoreCall,
  fleetSeries: fleetSeriesCall,
  fleetParts: fleetPartsCall,
  fleetCharts: fleetChartsCall,
};
