/** GET /console-config.json: the addresses and ids that connect the console to a platform. It holds no secret except the public client credentials. */
import { z } from "../zod.ts";

export const CONFIG_PATH = "/console-config.json";

/** Header `systemName` (docs/session.md#systems). */
export const SYSTEM_HEADER_VALUE = "sec-web-company-admin";
export const SYSTEM_NAMES = [
  "sec-web-company-admin",
  "sec-web-property-admin",
  "sec-web-oa",
  "sec-web-admin",
] as const;
export const systemNameSchema = z.enum(SYSTEM_NAMES);
export type SystemName = z.infer<typeof systemNameSchema>;

export const consoleConfigSchema = z.object({
  /** Prefix of every REST call; "" is the page's own origin. */
  gatewayBaseUrl: z.string(),
  /** Basic-auth credentials by system name. */
  clients: z.record(systemNameSchema, z.object({ id: z.string(), secret: z.string() })),
  /** Who writes the cookie ACCESS_TOKEN (docs/session.md#cookies): the platform with its answers, or the console where the platform does not. */
  tokenCookie: z.enum(["platform", "console"]).default("console"),
  easemob: z.object({
    appKey: z.string().regex(/^[^#]+#[^#]+$/),
    /** "" with isHttpDNS false: the page's own origin. */
    url: z.string(),
    apiUrl: z.string(),
    isHttpDNS: z.boolean(),
  }),
  /** Segment of the conference REST paths. */
  rtcProvider: z.string().min(1),
  engine: z.enum(["native", "agora"]),
  agora: z.object({ appId: z.string() }).nullable(),
});
export type ConsoleConfig = z.infer<typeof consoleConfigSchema>;
