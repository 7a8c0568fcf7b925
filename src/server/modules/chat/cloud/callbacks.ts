/** Takes the callbacks of Easemob's cloud (docs/chat.md#easemobs-cloud): each is a hint of what to read again. */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Callback, callbackSchema } from "../../../../shared/protocol/easemob-rest.ts";
import { cloudName } from "./provider.ts";

/** ms by which the time of a callback may differ from the server's. The cloud repeats one at once and then forgets it. */
const FRESH_MS = 10 * 60_000;

/** What a callback is about. */
export type Hint =
  | { readonly group: string }
  | { readonly friends: { operation: string; from: string; to: string } }
  | null;

export function isSigned({ callId, timestamp, security }: Callback, secret: string): boolean {
  const expected = createHash("md5").update(`${callId}${secret}${timestamp}`).digest();
  return timingSafeEqual(expected, Buffer.from(security, "hex"));
}

/** @returns null: about nothing that is copied */
export function hintOf(appKey: string, callback: Callback): Hint {
  const { chat_type: kind, event, payload } = callback;
  if (event === "group_op_event") {
    return callback.type === "GROUP" && /^\d{1,20}$/.test(callback.id ?? "")
      ? { group: callback.id ?? "" }
      : null;
  }
  if (kind === "muc") {
    const isChatRoom = payload?.["is_chatroom"] === true;
    return !isChatRoom && /^\d{1,20}$/.test(callback.group_id ?? "")
      ? { group: callback.group_id ?? "" }
      : null;
  }
  const operation = payload?.operation;
  if (kind !== "roster" || operation === undefined) return null;
  const [from, to] = [callback.from ?? "", callback.to ?? ""].map((one) => cloudName(appKey, one));
  return from === undefined || to === undefined || from === "" || to === ""
    ? null
    : { friends: { operation, from, to } };
}

/** @returns null for what is no callback of this application, or an old or forged one */
export function readCallback(
  body: unknown,
  expected: { readonly appKey: string; readonly secret: string; readonly now: number },
): Callback | null {
  const parsed = callbackSchema.safeParse(body);
  if (!parsed.success || parsed.data.appkey !== expected.appKey) return null;
  if (Math.abs(expected.now - parsed.data.timestamp) > FRESH_MS) return null;
  return isSigned(parsed.data, expected.secret) ? parsed.data : null;
}
