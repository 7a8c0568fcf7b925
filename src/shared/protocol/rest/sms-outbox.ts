/** The codes that a demo would have sent by SMS (docs/server.md#sms). The call is ours. */
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

export const smsOutboxCalls = { smsOutbox: smsOutboxCall };
