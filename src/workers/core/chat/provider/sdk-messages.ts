/** Messages as easemob-websdk gives and takes them, for sdk.ts. */
import { z } from "../../../../shared/zod.ts";
import {
  CHAT_COMBINED_LEVEL_MAX,
  CHAT_COMBINED_SUMMARY_MAX,
  CHAT_COMBINED_TITLE_MAX,
  CHAT_QUOTE_MAX,
  CHAT_REACTION_NAMES,
  CHAT_REACTIONS_SHOWN,
  CHAT_TEXT_MAX,
} from "../../../../shared/domain/chat-limits.ts";
import { LOCAL_ID } from "../../../../shared/domain/chat.ts";
import { groupChatId, groupIdOf } from "../../../../shared/domain/group-chat.ts";
import {
  type ChatCombined,
  type ChatQuote,
  chatQuoteSchema,
  isCard,
} from "../../../../shared/protocol/chat-parts.ts";
import type { ChatFile } from "../../../../shared/protocol/state.ts";
import { readAddress, thumbOf, uploadedAt } from "./file-address.ts";
import type { OutgoingMessage, ReceivedMessage } from "./port.ts";
import {
  contentsSchema,
  customOf,
  customOptions,
  customText,
  placeOf,
  placeOptions,
} from "./sdk-contents.ts";

export interface SdkMessages {
  readonly message: { create(options: object): Record<string, unknown> };
}

export const id = z.union([z.string().min(1), z.number()]).transform(String);
export const time = z.coerce.number().catch(0);
/** A size or length; 0 and whatever is no number mean that the sender did not say it. */
const figure = z.coerce.number().positive().nullable().catch(null).default(null);
export const parties = z.object({ from: z.string().default(""), to: z.string().default("") });
export const reactionTextSchema = z.string().min(1).max(32);
const receivedReactionSchema = z.object({
  reaction: reactionTextSchema,
  count: z.number().int().positive(),
  isAddedBySelf: z.boolean().catch(false),
  userList: z.array(z.string()).catch([]),
});
export const messageSchema = parties.extend({
  id,
  type: z.string(),
  chatType: z.string().default("singleChat"),
  msg: z.string().optional(),
  filename: z.string().optional(),
  url: z.string().optional().catch(undefined),
  file_length: figure,
  width: figure,
  height: figure,
  length: figure,
  // of a combined message
  compatibleText: z.string().optional().catch(undefined),
  title: z.string().catch("").default(""),
  summary: z.string().catch("").default(""),
  combineLevel: z.coerce.number().int().positive().catch(1).default(1),
  secret: z.string().catch("").default(""),
  ...contentsSchema.shape,
  time,
  ext: z.record(z.string(), z.unknown()).catch({}),
  isRead: z.boolean().optional(),
  msgConfig: z.object({ allowGroupAck: z.boolean() }).optional().catch(undefined),
  reactions: z.array(receivedReactionSchema).catch([]).default([]),
  modifiedInfo: z.object({ operationCount: z.number().int() }).optional().catch(undefined),
});
const TYPES: Readonly<Record<string, ReceivedMessage["type"]>> = {
  txt: "text",
  text: "text",
  img: "img",
  file: "file",
  audio: "audio",
  video: "video",
  combine: "combined",
  loc: "location",
  custom: "custom",
};
const WITHOUT_FILE: ReadonlySet<string> = new Set(["text", "combined", "location", "custom"]);
const SDK_TYPES: Readonly<Record<string, string>> = {
  text: "txt",
  combined: "combine",
  location: "loc",
  card: "custom",
};

/** How the vendor's own kits write to whom a message is written by name. */
const mentionsSchema = z.union([z.literal("ALL"), z.array(z.string()).max(500)]).catch([]);

