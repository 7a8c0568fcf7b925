/** Messages of calls (docs/calls.md#messages) as they pass the gateway. */
import { z } from "zod";
import { CALL_ACTIONS, callMediaSchema } from "../../../shared/protocol/call-message.ts";
import { CONTENT, type MessageBody } from "./wire/wire.ts";

const pairSchema = z.object({
  key: z.string(),
  varintValue: z.string().optional(),
  doubleValue: z.number().optional(),
  stringValue: z.string().optional(),
});
/** Clients send numbers as numbers or as text. What is missing does not keep a call from ringing. */
const text = z.coerce.string().max(128).catch("");
const commandSchema = z.object({
  action: z.enum(CALL_ACTIONS),
  callId: z.coerce.string().min(1).max(64),
  channel: text,
  type: z.coerce
    .number()
    .pipe(z.literal([1, 2]))
    .catch(1),
  media: callMediaSchema.catch("video"),
  fromUserDevId: text,
  result: text,
  status: text,
});

export interface CallCommand extends z.output<typeof commandSchema> {
  /** Chat user names; the server knows both. */
  readonly from: string;
  readonly to: string;
}

/** @returns null when the message does not belong to a call */
export function callCommandOf(from: string, to: string, body: MessageBody): CallCommand | null {
  const action = (body.contents ?? []).find((c) => c.type === CONTENT.command)?.action;
  const pairs = z.array(pairSchema).safeParse(body.ext ?? []);
  if (!pairs.success) return null;
  const fields = Object.fromEntries(
    pairs.data.map((pair) => [
      pair.key,
      pair.stringValue ?? pair.varintValue ?? pair.doubleValue?.toString(),
    ]),
  );
  const parsed = commandSchema.safeParse({ ...fields, action });
  return parsed.success ? { ...parsed.data, from, to } : null;
}
