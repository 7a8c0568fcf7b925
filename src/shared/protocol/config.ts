/** GET /console-config.json: the addresses and ids that connect the console to a platform. It holds no secret except the public client credentials. */
import { z } from "../zod.ts";
import { SYSTEM_NAMES } from "./system-names.ts";

export * from "./system-names.ts";

export const CONFIG_PATH = "/console-config.json";

export const systemNameSchema = z.enum(SYSTEM_NAMES);

export const consoleConfigSchema = z.object({
  /** Prefix of every REST call; "" is the page's own origin. */
  gatewayBaseUrl: z.string(),
  /** Basic-auth credentials by system name. */
  clients: z.record(systemNameSchema, z.object({ id: z.string(), secret: z.string() })),
  /** Who writes the cookie ACCESS_TOKEN (docs/session.md#cookies): the platform with its answers, or the console where the platform does not. */
  tokenCookie: z.enum(["platform", "console"]).default("console"),
  /** Whether files of the company come in parts (docs/server.md#uploads-in-parts). Our server does this; other platforms get a file in one piece. */
  uploadsInParts: z.boolean().default(false),
  easemob: z.object({
    appKey: z.string().regex(/^[^#]+#[^#]+$/),
    /** "" with isHttpDNS false: the page's own origin. */
    url: z.string(),
    apiUrl: z.string(),
    isHttpDNS: z.boolean(),
    /** Whether files come in parts (docs/chat.md#resumable-uploads). Our server does this; the provider's cloud does not. */
    resumableUploads: z.boolean().default(false),
  }),
  /** Segment of the conference REST paths. */
  rtcProvider: z.string().min(1),
  /** Region in which a provider opens conferences; our server has one region and ignores it. */
  rtcRegion: z.string().optional(),
  engine: z.enum(["native", "agora"]),
  /** What carries the signalling of calls of two by the native engine: a websocket, or the chat connection (docs/calls.md#signalling-over-chat). */
  callSignalling: z.enum(["websocket", "chat"]).default("websocket"),
  agora: z.object({ appId: z.string() }).nullable(),
  /** Whether the core reports its statistics (docs/server.md#reports-of-cores). Our server can receive them. */
  reports: z.boolean().default(false),
  /** Levels by area of what the core writes to its log (core-log.ts). A newer server may know more of both. */
  coreLog: z.record(z.string(), z.string()).optional(),
});
export type ConsoleConfig = z.infer<typeof consoleConfigSchema>;
