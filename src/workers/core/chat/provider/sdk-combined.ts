/**
 * Combined messages by the provider's SDK, for sdk.ts (docs/chat.md#combined-messages). Its own `send` uploads and sends in one step, so a
 * repeated message would name another file and arrive twice. Its own reader would act on receipts and recalls that a sender hides in the
 * file. So both steps stand here, with the SDK's encoder and descriptor.
 */
import { CHAT_FILE_MAX } from "../../../../shared/domain/chat-files.ts";
import { CHAT_COMBINED_MAX, CHAT_TEXT_MAX } from "../../../../shared/domain/chat-limits.ts";
import type { CombinedPart } from "../../../../shared/protocol/state.ts";
import { z } from "../../../../shared/zod.ts";
import { packMessages, unpackMessages } from "./combined-file.ts";
import { FAILURE } from "./failures.ts";
import { uploadedAt } from "./file-address.ts";
import { type CombinedCalls, type CombinedSource, ChatFailure } from "./port.ts";
import { customOptions, placeOptions } from "./sdk-contents.ts";
import { addressOf, isFileAddress, toReceived } from "./sdk-messages.ts";
import { failureOf } from "./upload-answers.ts";

/** ms for reading one file. */
const DOWNLOAD_DEADLINE = 30_000;
/** Characters of a writer's name. */
const NAME_MAX = 64;
/** Where the vendor's own kits write what the writer is called. */
const WRITER = "ease_chat_uikit_user_info";

interface Type {
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: object): unknown;
}
/** The parts of the SDK's connection that its own `send` uses. */
export interface SdkCombinedParts {
  isOpened(): boolean;
  readonly root: { lookup(name: string): Type };
  readonly mSync: { encodeChatMsg(message: object): Uint8Array };
  /** Messages whose answer is awaited, by id. */
  readonly _msgHash: Record<string, object>;
  readonly _compressor?: {
    readonly enableUplinkCompression?: boolean;
    compress(frame: Uint8Array): Uint8Array;
  } | null;
  readonly sock: { send(frame: Uint8Array): void };
}

/** Sends a message whose file is uploaded, as the SDK does after its own upload. Rejects as the SDK does. */
export function sendUploaded(
  conn: SdkCombinedParts,
  message: Record<string, unknown> & { readonly id: string },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (!conn.isOpened()) {
      return reject(new ChatFailure(FAILURE.disconnectedInFlight, "not connected"));
    }
    conn._msgHash[message.id] = { ...message, resolve, reject };
    const frame = conn.mSync.encodeChatMsg(message);
    const compressor = conn._compressor;
    conn.sock.send(
      compressor?.enableUplinkCompression === true ? compressor.compress(frame) : frame,
    );
  });
}

/** A message as the SDK's encoder takes one that goes into a file. */
function toSource(source: CombinedSource) {
  const { mid, from, to, name, time, type, text, file, combined, place, custom } = source;
  const url = file?.url ?? combined?.url ?? "";
  const secret = uploadedAt(url)?.secret ?? "";
  const base = {
    isBuildCombinedMsg: true,
    id: mid,
    from,
    ...addressOf(to),
    time,
    ext: {
      ...(name === null ? {} : { [WRITER]: { nickname: name } }),
      ...(type === "video" && file !== undefined ? { width: file.width, height: file.height } : {}),
    },
  };
  if (type === "text") return { ...base, type: "txt", msg: text };
  if (place !== undefined) return { ...base, type: "loc", ...placeOptions(place) };
  if (custom !== undefined) return { ...base, type: "custom", ...customOptions(custom) };
  if (type === "combined") {
    const { title = "", summary = "", level = 1 } = combined ?? {};
    const about = { compatibleText: text, title, summary, combineLevel: level };
    return { ...base, ...about, type: "combine", url, secret, filename: "combine", file_length: 0 };
  }
  return {
    ...base,
    type,
    url,
    secret,
    filename: file?.name ?? text,
    file_length: file?.size ?? 0,
    width: file?.width ?? 0,
    height: file?.height ?? 0,
    length: Math.round(file?.length ?? 0),
    thumb: file?.thumb ?? "",
    thumb_secret: secret,
  };
}

const metaSchema = z.object({
  id: z.string(),
  timestamp: z.string(),
  payload: z.instanceof(Uint8Array),
});
const contentSchema = z.object({
  type: z.number().catch(0).default(0),
  subType: z.number().optional(),
  text: z.string().default(""),
  address: z.string().default(""),
  displayName: z.string().default(""),
  remotePath: z.string().default(""),
  secretKey: z.string().default(""),
  fileLength: z.unknown().optional(),
  duration: z.unknown().optional(),
  size: z.object({ width: z.unknown(), height: z.unknown() }).partial().default({}),
  title: z.string().default(""),
  summary: z.string().default(""),
  combineLevel: z.unknown().optional(),
});
const bodySchema = z.object({
  from: z.object({ name: z.string().min(1).max(NAME_MAX) }),
  to: z.object({ name: z.string() }).default({ name: "" }),
  contents: z.array(contentSchema).min(1),
  ext: z
    .array(
      z.object({
        key: z.string(),
        stringValue: z.string().optional(),
        varintValue: z.unknown().optional(),
      }),
    )
    .default([]),
});
const numberSchema = z.coerce.number().catch(0);
const writerSchema = z.object({ nickname: z.string().min(1) });

