/** Commands that change a message which the server has (docs/chat.md#edits). They need the connection: a change is not kept for later. */
import { AppError, type ErrorCode } from "../../../../shared/errors.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { CoreEnv } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { within } from "../provider/deadline.ts";
import { FAILURE, refusalCode, toAppError } from "../provider/failures.ts";
import { ChatFailure, type ChatConnection } from "../provider/port.ts";

/** ms that a change may take. */
const DEADLINE = 15_000;
/** ms for what takes several requests or a file. */
const LONG_DEADLINE = 45_000;

/** The message is gone, or belongs to a conversation that this person no longer sees. */
const GONE: ReadonlySet<number> = new Set([1302]);
const EDIT_LIMIT = 50;

export function createChanges(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly connection: () => ChatConnection | null;
  readonly conversations: Conversations;
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
}): Pick<Handlers<"chat">, "edit" | "recall" | "react" | "erase" | "readCombined"> {
  const { conversations } = deps;

  /** A message that the server has. @throws AppError */
  const find = (chatId: string, id: string): ChatMessage & { readonly mid: string } => {
    const message = conversations.get(chatId)?.messages[id];
    if (message === undefined || message.mid === null || message.status === "recall") {
      throw new AppError("request.not-found");
    }
    return { ...message, mid: message.mid };
  };
  const own = (chatId: string, id: string): ReturnType<typeof find> => {
    const message = find(chatId, id);
    if (!message.bySelf) throw new AppError("chat.not-allowed");
    return message;
  };
  /** @param refused why the server refuses for good what has no code of its own */
  const ask = async <T>(
    run: (connection: ChatConnection) => Promise<T>,
    refused: ErrorCode,
    deadline = DEADLINE,
  ): Promise<T> => {
    const connection = deps.connection();
    if (connection === null) throw new AppError("chat.not-connected");
    try {
      return await within(deps.env.clock, deadline, () => run(connection));
    } catch (error) {
      if (!(error instanceof ChatFailure)) throw toAppError(error, refused);
      if (GONE.has(error.type)) throw new AppError("request.not-found");
      const code = refusalCode(error);
      throw code === "chat.send-failed" ? toAppError(error, refused) : new AppError(code);
    }
  };

  return {
    async edit({ chatId, id, text }) {
      const me = await deps.self();
      const { mid, type, msg } = own(chatId, id);
      if (type !== "text") throw new AppError("request.invalid");
      if (text === msg) return null;
      const edits = await ask(
        (connection) =>
          connection.messages.edit({ to: chatId, mid, text }).catch((error: unknown) => {
            const limit = error instanceof ChatFailure && error.type === EDIT_LIMIT;
            throw limit ? new AppError("chat.edit-limit") : error;
          }),
        "server.unavailable",
      );
      conversations.edited(me, { mid, from: me, to: chatId, msg: text, edits });
      return null;
    },
    async react({ chatId, id, reaction, on }) {
      await deps.self();
      const { mid } = find(chatId, id);
      // the server tells this device too, which changes the message
      await ask(
        (connection) =>
          connection.messages.react(mid, reaction, on).catch((error: unknown) => {
            const refused = error instanceof ChatFailure && error.type === FAILURE.notAllowed;
            // In a group, only a mute refuses the reaction of a member.
            throw refused && chatId.startsWith("#") ? new AppError("chat.muted") : error;
          }),
        "server.unavailable",
      );
      return null;
    },
    async erase({ chatId, ids }) {
      await deps.self();
      const mids = ids.map((id) => find(chatId, id).mid);
      await ask(
        (connection) => connection.messages.erase(chatId, mids),
        "server.unavailable",
        LONG_DEADLINE,
      );
      for (const id of ids) conversations.remove(chatId, id);
      return null;
    },
    async readCombined({ url }) {
      await deps.self();
      return await ask(
        (connection) =>
          connection.combined.read(url).catch((error: unknown) => {
            if (!(error instanceof ChatFailure)) throw error;
            // a secret that is no longer right means the same to a person
            if (error.type === FAILURE.fileGone || error.type === FAILURE.notAllowed) {
              throw new AppError("chat.combined-gone");
            }
            throw error.type === FAILURE.unreadable
              ? new AppError("chat.combined-unreadable")
              : error;
          }),
        "server.unavailable",
        LONG_DEADLINE,
      );
    },
    async recall({ chatId, id }) {
      const me = await deps.self();
      const { mid } = own(chatId, id);
      await ask(
        (connection) => connection.messages.recall({ to: chatId, mid }),
        "chat.recall-failed",
      );
      conversations.recall(me, { mid, from: me, to: chatId, time: 0 });
      return null;
    },
  };
}
