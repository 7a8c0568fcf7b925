/**
 * The only file that uses easemob-websdk 4.21.1. The SDK is loaded on demand, after the entry has set `window`, which the SDK reads
 * when its module is evaluated. All data from the SDK is parsed, because its code does not always keep to its types.
 */
import { z } from "../../../shared/zod.ts";
import { CHAT_TEXT_MAX, LOCAL_ID } from "../../../shared/domain/chat.ts";
import { forgiveLostReceipts } from "./lost-receipts.ts";
import {
  ChatFailure,
  type ChatConnection,
  type ConnectionEvents,
  type CreateConnection,
  type OutgoingMessage,
  type PresenceEntry,
  type ReceivedMessage,
} from "./port.ts";

interface SdkConnection {
  open(login: object): Promise<unknown>;
  close(): void;
  isOpened(): boolean;
  send(message: object): Promise<unknown>;
  addEventHandler(id: string, handlers: Record<string, (event: unknown) => void>): void;
  removeEventHandler(id: string): void;
  getHistoryMessages(options: object): Promise<unknown>;
  subscribePresence(options: { usernames: string[]; expiry: number }): Promise<unknown>;
  onShow(): void;
  dataReport?: { setIsCollectDt?(collect: boolean): void };
}
interface Sdk {
  connection: new (options: object) => SdkConnection;
  message: { create(options: object): Record<string, unknown> };
  logger?: { disableAll?(): void };
}

const isSdk = (value: unknown): value is Sdk =>
  typeof value === "object" && value !== null && "connection" in value && "message" in value;

/** Finds the SDK in its module; bundlers wrap the default export once or twice. */
export function unwrapSdk(module: unknown): Sdk {
  let value = module;
  for (let depth = 0; depth < 3; depth += 1) {
    if (isSdk(value)) return value;
    value = (value as { default?: unknown } | null | undefined)?.default;
  }
  throw new ChatFailure(999, "the chat SDK could not be loaded");
}

const failureSchema = z.object({
  type: z.coerce.number().catch(999),
  message: z.string().optional(),
  reason: z.string().optional(),
});
/** The SDK rejects with plain objects, Errors, or objects that contain an XHR; only a number and a text are taken. */
export function toFailure(value: unknown): ChatFailure {
  if (value instanceof ChatFailure) return value;
  const parsed = failureSchema.safeParse(value);
  if (!parsed.success) return new ChatFailure(999, "unknown failure of the chat SDK");
  return new ChatFailure(parsed.data.type, parsed.data.message ?? parsed.data.reason ?? "");
}

const id = z.union([z.string().min(1), z.number()]).transform(String);
const time = z.coerce.number().catch(0);
const parties = z.object({ from: z.string().default(""), to: z.string().default("") });
const messageSchema = parties.extend({
  id,
  type: z.string(),
  chatType: z.string().default("singleChat"),
  msg: z.string().optional(),
  filename: z.string().optional(),
  time,
  ext: z.record(z.string(), z.unknown()).catch({}),
  isRead: z.boolean().optional(),
});
const commandSchema = messageSchema.extend({ action: z.string() });
const receiptSchema = parties.extend({ mid: id, time });
const channelSchema = parties.extend({ time, chatType: z.string().default("singleChat") });
const presenceEventSchema = z.array(
  z.object({
    userId: z.string(),
    statusDetails: z.array(z.object({ status: z.coerce.number() })).catch([]),
  }),
);
const presenceRowsSchema = z.array(
  z.object({ uid: z.string(), status: z.record(z.string(), z.unknown()).nullish() }),
);
const presenceResultSchema = z.union([
  z.object({ result: presenceRowsSchema }).transform((answer) => answer.result),
  z
    .object({ data: z.object({ result: presenceRowsSchema }) })
    .transform((answer) => answer.data.result),
]);
const sentSchema = z.object({
  serverMsgId: id,
  message: z.object({ time: z.coerce.number() }).optional().catch(undefined),
});
const historySchema = z.object({
  messages: z.array(z.unknown()),
  isLast: z.boolean().catch(false),
  cursor: id.nullish().catch(null),
});

const TYPES: Readonly<Record<string, ReceivedMessage["type"]>> = {
  txt: "text",
  text: "text",
  img: "img",
  file: "file",
  audio: "audio",
  video: "video",
};

/** @returns null for anything but a message of a one-to-one conversation */
export function toReceived(value: unknown): ReceivedMessage | null {
  const parsed = messageSchema.safeParse(value);
  if (!parsed.success) return null;
  const { data } = parsed;
  const type = TYPES[data.type];
  if (type === undefined || !/^(singleChat|chat)$/i.test(data.chatType)) return null;
  const { localId } = data.ext;
  return {
    mid: data.id,
    from: data.from,
    to: data.to,
    type,
    msg: (data.msg ?? data.filename ?? "").slice(0, CHAT_TEXT_MAX),
    time: data.time,
    localId: typeof localId === "string" && LOCAL_ID.test(localId) ? localId : null,
    read: data.isRead === true,
  };
}