/** How the vendor's own kits write what a message answers, so that they show it too. */
const quoteSchema = z.object({
  msgID: id,
  msgPreview: z.string(),
  msgSender: z.string(),
  msgType: z.string(),
});
const toQuote = ({ mid, from, type, text }: ChatQuote): z.input<typeof quoteSchema> => ({
  msgID: mid,
  msgPreview: text,
  msgSender: from,
  msgType: SDK_TYPES[type] ?? type,
});
function quoteOf(ext: Readonly<Record<string, unknown>>): ChatQuote | null {
  const given = quoteSchema.safeParse(ext["msgQuote"]);
  if (!given.success) return null;
  const { msgID: mid, msgPreview, msgSender: from, msgType } = given.data;
  const text = msgPreview.slice(0, CHAT_QUOTE_MAX);
  const quote = chatQuoteSchema.safeParse({ mid, from, type: TYPES[msgType] ?? "text", text });
  return quote.success ? quote.data : null;
}

export const SINGLE = /^(singleChat|chat)$/i;
export const GROUP = /^groupChat$/i;

/** Characters of a file's name that are shown. */
const NAME_MAX = 255;

/** Path of a file at the provider. Before it stands the base path of the server (docs/server.md#base-path), once or more. */
const FILE_PATH = /^(\/[\w.~-]+)*\/[\w.-]+\/[\w.-]+\/chatfiles\/[\w-]+$/;
/** Whether an address is one of a chat file. A sender could name a script, or a call of the platform, instead. */
export const isFileAddress = (address: string): boolean =>
  /^https?:\/\//.test(address) &&
  URL.canParse(address) &&
  FILE_PATH.test(new URL(address).pathname);

/** What a message says about its file. */
function fileOf(type: ReceivedMessage["type"], data: z.infer<typeof messageSchema>): ChatFile {
  const url = data.url !== undefined && isFileAddress(data.url) ? data.url : null;
  return {
    name: (data.filename ?? "").slice(0, NAME_MAX),
    size: data.file_length ?? 0,
    width: data.width ?? figure.parse(data.ext["width"]),
    height: data.height ?? figure.parse(data.ext["height"]),
    length: data.length,
    url,
    thumb: url === null ? null : thumbOf(type, url),
  };
}

/** What a message says about the messages that it holds. The list of conversations gives the secret beside the address. */
function combinedOf(data: z.infer<typeof messageSchema>): ChatCombined {
  const { url, secret, title, summary, combineLevel } = data;
  const given = url !== undefined && isFileAddress(url) ? url : null;
  const { origin = "", pathname = "" } = given === null ? {} : new URL(given);
  const complete = given === null || secret === "" || uploadedAt(given) !== null;
  return {
    title: title.slice(0, CHAT_COMBINED_TITLE_MAX),
    summary: summary.slice(0, CHAT_COMBINED_SUMMARY_MAX),
    level: Math.min(combineLevel, CHAT_COMBINED_LEVEL_MAX),
    url: complete ? given : readAddress({ url: origin + pathname, secret }),
  };
}

/** @returns null for anything but a message of a conversation */
export function toReceived(value: unknown): ReceivedMessage | null {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success) return null;
  const { data } = parsed;
  const type = TYPES[data.type];
  const group = GROUP.test(data.chatType);
  if (type === undefined || (!group && !SINGLE.test(data.chatType))) return null;
  const { localId } = data.ext;
  const file = WITHOUT_FILE.has(type) ? null : fileOf(type, data);
  const place = type === "location" ? placeOf(data) : undefined;
  const custom = type === "custom" ? customOf(data) : undefined;
  const said = place?.address ?? (custom === undefined ? undefined : customText(custom));
  return {
    mid: data.id,
    from: data.from,
    to: group ? groupChatId(data.to) : data.to,
    type: custom !== undefined && isCard(custom) ? "card" : type,
    msg: (said ?? data.msg ?? file?.name ?? data.compatibleText ?? "").slice(0, CHAT_TEXT_MAX),
    file,
    ...(type === "combined" ? { combined: combinedOf(data) } : {}),
    ...(place === undefined ? {} : { place }),
    ...(custom === undefined ? {} : { custom }),
    time: data.time,
    localId: typeof localId === "string" && LOCAL_ID.test(localId) ? localId : null,
    read: data.isRead === true,
    quote: quoteOf(data.ext),
    mentions: mentionsSchema.parse(data.ext["em_at_list"]),
    asksReaders: group && data.msgConfig?.allowGroupAck === true,
    reactions: data.reactions
      .slice(0, CHAT_REACTIONS_SHOWN)
      .map(({ reaction, count, isAddedBySelf, userList }) => ({
        reaction,
        count,
        users: userList.slice(0, CHAT_REACTION_NAMES),
        bySelf: isAddedBySelf,
      })),
    edits: data.modifiedInfo?.operationCount ?? 0,
  };
}

