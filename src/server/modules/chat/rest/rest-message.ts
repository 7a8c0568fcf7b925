/** A stored message in the form of REST answers: the last message of a conversation, and pinned ones. */
import { jsonObject } from "../wire/json-object.ts";
import { type Content, MessageBodyCodec, MetaCodec } from "../wire/wire.ts";

interface Pair {
  readonly key: string;
  readonly type?: number;
  readonly varintValue?: string;
  readonly floatValue?: number;
  readonly doubleValue?: number;
  readonly stringValue?: string;
}
/** Fields of a content that only this form reads. */
interface Full extends Content {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly address?: string;
  readonly displayName?: string;
  readonly remotePath?: string;
  readonly secretKey?: string;
  readonly fileLength?: number;
  readonly duration?: number;
  readonly size?: { readonly width?: number; readonly height?: number };
  readonly thumbnailRemotePath?: string;
  readonly thumbnailSecretKey?: string;
  readonly customExts?: readonly Pair[];
  readonly subType?: number;
  readonly title?: string;
  readonly summary?: string;
  readonly combineLevel?: number;
}
const TYPE = { bool: 1, json: 8, string: 7 } as const;

function valueOf(pair: Pair): unknown {
  if (pair.type === TYPE.bool) return pair.varintValue === "1";
  if (pair.type === TYPE.string) return pair.stringValue ?? "";
  if (pair.type !== TYPE.json) {
    return pair.floatValue ?? pair.doubleValue ?? Number(pair.varintValue ?? 0);
  }
  try {
    return JSON.parse(pair.stringValue ?? "null") as unknown;
  } catch {
    return null;
  }
}

const file = (c: Full, type: string) => ({
  type,
  url: c.remotePath ?? "",
  secret: c.secretKey ?? "",
  filename: c.displayName ?? "",
  file_length: c.fileLength ?? 0,
});

function bodyOf(c: Full): Record<string, unknown> {
  const { width = 0, height = 0 } = c.size ?? {};
  switch (c.type) {
    case 1:
      return { ...file(c, "img"), size: { width, height } };
    case 2:
      return {
        ...file(c, "video"),
        length: c.duration ?? 0,
        thumb: c.thumbnailRemotePath ?? "",
        thumb_secret: c.thumbnailSecretKey ?? "",
        size: { width, height },
      };
    case 3:
      return { type: "loc", addr: c.address ?? "", lat: c.latitude ?? 0, lng: c.longitude ?? 0 };
    case 4:
      return { ...file(c, "audio"), length: c.duration ?? 0 };
    case 5:
      return file(c, "file");
    case 6:
      return { type: "cmd", action: c.action ?? "" };
    case 7:
      return {
        type: "custom",
        customEvent: c.customEvent ?? "",
        customExts: (c.customExts ?? []).map((pair) => ({ [pair.key]: valueOf(pair) })),
      };
    default:
      return c.subType === 0
        ? {
            type: "txt",
            subType: "sub_combine",
            msg: c.text ?? "",
            title: c.title ?? "",
            summary: c.summary ?? "",
            url: c.remotePath ?? "",
            secret: c.secretKey ?? "",
            combineLevel: c.combineLevel ?? 0,
          }
        : { type: "txt", msg: c.text ?? "" };
  }
}

export function restMessage(stored: Uint8Array): Record<string, unknown> {
  const meta = MetaCodec.decode(stored);
  const body = MessageBodyCodec.decode(meta.payload ?? new Uint8Array());
  const [from, to] = [meta.from?.name ?? "", meta.to?.name ?? ""];
  const payload = {
    type: body.type === 2 ? "groupchat" : "chat",
    from,
    to,
    ext: Object.fromEntries(
      (body.ext ?? []).map((pair) => [(pair as Pair).key, valueOf(pair as Pair)]),
    ),
    bodies: (body.contents ?? []).slice(0, 1).map(bodyOf),
    meta: jsonObject(body.meta),
  };
  return {
    id: meta.id,
    from,
    to,
    timestamp: Number(meta.timestamp ?? 0),
    payload: JSON.stringify(payload),
  };
}
