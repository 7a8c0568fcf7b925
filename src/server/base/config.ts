/**
 * Configuration from environment variables, validated at startup. An invalid value is refused with the variable's name and the
 * rule it broke.
 */
import { z } from "zod";
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { fleetSettings } from "./config-fleet.ts";
import { sendingSettings } from "./config-sending.ts";
import { parseBasePath } from "./http/base-path.ts";
import { parseProxies } from "./http/client.ts";
import { CONNECTION_LIMITS } from "./http/connections.ts";
import {
  DEFAULT_INVITE_TEMPLATE,
  DEFAULT_TEMPLATE,
  INVITE_TEMPLATE_RULE,
  isInviteTemplate,
  isTemplate,
  LONGEST_TEMPLATE,
} from "../../shared/domain/sms-text.ts";
import { CORE_LOG_AREAS, CORE_LOG_LEVELS } from "../../shared/protocol/core-log.ts";
import { LOG_AREAS, LOG_LEVELS, parseAreaLevels } from "./log-levels.ts";
import { parseOpsAddress } from "./http/ops-address.ts";
import { parseOrigins } from "./http/origins.ts";

const secret = z.string().min(32, "must be at least 32 characters");

const areaLevels = <A extends string, L extends string>(
  areas: readonly A[],
  levels: readonly L[],
) =>
  z.string().transform((text, c) => {
    const parsed = parseAreaLevels(text, areas, levels);
    if (parsed !== null) return parsed;
    c.addIssue(`must look like chat=warn,http=error; the areas are ${areas.join(", ")}`);
    return z.NEVER;
  });

/** Variables of which all are needed or none. */
const TOGETHER = [
  {
    what: "the cloud",
    names: ["EASEMOB_URL", "EASEMOB_API_URL", "EASEMOB_CLIENT_ID", "EASEMOB_CLIENT_SECRET"],
  },
  {
    what: "Aliyun's short message service",
    names: [
      "SMS_ALIYUN_KEY_ID",
      "SMS_ALIYUN_KEY_SECRET",
      "SMS_ALIYUN_SIGN_NAME",
      "SMS_ALIYUN_TEMPLATE_CODE",
    ],
  },
  { what: "mail", names: ["SMTP_URL", "MAIL_FROM"] },
] as const;

/** @param rule what the address must be, in words */
const address = (pattern: RegExp, rule: string) =>
  z.string().regex(pattern, rule).refine(URL.canParse, rule);