/** `message.create` makes an id that is not unique across devices; the outbox's id replaces it and is the same at every attempt. */
export function toSdkMessage(sdk: Sdk, message: OutgoingMessage): Record<string, unknown> {
  const base = { to: message.to, chatType: "singleChat" };
  switch (message.kind) {
    case "text":
      return {
        ...sdk.message.create({
          ...base,
          type: "txt",
          msg: message.text,
          ext: { ...message.ext, localId: message.id },
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
    case "readAll":
      return { ...sdk.message.create({ ...base, type: "channel" }), id: message.id };
  }
}

function handlersFor(events: ConnectionEvents): Record<string, (event: unknown) => void> {
  const parse =
    <T>(what: string, schema: z.ZodType<T>, use: (value: T) => void) =>
    (event: unknown): void => {
      const parsed = schema.safeParse(event);
      if (parsed.success) use(parsed.data);
      else events.bad(`chat: ${what} could not be understood`);
    };
  const onMessage = (event: unknown): void => {
    const message = toReceived(event);
    if (message !== null) events.message(message);
  };
  return {
    onConnected: () => events.connected(),
    onReconnecting: () => events.reconnecting(),
    onDisconnected: (reason) =>
      events.disconnected(reason === undefined || reason === null ? null : toFailure(reason)),
    onError: (error) => events.error(toFailure(error)),
    onTokenExpired: () => events.tokenExpired(),
    onTextMessage: onMessage,
    onImageMessage: onMessage,
    onFileMessage: onMessage,
    onAudioMessage: onMessage,
    onVideoMessage: onMessage,
    onCmdMessage: parse("a command", commandSchema, (data) => {
      if (!/^(singleChat|chat)$/i.test(data.chatType)) return;
      const { id: mid, from, to, action, ext, time: at } = data;
      events.command({ mid, from, to, action, ext, time: at });
    }),
    onDeliveredMessage: parse("a receipt", receiptSchema, (data) => events.delivered(data)),
    onReadMessage: parse("a receipt", receiptSchema, (data) => events.read(data)),
    onChannelMessage: parse("a receipt", channelSchema, (data) => {
      if (/^(singleChat|chat)$/i.test(data.chatType)) events.readAll(data);
    }),
    onRecallMessage: parse("a recall", receiptSchema, (data) => events.recalled(data)),
    onPresenceStatusChange: parse("a presence", presenceEventSchema, (data) =>
      // 4.21.1 gives every entry of one event the statusDetails of all entries together
      events.presence(
        data.map((entry): PresenceEntry => ({
          userName: entry.userId,
          online: data.length === 1 ? entry.statusDetails.some((d) => d.status !== 0) : null,
        })),
      ),
    ),
  };
}

const HANDLER = "core";

/** One connection object for one login: `close()` leaves the SDK's reconnect timer running, so none is used twice. */
export const createSdkConnection: CreateConnection = async (options, events) => {
  const sdk = unwrapSdk(await import("easemob-websdk"));
  sdk.logger?.disableAll?.();
  const { url, apiUrl, ...rest } = options;
  const conn = new sdk.connection({
    ...rest,
    ...(options.isHttpDNS ? {} : { url, apiUrl }),
    https: options.apiUrl.startsWith("https"),
  });
  forgiveLostReceipts(conn);
  conn.dataReport?.setIsCollectDt?.(false);
  conn.addEventHandler(HANDLER, handlersFor(events));
  let closed = false;
  const shut = (): void => {
    closed = true;
    conn.removeEventHandler(HANDLER);
    try {
      conn.close();
    } catch {
      // a connection that was never opened has nothing to close
    }
  };
  const guard = <T>(run: () => Promise<T>): Promise<T> =>
    Promise.resolve()
      .then(run)
      .catch((error: unknown) => {
        throw toFailure(error);
      });

  const connection: ChatConnection = {
    open: (login) =>
      guard(async () => {
        await conn.open(login);
        // closed during the login: the SDK opened its socket nevertheless
        if (closed) {
          shut();
          throw new ChatFailure(39, "closed");
        }
      }),
    close: shut,
    isOpen: () => !closed && conn.isOpened(),
    send: (message) => {
      // without guard(): the frame must be sent in this turn, or two sends could change order
      try {
        return conn.send(toSdkMessage(sdk, message)).then(
          (answer) => {
            const parsed = sentSchema.parse(answer);
            const at = parsed.message?.time ?? 0;
            return { mid: parsed.serverMsgId, time: Number.isFinite(at) && at > 0 ? at : null };
          },
          (error: unknown) => {
            throw toFailure(error);
          },
        );
      } catch (error) {
        return Promise.reject(toFailure(error));
      }
    },
    history: (chatId, cursor, limit) =>
      guard(async () => {
        const answer = historySchema.parse(
          await conn.getHistoryMessages({
            targetId: chatId,
            chatType: "singleChat",
            cursor: cursor ?? -1,
            pageSize: limit,
            searchDirection: "up",
          }),
        );
        const messages = answer.messages.map(toReceived).filter((message) => message !== null);
        return { messages, isLast: answer.isLast, cursor: answer.cursor ?? null };
      }),
    subscribePresence: (userNames, expiry) =>
      guard(async () => {
        const answer = await conn.subscribePresence({ usernames: [...userNames], expiry });
        return presenceResultSchema.parse(answer).map((row) => ({
          userName: row.uid,
          online: Object.values(row.status ?? {}).some((status) => Number(status) !== 0),
        }));
      }),
    probe: () => conn.onShow(),
  };
  return connection;
};
