/**
 * The REST calls of Easemob's cloud that the server makes, and the callbacks that it takes, as doc.easemob.com describes them
 * (docs/chat.md#easemobs-cloud). Paths stand under /{org}/{app}.
 */
import { z } from "../zod.ts";

/** What the cloud takes as a user id. */
const userId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w.-]+$/);

export const appTokenRequestSchema = z.strictObject({
  grant_type: z.literal("client_credentials"),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  /** Seconds. */
  ttl: z.number().int().positive(),
});
export const userTokenRequestSchema = z.strictObject({
  grant_type: z.literal("inherit"),
  username: userId,
  autoCreateUser: z.boolean(),
  ttl: z.number().int().positive(),
});
/** A person's own password, of this server's chat (`POST /{org}/{app}/token`). */
export const passwordTokenRequestSchema = z.object({
  grant_type: z.literal("password"),
  username: z.string().max(64),
  password: z.string().max(256),
});
export const tokenAnswerSchema = z.object({
  access_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.number().positive(),
});
export const passwordTokenResponseSchema = tokenAnswerSchema.extend({
  user: z.object({
    uuid: z.string(),
    type: z.literal("user"),
    username: z.string(),
    activated: z.literal(true),
  }),
});

/** People whom one request registers. */
export const REGISTER_MAX = 60;
export const registerRequestSchema = z
  .array(
    z.strictObject({
      username: userId,
      password: z.string().min(1).max(64),
      nickname: z.string().max(100),
    }),
  )
  .min(1)
  .max(REGISTER_MAX);
export const registerAnswerSchema = z.object({
  entities: z.array(z.object({ username: z.string() })),
});

/** Bytes of a request that sends messages. */
export const COMMAND_BYTES = 5 * 1024;
export const commandRequestSchema = z.strictObject({
  from: z.string().min(1),
  to: z.array(userId).min(1).max(600),
  type: z.literal("cmd"),
  body: z.strictObject({ action: z.string().min(1) }),
  routetype: z.literal("ROUTE_ONLINE"),
  ext: z.record(z.string(), z.string()),
});
/** A text message, which the cloud keeps for who is not connected. */
export const textRequestSchema = z.strictObject({
  from: z.string().min(1),
  to: z.array(userId).min(1).max(600),
  type: z.literal("txt"),
  body: z.strictObject({ msg: z.string().min(1) }),
});
export const commandAnswerSchema = z.object({ data: z.record(z.string(), z.string()) });

const flag = z.union([z.boolean(), z.stringbool()]);
const cloudGroupSchema = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  name: z.string(),
  description: z.string().catch(""),
  owner: z.string(),
  public: flag,
  membersonly: flag,
  allowinvites: flag,
  invite_need_confirm: flag.catch(false),
  mute: flag.catch(false),
  custom: z.string().catch(""),
  created: z.coerce.number(),
});
export const groupAnswerSchema = z.object({ data: z.array(cloudGroupSchema).length(1) });
export type CloudGroup = z.infer<typeof cloudGroupSchema>;

/** Members of one page. */
export const MEMBERS_PAGE = 100;
export const membersAnswerSchema = z.object({
  data: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
});
export const namesAnswerSchema = z.object({ data: z.array(z.string()) });
export const joinedAnswerSchema = z.object({
  data: z.array(z.object({ groupid: z.string() })),
});
export const groupMakeSchema = z.strictObject({
  groupname: z.string().min(1).max(128),
  description: z.string().max(512),
  public: z.boolean(),
  maxusers: z.number().int().positive(),
  allowinvites: z.boolean(),
  membersonly: z.boolean(),
  invite_need_confirm: z.boolean(),
  owner: userId,
  members: z.array(userId).max(100),
});
export const groupMadeSchema = z.object({
  data: z.object({ groupid: z.string().regex(/^\d{1,20}$/) }),
});
export const groupChangeSchema = z.strictObject({
  groupname: z.string().max(128).optional(),
  description: z.string().max(512).optional(),
  public: z.boolean(),
  membersonly: z.boolean().optional(),
  allowinvites: z.boolean().optional(),
  invite_need_confirm: z.boolean().optional(),
});
export type GroupChange = z.infer<typeof groupChangeSchema>;

/** Of an error the cloud says its kind and a text. */
export const cloudErrorSchema = z.object({
  error: z.string().catch(""),
  error_description: z.string().catch(""),
});

/** Where the cloud sends its callbacks. */
export const CALLBACK_PATH = "/dc-im/callbacks/easemob";
/**
 * A callback after an event. The signature covers `callId` and `timestamp` alone, so the rest is a hint of what to read again. Groups
 * come in two forms: `chat_type` "muc" with `group_id`, and `event` "group_op_event" with `id`.
 */
export const callbackSchema = z.object({
  callId: z.string().min(1).max(256),
  timestamp: z.number().int(),
  /** md5 of callId, secret and timestamp, as hexadecimal digits. */
  security: z.string().regex(/^[0-9a-f]{32}$/),
  appkey: z.string(),
  chat_type: z.string().optional(),
  group_id: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  event: z.string().optional(),
  type: z.string().optional(),
  id: z.string().optional(),
  payload: z.object({ operation: z.string().optional() }).loose().optional(),
});
export type Callback = z.infer<typeof callbackSchema>;