const envSchema = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    HOST: z.string().default("0.0.0.0"),
    /** Path of its host below which the console lies; "" or like "/console". */
    BASE_PATH: z
      .string()
      .default("")
      .transform((text, c) => {
        const parsed = parseBasePath(text);
        if (parsed !== null) return parsed;
        c.addIssue("must look like /console: letters, digits, and - _ . ~ between slashes");
        return z.NEVER;
      }),
    /**
     * Proxies whose X-Forwarded headers are trusted: addresses and networks separated by commas, or the number
     * of proxies that every request passes.
     */
    TRUSTED_PROXIES: z
      .string()
      .default("0")
      .transform((text, c) => {
        const parsed = parseProxies(text);
        if (parsed !== null) return parsed;
        c.addIssue("must be addresses and networks by comma (10.0.0.0/8,::1), or a number of hops");
        return z.NEVER;
      }),
    /** Origins of other hosts whose pages may use this server. Empty: pages of its own origin alone. */
    ALLOWED_ORIGINS: z
      .string()
      .default("")
      .transform((text, c) => {
        const parsed = parseOrigins(text);
        if (parsed !== null) return parsed;
        c.addIssue(
          "must be origins by comma (https://app.example.org,https://localhost:8443), never *",
        );
        return z.NEVER;
      }),
    /** Open connections in total (WebSockets included), and per address as long as their account is unknown. */
    MAX_CONNECTIONS: z.coerce.number().int().min(10).default(CONNECTION_LIMITS.total),
    MAX_CONNECTIONS_PER_ADDRESS: z.coerce
      .number()
      .int()
      .min(1)
      .default(CONNECTION_LIMITS.perAddress),
    DATA_DIR: z.string().min(1).default("./data"),
    /** Megabytes that the files of one company may take in total, and that one account may upload per hour. */
    UPLOAD_COMPANY_MB: z.coerce.number().int().min(1).default(10_240),
    UPLOAD_HOURLY_MB: z.coerce.number().int().min(1).default(512),
    /** Megabytes of one file that comes in parts. */
    UPLOAD_FILE_MB: z.coerce.number().int().min(1).max(4095).default(500),
    /** Megabytes that the files of one person in chat may take. */
    UPLOAD_CHAT_MB: z.coerce.number().int().min(1).default(2048),
    /** Serves /metrics and the OpenAPI contract only on this address: a port on localhost, or address and port. */
    OPS_LISTEN: z
      .string()
      .transform((text, c) => {
        const parsed = parseOpsAddress(text);
        if (parsed !== null) return parsed;
        c.addIssue("must look like 9090 or 10.0.0.5:9090");
        return z.NEVER;
      })
      .optional(),
    /** Bearer token, or basic-auth password, that requests for /metrics and the contract must carry. */
    OPS_TOKEN: z.string().min(16, "must be at least 16 characters").optional(),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must start with postgres://")
      .optional(),
    /** Statement timeout on PostgreSQL, in seconds. */
    STATEMENT_TIMEOUT: z.coerce.number().int().min(1).max(3600).default(60),
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\//, "must start with redis://")
      .optional(),
    /** URL by which the other processes reach this one. Needed only with REDIS_URL, when HOST and PORT do not give it. */
    PROCESS_URL: z
      .string()
      .regex(/^http:\/\/[^/]+$/, "must look like http://10.0.0.5:8080")
      .optional(),
    TURN_URL: z
      .string()
      .regex(/^turns?:[^,]+(,\s*turns?:[^,]+)*$/, "must start with turn:")
      .optional(),
    TURN_SECRET: z.string().min(1).optional(),
    STUN_URL: z
      .string()
      .regex(/^stuns?:/, "must start with stun:")
      .optional(),
    /** Whether this server runs the embedded media node. When off, only Janus is used. */
    MEDIA_EMBEDDED: z.enum(["on", "off"]).default("on"),
    /** UDP ports of the embedded media node, its own and the one for TURN over TCP or TLS. 0 picks a free port. */
    MEDIA_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    MEDIA_TURN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    /** Address to which the media node binds. Default: all addresses. */
    MEDIA_BIND: z
      .string()
      .refine((v) => isIP(v) !== 0, "must be an IP address")
      .optional(),
    /** Announced instead of the machine's own addresses (behind a NAT that forwards MEDIA_PORT and MEDIA_TURN_PORT). */
    MEDIA_PUBLIC_IP: z
      .string()
      .refine((v) => isIP(v) !== 0, "must be an IP address")
      .optional(),
    MEDIA_MAX_CONNECTIONS: z.coerce.number().int().min(1).default(1000),
    /** Janus servers, separated by commas. Each must use string ids in its videoroom plugin. */
    JANUS_URL: z
      .string()
      .regex(/^wss?:\/\/[^,]+(,\s*wss?:\/\/[^,]+)*$/, "must start with ws://")
      .optional(),
    /** The api_secret of the Janus servers. */
    JANUS_SECRET: z.string().min(1).optional(),
    /** Signs tokens and tickets. When absent, a secret is generated and kept in DATA_DIR. */
    APP_SECRET: secret.optional(),
    EASEMOB_APP_KEY: z
      .string()
      .regex(/^[^#]+#[^#]+$/, "must look like org#app")
      .default("hyzh#console"),
    /** When set, the console uses the Easemob cloud instead of the server's own gateway. */
    EASEMOB_URL: z
      .string()
      .regex(/^((wss?:)?\/\/[^/]+(\/.*)?)?$/, "must start with wss://, ws:// or //")
      .default(""),
    /** Without a path: the provider's SDK would repeat it. */
    EASEMOB_API_URL: z
      .string()
      .regex(/^(https?:\/\/[^/]+)?$/, "must be https:// and a host, without a path")
      .default(""),
    /** The application's credentials at the cloud, by which the server registers people and hands out their tokens. */
    EASEMOB_CLIENT_ID: z.string().min(1).optional(),
    EASEMOB_CLIENT_SECRET: z.string().min(1).optional(),
    /** The secret of the rule by which the cloud sends callbacks. Without it they are not taken. */
    EASEMOB_CALLBACK_SECRET: z.string().min(8, "must be at least 8 characters").optional(),
    /** When set, calls use the Agora cloud. */
    AGORA_APP_ID: z
      .string()
      .regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits")
      .optional(),
    /** Signs the tokens of the Agora cloud. Without it the platform's gateway must have a token service. */
    AGORA_APP_CERTIFICATE: z
      .string()
      .regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits")
      .optional(),
    /** What carries the signalling of calls of two. With "chat" there is no signalling socket for them. */
    CALL_SIGNALLING: z.enum(["websocket", "chat"]).default("websocket"),
    RTC_PROVIDER: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .default("easemob"),
    /** Address of the AI assistant, and the secret shared with it, which signs its tokens. Without both, there is no assistant. */
    AI_URL: address(/^https:\/\/[^#]+$/, "must be an https address without a fragment").optional(),
    AI_SECRET: secret.optional(),
    /** Where codes by SMS are sent as JSON, and the secret that signs them. */
    SMS_WEBHOOK_URL: address(
      /^https?:\/\//,
      "must be an address with https:// or http://",
    ).optional(),
    SMS_WEBHOOK_SECRET: secret.optional(),
    /** What the message says. */
    SMS_TEMPLATE: z
      .string()
      .refine(isTemplate, `must contain {code} once, and at most ${LONGEST_TEMPLATE} characters`)
      .default(DEFAULT_TEMPLATE),
    /** What the message with an invitation says. */
    SMS_INVITE_TEMPLATE: z
      .string()
      .refine(isInviteTemplate, INVITE_TEMPLATE_RULE)
      .default(DEFAULT_INVITE_TEMPLATE),
    /** Aliyun's short message service, instead of SMS_WEBHOOK_URL. */
    SMS_ALIYUN_KEY_ID: z.string().optional(),
    SMS_ALIYUN_KEY_SECRET: z.string().optional(),
    SMS_ALIYUN_SIGN_NAME: z.string().optional(),
    SMS_ALIYUN_TEMPLATE_CODE: z.string().optional(),
    SMS_ALIYUN_INVITE_TEMPLATE_CODE: z.string().optional(),
    SMS_ALIYUN_MOBILE_GONE_TEMPLATE_CODE: z.string().optional(),
    SMS_ALIYUN_ENDPOINT: address(/^https?:\/\/[^/]+$/, "must be https:// and a host").default(
      "https://dysmsapi.aliyuncs.com",
    ),
    ...sendingSettings,
    /** Seconds. */
    ACCESS_TOKEN_TTL: z.coerce.number().int().min(1).max(86_400).default(1800),
    REFRESH_TOKEN_TTL: z.coerce
      .number()
      .int()
      .min(1)
      .max(90 * 86_400)
      .default(7 * 86_400),
    /**
     * Seconds for which a refresh token that was just used is answered again, since its answer may have been lost. The console gives
     * a request up after 120 s (docs/server.md#rest) and asks again a little later, which must still be in time.
     */
    REFRESH_GRACE: z.coerce.number().int().min(0).max(600).default(150),
    ...fleetSettings,
    /** What an empty database begins with (docs/server.md#demo-data). */
    DEMO_DATA: z.enum(["none", "small", "full"]).optional(),
    ADMIN_USERNAME: z.string().min(1).optional(),
    ADMIN_PASSWORD: z.string().min(8).optional(),
    LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
    /** Levels of single areas, where they differ from LOG_LEVEL. */
    LOG_LEVELS: areaLevels(LOG_AREAS, LOG_LEVELS).optional(),
    /** Levels of single areas of the log that the console writes in browsers (docs/session.md#log). */
    CONSOLE_LOG_LEVELS: areaLevels(CORE_LOG_AREAS, CORE_LOG_LEVELS).optional(),
  })
  .superRefine((env, c) => {
    for (const { what, names } of TOGETHER) {
      const absent = names.filter((name) => (env[name] ?? "") === "");
      if (absent.length === names.length) continue;
      for (const name of absent) {
        const message = `is needed: ${what} needs ${names.join(", ")}`;
        c.addIssue({ code: "custom", path: [name], message });
      }
    }
    if (env.SMS_WEBHOOK_URL !== undefined && env.SMS_ALIYUN_KEY_ID !== undefined) {
      const message = "cannot be set beside SMS_WEBHOOK_URL: one of them sends the codes";
      c.addIssue({ code: "custom", path: ["SMS_ALIYUN_KEY_ID"], message });
    }
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
