/**
 * The list of conversations as the provider has it (docs/chat.md#list): a new device shows all of them at once, and the numbers of
 * unread messages are those of all devices.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import { isSafeKey } from "../../../../shared/domain/chat.ts";
import { chatIdSchema, groupIdOf } from "../../../../shared/domain/group-chat.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import type { CoreEnv, Timer } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { within } from "../provider/deadline.ts";
import { toAppError } from "../provider/failures.ts";
import type { ChatGroups } from "../groups/groups.ts";
import type { Names } from "../people/names.ts";
import type { ChatConnection, ListedConversation } from "../provider/port.ts";
import type { Presence } from "../people/presence.ts";
import type { Reads } from "./reads.ts";

/** ms that a call may take. */
const DEADLINE = 15_000;

export interface Overview {
  readonly handlers: Pick<Handlers<"chat">, "forget">;
  /** The connection is open: reads the list. */
  opened(): void;
  /** The connection is lost. */
  lost(): void;
}

export function createOverview(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random" | "log">;
  readonly connection: () => ChatConnection | null;
  readonly conversations: Pick<Conversations, "get" | "ensure" | "listed" | "readings" | "drop">;
  readonly names: Pick<Names, "nameOf" | "lookUp">;
  readonly groups: Pick<ChatGroups, "wrote" | "nameOf">;
  readonly presence: Pick<Presence, "watch">;
  readonly reads: Pick<Reads, "waits" | "again">;
  readonly me: () => string | null;
  /** Own user name once the chat of this person is restored. @throws AppError */
  readonly self: () => Promise<string>;
}): Overview {
  const { env, conversations, names } = deps;
  let retry: Timer | null = null;
  /** Raised by each loss, so that an answer from before it is not shown. */
  let generation = 0;

  const show = (me: string, row: ListedConversation, asOf: number): void => {
    const { chatId, last } = row;
    if (!chatIdSchema.safeParse(chatId).success || !isSafeKey(chatId) || last === null) return;
    // The provider does not have our read mark yet.
    if (deps.reads.waits(chatId)) return;
    const fresh = conversations.get(chatId) === undefined;
    // This conversation was read before its unread count was known, so the mark is sent again.
    if (conversations.listed(me, row, asOf)) deps.reads.again(chatId);
    if (!fresh || conversations.get(chatId) === undefined) return;
    const groupId = groupIdOf(chatId);
    if (groupId !== null) {
      conversations.ensure(chatId, deps.groups.nameOf(groupId) ?? "");
      return deps.groups.wrote(groupId, last.from);
    }
    const name = names.nameOf(chatId);
    if (name === null) names.lookUp(chatId);
    else conversations.ensure(chatId, name);
    deps.presence.watch([chatId]);
  };
  const stop = (): void => {
    generation += 1;
    retry?.cancel();
    retry = null;
  };
  const read = (tries = 0): void => {
    stop();
    const ownGeneration = generation;
    const connection = deps.connection();
    const me = deps.me();
    if (connection === null || me === null) return;
    const asOf = conversations.readings();
    within(env.clock, DEADLINE, () => connection.keeping.list()).then(
      (rows) => {
        if (ownGeneration !== generation || deps.me() !== me) return;
        for (const row of rows) show(me, row, asOf);
      },
      () => {
        if (ownGeneration !== generation) return;
        env.log("chat", "warn", "the list of conversations was not read");
        retry = env.clock.after(reconnectDelay(tries + 1, env.random()), () => read(tries + 1));
      },
    );
  };

  return {
    handlers: {
      async forget({ chatId }) {
        await deps.self();
        const connection = deps.connection();
        if (connection === null) throw new AppError("chat.not-connected");
        try {
          await within(env.clock, DEADLINE, () => connection.keeping.forget(chatId));
        } catch (error) {
          throw toAppError(error, "server.unavailable");
        }
        conversations.drop(chatId);
        return null;
      },
    },
    opened: () => read(),
    lost: stop,
  };
}
