/**
 * The only file that uses easemob-websdk 4.21.1. The SDK is loaded on demand, after the entry has set `window`, which the SDK reads
 * when its module is evaluated. All data from the SDK is parsed, because its code does not always keep to its types.
 */
import { z } from "../../../../shared/zod.ts";
import { groupChatId } from "../../../../shared/domain/group-chat.ts";
import { forgiveLostReceipts } from "./lost-receipts.ts";
import { countByServerTime, type TokenKeeper } from "./token-life.ts";
import { uploadFile } from "./sdk-upload.ts";
import { ChatFailure, type ChatConnection, type CreateConnection } from "./port.ts";
import { addressOf, id, type SdkMessages, toReceived, toSdkMessage } from "./sdk-messages.ts";
import { createCombinedCalls, type SdkCombinedParts, sendUploaded } from "./sdk-combined.ts";
import { createMessageCalls, type SdkMessageMethods } from "./sdk-changes.ts";
import { createKeepingCalls, type SdkKeepingMethods } from "./sdk-keeping.ts";
import { createContactCalls, type SdkContactMethods } from "./sdk-contacts.ts";
import { createGroupFileCalls, type SdkGroupFileMethods } from "./sdk-group-files.ts";
import { handlersFor } from "./sdk-events.ts";
import { toFailure } from "./sdk-failure.ts";
import { createGroupCalls, type SdkGroupMethods } from "./sdk-groups.ts";

interface SdkConnection
  extends
    SdkGroupMethods,
    SdkGroupFileMethods,
    SdkMessageMethods,
    SdkKeepingMethods,
    SdkContactMethods,
    TokenKeeper,
    SdkCombinedParts {
  open(login: object): Promise<unknown>;
  close(): void;
  isOpened(): boolean;
  send(message: object): Promise<unknown>;
  addEventHandler(id: string, handlers: Record<string, (event: unknown) => void>): void;
  removeEventHandler(id: string): void;
  getHistoryMessages(options: object): Promise<unknown>;
  subscribePresence(options: { usernames: string[]; expiry: number }): Promise<unknown>;
  onShow(): void;
  /** The chat token; "" without a login. */
  readonly token: string;
  dataReport?: { setIsCollectDt?(collect: boolean): void };
}
interface Sdk extends SdkMessages {
  connection: new (options: object) => SdkConnection;
  logger?: {
    setLevel?(level: "ERROR", persist: boolean): void;
    setConsoleLogVisibility?(visible: boolean): void;
    onLog?: (line: { readonly logs: readonly unknown[] }) => void;
  };
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

/**
 * Sets the specification's log level. Errors go to the core's log, with their first text alone: what follows it may be a message.
 *
 * @param write of the newest connection
 */
export function logErrorsAlone(
  { logger }: Pick<Sdk, "logger">,
  write: (text: string) => void,
): void {
  if (logger === undefined) return;
  logger.setLevel?.("ERROR", false);
  logger.setConsoleLogVisibility?.(false);
  logger.onLog = ({ logs: [first] }) =>
    write(typeof first === "string" ? first.slice(0, 200) : "an error");
}

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

const HANDLER = "core";

/** One connection object for one login: `close()` leaves the SDK's reconnect timer running, so none is used twice. */
export const createSdkConnection: CreateConnection = async (options, events, serverNow) => {
  const sdk = unwrapSdk(await import("easemob-websdk"));
  logErrorsAlone(sdk, (text) => events.bad(`the SDK says: ${text}`));
  const { url, apiUrl, resumableUploads: _ours, ...rest } = options;
  const conn = new sdk.connection({
    ...rest,
    ...(options.isHttpDNS ? {} : { url, apiUrl }),
    https: options.apiUrl.startsWith("https"),
  });
  forgiveLostReceipts(conn);
  countByServerTime(conn, serverNow);
  conn.dataReport?.setIsCollectDt?.(false);
  /** Group ids of this login; user names may be digits too. */
  const groupIds = new Set<string>();
  let self = "";
  conn.addEventHandler(
    HANDLER,
    handlersFor(
      events,
      ({ from, to }) =>
        groupIds.has(to) || (from !== self && to !== self && self !== "") ? groupChatId(to) : to,
      (groupId) => void groupIds.add(groupId),
    ),
  );
  const provider = `${options.apiUrl}/${options.appKey.replace("#", "/")}`;
  const files = `${provider}/chatfiles`;
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
        self = login.user;
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
        const given = { ...toSdkMessage(sdk, message), id: message.id };
        const sent = message.kind === "combined" ? sendUploaded(conn, given) : conn.send(given);
        return sent.then(
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
    upload: (upload) => {
      const { to, chatType } = addressOf(upload.to);
      const type = chatType === "groupChat" ? "GROUP" : "CHAT";
      return uploadFile(
        { ...upload, to },
        {
          files,
          token: conn.token,
          type,
          resumable: options.resumableUploads,
        },
      );
    },
    history: (chatId, cursor, limit, direction = "older") =>
      guard(async () => {
        const answer = historySchema.parse(
          await conn.getHistoryMessages({
            targetId: addressOf(chatId).to,
            chatType: addressOf(chatId).chatType,
            cursor: cursor ?? -1,
            pageSize: limit,
            searchDirection: direction === "older" ? "up" : "down",
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
    groups: createGroupCalls(conn, guard),
    groupFiles: createGroupFileCalls(
      conn,
      {
        group: (groupId) => `${provider}/chatgroups/${groupId}`,
        parts: options.resumableUploads ? `${files}/resumable` : null,
        token: () => conn.token,
      },
      guard,
    ),
    contacts: createContactCalls(conn, guard),
    messages: createMessageCalls(conn, sdk, guard),
    combined: createCombinedCalls(conn, options.apiUrl, guard),
    keeping: createKeepingCalls(conn, guard),
    knowGroups(ids) {
      for (const groupId of ids) groupIds.add(groupId);
    },
    probe: () => conn.onShow(),
  };
  return connection;
};
