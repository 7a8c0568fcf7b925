/** What must not reach receivers: their SDK would lose such a message, and those that came beside it (docs/chat.md#gateway). */
import { jsonObject } from "../wire/json-object.ts";
import { BODY, type MessageBody, type Meta } from "../wire/wire.ts";

/** The type of a JSON text among key-value pairs. */
const KEY_VALUE_JSON = 8;
/** Types of contents that the SDK knows; the last is a combined message of other kits. */
const CONTENT_TYPE_MAX = 8;

function isBadPair(pair: unknown): boolean {
  const { type, stringValue } = pair as { type?: number; stringValue?: string };
  if (type !== KEY_VALUE_JSON) return false;
  try {
    JSON.parse(stringValue ?? "");
    return false;
  } catch {
    return true;
  }
}

export function isUnreadable(body: MessageBody, meta: Meta): boolean {
  const contents = body.contents ?? [];
  const pairs = [
    ...(body.ext ?? []),
    ...(meta.ext ?? []),
    ...contents.flatMap((content) => {
      const { customExts = [], params = [] } = content as {
        customExts?: unknown[];
        params?: unknown[];
      };
      return [...customExts, ...params];
    }),
  ];
  if (pairs.some(isBadPair)) return true;
  const says = body.type === BODY.chat || body.type === BODY.groupChat || body.type === BODY.edit;
  if (!says) return false;
  return (
    contents.length === 0 ||
    contents.some(({ type = 0 }) => !(type >= 0 && type <= CONTENT_TYPE_MAX))
  );
}

/** Of the marks in a message only these are its sender's; others, such as "read", are the server's. */
export function ownMarks(marks: string | undefined): { meta?: string } {
  const { thread, translations } = jsonObject(marks);
  if (thread === undefined && translations === undefined) return {};
  return {
    meta: JSON.stringify({
      ...(thread === undefined ? {} : { thread }),
      ...(translations === undefined ? {} : { translations }),
    }),
  };
}