/** Types of the SDK, by the numbers of the wire. Number 0 is a text, or a combined message by its second number. */
const TYPES: Readonly<Record<number, string>> = { 1: "img", 2: "video", 4: "audio", 5: "file" };

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** @param apiUrl of the provider, from which all files come, whatever host a sender names */
function toPart(meta: unknown, body: unknown, apiUrl: string): CombinedPart | null {
  const about = metaSchema.safeParse(meta);
  const said = bodySchema.safeParse(body);
  if (!about.success || !said.success) return null;
  const [content] = said.data.contents;
  if (content === undefined) return null;
  const from = said.data.from.name;
  const writer = said.data.ext.find(({ key }) => key === WRITER)?.stringValue;
  const named = writerSchema.safeParse(jsonOf(writer));
  const name = named.success ? named.data.nickname.slice(0, NAME_MAX) : null;
  const time = numberSchema.parse(about.data.timestamp);
  const isCombined = content.type === 8 || (content.type === 0 && content.subType === 0);
  const type = isCombined ? "combine" : content.type === 0 ? "txt" : TYPES[content.type];
  if (type === undefined) {
    return { from, name, time, type: "other", text: content.address.slice(0, CHAT_TEXT_MAX) };
  }
  const ext = Object.fromEntries(
    said.data.ext
      .filter(({ key }) => key === "width" || key === "height")
      .map(({ key, varintValue }) => [key, varintValue]),
  );
  const received = toReceived({
    id: about.data.id,
    type,
    from,
    to: said.data.to.name,
    time,
    ext,
    ...(type === "txt" ? { msg: content.text } : {}),
    compatibleText: content.text,
    title: content.title,
    summary: content.summary,
    combineLevel: content.combineLevel,
    url: addressAt(apiUrl, content.remotePath),
    secret: content.secretKey,
    filename: content.displayName,
    file_length: content.fileLength,
    width: content.size.width,
    height: content.size.height,
    length: content.duration,
  });
  if (received === null) return null;
  return {
    from,
    name,
    time,
    type: received.type,
    text: received.msg,
    ...(received.file === null ? {} : { file: received.file }),
    ...(received.combined === undefined ? {} : { combined: received.combined }),
  };
}

/** The address of a file at the provider itself. */
function addressAt(apiUrl: string, remotePath: string): string {
  if (!URL.canParse(remotePath)) return "";
  const { pathname, search } = new URL(remotePath);
  return apiUrl + pathname + search;
}

export function createCombinedCalls(
  conn: SdkCombinedParts,
  apiUrl: string,
  /** Makes any rejection a ChatFailure. */
  guard: <T>(run: () => Promise<T>) => Promise<T>,
): CombinedCalls {
  const bad = (): ChatFailure => new ChatFailure(FAILURE.unreadable, "the file is damaged");
  const read = (bytes: Uint8Array, name: string): unknown => {
    const type = conn.root.lookup(`easemob.pb.${name}`);
    return type.toObject(type.decode(bytes), { longs: String });
  };
  return {
    encode(messages) {
      const encoded = messages.map((message) => conn.mSync.encodeChatMsg(toSource(message)));
      return new Blob([packMessages(encoded)], { type: "application/octet-stream" });
    },
    read: (address) =>
      guard(async () => {
        const place = uploadedAt(address);
        if (place === null || !isFileAddress(address) || !address.startsWith(`${apiUrl}/`)) {
          throw bad();
        }
        const answer = await fetch(place.url, {
          headers: { "share-secret": place.secret },
          signal: AbortSignal.timeout(DOWNLOAD_DEADLINE),
        });
        if (answer.status === 404) throw new ChatFailure(FAILURE.fileGone, "the file is gone");
        if (!answer.ok) throw failureOf(answer.status, null);
        if (Number(answer.headers.get("content-length") ?? 0) > CHAT_FILE_MAX) throw bad();
        const file = new Uint8Array(await answer.arrayBuffer());
        const messages = unpackMessages(file, CHAT_COMBINED_MAX);
        if (messages === null) throw bad();
        try {
          return messages.map((bytes): CombinedPart => {
            const meta = read(bytes, "Meta");
            const part = toPart(meta, read(metaSchema.parse(meta).payload, "MessageBody"), apiUrl);
            if (part === null) throw bad();
            return part;
          });
        } catch {
          throw bad();
        }
      }),
  };
}
