/** The codes that a demo would have sent by SMS, and how many SMS were sent (docs/server.md#sms). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema } from "./call.ts";
import { idSchema } from "./entities.ts";

export const smsOutboxRowSchema = z.object({
  id: idSchema,
  mobile: z.string(),
  /** What the message says, with the code. */
  text: z.string(),
  /** ISO 8601. */
  sentTime: z.string(),
  expireTime: z.string(),
});
export type SmsOutboxRow = z.infer<typeof smsOutboxRowSchema>;

export const smsOutboxCall = defineCall({
  id: "sms.outbox",
  method: "GET",
  path: "/system/sms/outbox",
  summary:
    "The messages with codes that nobody has sent, because the demo has no SMS service, newest first; to the platform's company alone, and not found where a service sends them",
  auth: "bearer",
  access: { company: "required", permissions: ["platform:sms:list"] },
  shows: ["sms"],
  page: true,
  query: pageQuerySchema,
  data: pageSchema(smsOutboxRowSchema),
});

/** SMS of the last 24 hours against their limit. */
const smsUseSchema = z.object({
  used: z.number().int(),
  limit: z.number().int(),
  /** ISO 8601: when the first of them is a day old; null while the limit is not reached. */
  until: z.string().nullable(),
});
export type SmsUse = z.infer<typeof smsUseSchema>;

/**
 * Whose: codes by the links of a company, and its invitations; codes for an address, and for one number from one address; wrong codes from
 * an address.
 */
export const SMS_USERS = ["company", "invitations", "address", "pair", "wrong"] as const;

export const smsUsageCall = defineCall({
  id: "sms.usage",
  method: "GET",
  path: "/system/sms/usage",
  summary:
    "SMS of the last 24 hours and their limits: of the caller's company, and to the platform's administrators those nearest to a limit, numbers with their middle hidden",
  auth: "bearer",
  access: {
    company: "required",
    permissions: ["supplier:employee:edit", "platform:sms:list"],
  },
  shows: ["sms", "invitations"],
  page: true,
  data: z.object({
    /** Codes that the company's links sent. */
    codes: smsUseSchema,
    invitations: smsUseSchema,
    /** Nearest to the limit first; null to everybody but administrators of the platform. */
    nearest: z.array(smsUseSchema.extend({ kind: z.enum(SMS_USERS), who: z.string() })).nullable(),
  }),
});

export const smsOutboxCalls = { smsOutbox: smsOutboxCall, smsUsage: smsUsageCall };
