/**
 * What each core reports of itself every 15 s (docs/server.md#reports-of-cores): what happened since its last report, and how things
 * stand now. No content and no names: a report says whose core it is by the ticket of its socket alone.
 *
 * The first frame of a socket is the hello, as JSON text. Every later one is a report, as JSON in deflate-raw bytes.
 */
import { z } from "../zod.ts";
import { isSparseHistogram, LATENCY_BUCKETS } from "../domain/latency-histogram.ts";
import { REPORTED_SOCKETS, UNCAUGHT } from "../domain/fleet-names.ts";
import { SOCKET_LOSSES } from "../domain/socket-losses.ts";
import { type Commands, commands } from "./core-rpc.ts";
import { connectionStateSchema } from "./slices/connection.ts";
import { errorCodeSchema } from "./wire-error.ts";

export const FLEET_PATH = "/fleet";
/** ms between two reports of a core. */
export const REPORT_MS = 15_000;

export type CommandName = {
  [N in keyof Commands]: `${N}.${keyof Commands[N] & string}`;
}[keyof Commands];
/** `chat.send`: every command that a tab can give. The server refuses any other name. */
export const COMMAND_NAMES = Object.entries(commands).flatMap(([namespace, table]) =>
  Object.keys(table).map((name) => `${namespace}.${name}`),
) as [CommandName, ...CommandName[]];
const commandNameSchema = z.enum(COMMAND_NAMES);

const count = z.number().int().min(0).max(1_000_000_000);
const some = count.default(0);
export const sparseHistogramSchema = z
  .array(count)
  .max(2 * LATENCY_BUCKETS)
  .refine(isSparseHistogram, "not a histogram");

const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/, "only printable ASCII");

const reportedErrorSchema = z.union([errorCodeSchema, z.literal(UNCAUGHT)]);
export type ReportedError = z.infer<typeof reportedErrorSchema>;

export const fleetHelloSchema = z.object({
  /** Id of this run of the core. */
  core: z.string().min(1).max(64),
  build: plainText(64).min(1),
  /** Like "Google Chrome 140". */
  browser: plainText(100),
  /** Like "Windows 15.0.0". */
  os: plainText(100),
  /** ms since the epoch, by the clock of the core's machine */
  startedAt: z.number().int().nonnegative(),
});
export type FleetHello = z.infer<typeof fleetHelloSchema>;

/** A part that is left out is zero. Counts are since the last report; states and queues are of now. */
export const coreReportSchema = z.object({
  /** Rises with each report of the core, so that one that is sent twice counts once. */
  n: z.number().int().min(1).max(1_000_000_000),
  /** The company in which it happened. */
  company: z.string().regex(/^\d{1,19}$/),
  /** ms for which the counts stand. */
  ms: count,
  tabs: z.object({ open: some, visible: some }).prefault({}),
  /** Message ports between the core and its tabs, those of watched reads included. */
  ports: some,
  queues: z
    .object({
      /** Ops that a tab has not acknowledged: the most of any tab. */
      unacked: some,
      /** Chat messages that wait to be sent. */
      outbox: some,
      uploads: some,
      downloads: some,
      /** Imports that are under way. */
      imports: some,
      /** Quality records that wait to be sent. */
      quality: some,
    })
    .prefault({}),
  /** By name of the command: how long they took (`ms`), and how many of them failed. */
  commands: z
    .partialRecord(commandNameSchema, z.object({ ms: sparseHistogramSchema, failed: some }))
    .default({}),
  /** How long changes took to every tab and back. */
  fanOut: sparseHistogramSchema.default([]),
  /** Changes that were sent to tabs. */
  ops: some,
  sockets: z
    .partialRecord(
      z.enum(REPORTED_SOCKETS),
      z.object({
        state: connectionStateSchema,
        /** Attempts in vain since the last connection, now. */
        attempts: some,
        opened: some,
        /** Messages. */
        sent: some,
        received: some,
        lost: z.partialRecord(z.enum(SOCKET_LOSSES), count).default({}),
      }),
    )
    .default({}),
  /** This core followed one that died while tabs were open: 1, in its first report. */
  restarts: some,
  /** Renewed logins. */
  refreshes: some,
  /** Calls and conferences that another tab took over. */
  takeovers: some,
  /** Rows of imports that the server has acknowledged. */
  imported: some,
  /** By code of the error catalogue. The build is the hello's. */
  errors: z.partialRecord(reportedErrorSchema, count).default({}),
  /** What tabs measured of themselves, where the browser says it. */
  pages: z
    .object({
      /** Tabs that say their memory, their MiB together, and the MiB of the largest. */
      measured: some,
      memory: some,
      largest: some,
      /** Work that blocked a tab for more than 50 ms. */
      longTasks: sparseHistogramSchema.default([]),
    })
    .prefault({}),
});
export type CoreReport = z.infer<typeof coreReportSchema>;
export type CoreReportInput = z.input<typeof coreReportSchema>;

/** The server's answer to the hello (n 0) and to each report. */
export const fleetAckSchema = z.object({
  n: z.number().int(),
  result: z.number().int(),
  msg: z.string().optional(),
});
export const FLEET_RESULT = {
  ok: 0,
  /** It cannot be read: it is not sent again. */
  badFrame: -400,
  /** The company is not, or no longer, one of the person: it is not sent again. */
  refused: -405,
  /** Send it again later. */
  busy: -429,
} as const;

export const fleetQuerySchema = z.object({ ticket: z.string().min(1).max(4096) });

export const FLEET_LIMITS = {
  frameBytes: 8 * 1024,
  /** Bytes of a report that is unpacked. */
  reportBytes: 64 * 1024,
  framesPerSecond: 1,
  burst: 10,
  badFrames: 5,
  pingMs: 45_000,
} as const;
