/** Configuration from the environment, checked at the start: a wrong value is refused with its name and what it must be. */
import { z } from "zod";
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";

const secret = z.string().min(32, "must be at least 32 characters");

const envSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default("0.0.0.0"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must start with redis://")
    .optional(),
  /** How the other server processes reach this one; with REDIS_URL, and when HOST and PORT do not tell it. */
  PROCESS_URL: z
    .string()
    .regex(/^http:\/\/[^/]+$/, "must look like http://10.0.0.5:8080")
    .optional(),
  TURN_URL: z
    .string()
    .regex(/^turns?:/, "must start with turn:")
    .optional(),
  TURN_SECRET: z.string().min(1).optional(),
  STUN_URL: z
    .string()
    .regex(/^stuns?:/, "must start with stun:")
    .optional(),
  /** The media node in this server's own process group; off: Janus alone. */
  MEDIA_EMBEDDED: z.enum(["on", "off"]).default("on"),
  /** Its one UDP port; 0: a free one. */
  MEDIA_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** Its address to bind; all when left out. */
  MEDIA_BIND: z
    .string()
    .refine((v) => isIP(v) !== 0, "must be an IP address")
    .optional(),
  /** Announced in place of the machine's own addresses (behind a NAT that passes MEDIA_PORT on). */
  MEDIA_PUBLIC_IP: z
    .string()
    .refine((v) => isIP(v) !== 0, "must be an IP address")
    .optional(),
  MEDIA_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(1000),
  /** Janus servers, by comma; each with string ids in its videoroom plugin. */
  JANUS_URL: z
    .string()
    .regex(/^wss?:\/\/[^,]+(,\s*wss?:\/\/[^,]+)*$/, "must start with ws://")
    .optional(),
  /** Their api_secret. */
  JANUS_SECRET: z.string().min(1).optional(),
  /** Signs tokens and tickets; when absent one is made and kept in DATA_DIR. */
  APP_SECRET: secret.optional(),
  EASEMOB_APP_KEY: z
    .string()
    .regex(/^[^#]+#[^#]+$/, "must look like org#app")
    .default("hyzh#console"),
  /** Given: the console uses the Easemob cloud, not the own gateway. */
  EASEMOB_URL: z.string().default(""),
  EASEMOB_API_URL: z.string().default(""),
  AGORA_APP_ID: z.string().optional(),
  RTC_PROVIDER: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("easemob"),
  /** Seconds. */
  ACCESS_TOKEN_TTL: z.coerce.number().int().min(1).max(86_400).default(1800),
  REFRESH_TOKEN_TTL: z.coerce
    .number()
    .int()
    .min(1)
    .max(90 * 86_400)
    .default(7 * 86_400),
  /** Seconds for which a refresh token that was just used is answered again, since its answer may have been lost. */
  REFRESH_GRACE: z.coerce.number().int().min(0).max(600).default(30),
  ADMIN_USERNAME: z.string().min(1).optional(),
  ADMIN_PASSWORD: z.string().min(8).optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export type ServerConfig = Omit<z.infer<typeof envSchema>, "APP_SECRET"> & {
  readonly APP_SECRET: string;
};

/**
 * @param env usually process.env; empty strings count as absent
 * @param keptSecret secret kept from an earlier start, used when APP_SECRET is not given
 * @throws Error whose message names every wrong variable
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  keptSecret?: string,
): ServerConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, v]) => v !== undefined && v !== ""),
  );
  const parsed = envSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((i) => `  ${i.path.join(".")}: ${i.message}`);
    throw new Error(`The configuration is not valid:\n${lines.join("\n")}`);
  }
  return {
    ...parsed.data,
    APP_SECRET: parsed.data.APP_SECRET ?? keptSecret ?? randomBytes(48).toString("base64url"),
  };
}