/** The receiver as the SDK names one. */
export const addressOf = (chatId: string): { to: string; chatType: string } => {
  const groupId = groupIdOf(chatId);
  return groupId === null
    ? { to: chatId, chatType: "singleChat" }
    : { to: groupId, chatType: "groupChat" };
};

/** `message.create` makes an id that is not unique across devices; the outbox's id replaces it and is the same at every attempt. */
export function toSdkMessage(sdk: SdkMessages, message: OutgoingMessage): Record<string, unknown> {
  const base = addressOf(message.to);
  const asks =
    "asksReaders" in message && message.asksReaders === true
      ? { msgConfig: { allowGroupAck: true } }
      : {};
  switch (message.kind) {
    case "text":
      return {
        ...sdk.message.create({
          ...base,
          ...asks,
          type: "txt",
          msg: message.text,
          ext: {
            ...message.ext,
            ...(message.quote === undefined ? {} : { msgQuote: toQuote(message.quote) }),
            localId: message.id,
          },
        }),
        id: message.id,
      };
    case "img":
    case "file":
    case "audio":
    case "video": {
      const { url, secret, name, size, width, height, length } = message.file;
      return {
        ...sdk.message.create({
          ...base,
          ...asks,
          type: message.kind,
          filename: name,
          // the wire has a place for the size of a picture, and none for that of a film
          ext: {
            localId: message.id,
            ...(message.kind === "video" && width !== null && height !== null
              ? { width, height }
              : {}),
          },
        }),
        id: message.id,
        // with a body and without a file, the SDK sends at once
        body: {
          type: message.kind,
          url,
          secret,
          filename: name,
          file_length: size,
          length: Math.round(length ?? 0),
          size: { width: width ?? 0, height: height ?? 0 },
        },
      };
    }
    case "combined": {
      const { title, summary, level, text, uploaded } = message;
      return {
        ...sdk.message.create({
          ...base,
          ...asks,
          type: "combine",
          compatibleText: text,
          title,
          summary,
          ext: { localId: message.id },
        }),
        id: message.id,
        combineLevel: level,
        url: readAddress(uploaded),
        secret: uploaded.secret,
        filename: "combine",
      };
    }
    case "location":
    case "custom":
      return {
        ...sdk.message.create({
          ...base,
          ...asks,
          ...(message.kind === "location"
            ? { type: "loc", ...placeOptions(message.place) }
            : { type: "custom", ...customOptions(message.custom) }),
          ext: { localId: message.id },
        }),
        id: message.id,
      };
    case "command":
      return {
        ...sdk.message.create({
          ...base,
          type: "cmd",
          action: message.action,
          ext: message.ext,
          // a ring must not wait in the inbox of a person who is offline (docs/chat.md#command-messages)
          deliverOnlineOnly: true,
        }),
        id: message.id,
      };
    case "groupRead":
      return {
        ...sdk.message.create({ ...base, type: "read", id: message.mid }),
        id: message.id,
      };
    case "readAll":
      return { ...sdk.message.create({ ...base, type: "channel" }), id: message.id };
  }
}
