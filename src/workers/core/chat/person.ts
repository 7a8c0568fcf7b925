/**
 * Whose chat it is: the login, its chat account, and what an earlier core stored for that account. A logout hides and deletes what the
 * next person at this machine must not see (docs/chat.md#connection).
 */
import { groupIdOf } from "../../../shared/domain/group-chat.ts";
import type { LocalIds } from "../../../shared/domain/chat.ts";
import type { CoreEnv, SessionUser, Store } from "../contracts.ts";
import type { Cache } from "./conversations/cache.ts";
import type { CatchingUp } from "./conversations/catching-up.ts";
import type { ChatLogin } from "./provider/connection.ts";
import type { Conversations } from "./conversations/conversations.ts";
import type { ChatFriendsPart } from "./people/friends.ts";
import type { Gaps } from "./conversations/gaps.ts";
import type { ChatGroups } from "./groups/groups.ts";
import type { Keeping } from "./conversations/keeping.ts";
import { landedMessage, pendingMessage } from "./conversations/message.ts";
import type { Names } from "./people/names.ts";
import type { News } from "./conversations/news.ts";
import type { Outbox } from "./outbox/outbox-contract.ts";
import type { Overview } from "./conversations/overview.ts";
import type { Presence } from "./people/presence.ts";
import type { Reads } from "./conversations/reads.ts";
import { createSelf, type Self } from "./people/self.ts";
import type { Typing } from "./conversations/typing.ts";

const accountKey = (accountId: string): string => `chat.account.${accountId}`;

/** The parts of the module that hold something of the person. */
export interface PersonParts {
  readonly conversations: Pick<Conversations, "restore" | "get" | "putOwn" | "clear">;
  readonly cache: Pick<Cache, "load" | "close" | "drop">;
  readonly outbox: Pick<Outbox, "load" | "pump" | "close" | "dropLanded">;
  readonly gaps: Pick<Gaps, "open" | "clear">;
  readonly ids: Pick<LocalIds, "after">;
  readonly keeping: Pick<Keeping, "load" | "lost" | "drop">;
  readonly overview: Pick<Overview, "lost">;
  readonly presence: Pick<Presence, "watch" | "clear">;
  readonly names: Pick<Names, "clear">;
  readonly groups: Pick<ChatGroups, "wrote" | "clear">;
  readonly friends: Pick<ChatFriendsPart, "clear">;
  readonly reads: Pick<Reads, "clear">;
  readonly typing: Pick<Typing, "clear">;
  readonly catchingUp: Pick<CatchingUp, "clear">;
  readonly news: Pick<News, "recount" | "clear">;
  readonly chatLogin: Pick<ChatLogin, "login" | "logout">;
}

export interface Person {
  /** Own chat user name; null until it is known. */
  me(): string | null;
  /** The login; null without one. */
  user(): SessionUser | null;
  /** Resolves when the chat of the person is restored from storage; commands wait for it. */
  ready(): Promise<void>;
  readonly self: Self;
  /** The chat account of the login is known. */
  account(userName: string): void;
  /** Somebody logged in (again), or out. */
  onUser(user: SessionUser | null): void;
  /** The core ends: the person is left, and what is shown and stored stays. */
  leave(): void;
}

interface State {
  me: string | null;
  user: SessionUser | null;
  ready: Promise<void>;
}

export function createPerson(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "log">;
  readonly store: Pick<Store, "get" | "set">;
  readonly parts: () => PersonParts;
}): Person {
  const { env, store } = deps;
  const s: State = { me: null, user: null, ready: Promise.resolve() };
  const self = createSelf({
    clock: env.clock,
    loggedIn: () => s.user !== null,
    me: () => s.me,
    ready: () => s.ready,
  });

  /** Shows what an earlier core stored for this account, before the server is asked. */
  const restore = async (userName: string): Promise<void> => {
    const p = deps.parts();
    await p.keeping.load(userName);
    const copies = await p.cache.load(userName);
    const { entries, landed } = await p.outbox.load(userName);
    if (s.me !== userName) return;
    const waiting = new Set(entries.map((entry) => entry.id));
    for (const { id } of [...entries, ...landed]) p.ids.after(id);
    for (const { conversation, mark } of copies) {
      p.gaps.open(conversation, mark);
      for (const message of Object.values(conversation.messages)) {
        // it is no longer in the outbox, so the server has it and only the copy is out of date
        if (message.status === "sending" && !waiting.has(message.id)) message.status = "sent";
      }
    }
    p.conversations.restore(copies.map((copy) => copy.conversation));
    for (const entry of landed) {
      const known = p.conversations.get(entry.to)?.messages[entry.id];
      if ((known?.mid ?? null) === null) p.conversations.putOwn(landedMessage(entry, userName));
    }
    for (const entry of entries) p.conversations.putOwn(pendingMessage(entry, userName));
    const people: string[] = [];
    for (const { conversation } of copies) {
      const groupId = groupIdOf(conversation.chatId);
      const last = conversation.messages[conversation.order.at(-1) ?? ""];
      if (groupId === null) people.push(conversation.chatId);
      else if (last !== undefined) p.groups.wrote(groupId, last.from);
    }
    p.news.recount();
    p.presence.watch(people);
    p.outbox.pump();
  };
  const setMe = (userName: string): Promise<void> => {
    if (s.me === userName) return s.ready;
    s.me = userName;
    store.set(["session", "chatUserName"], userName);
    s.ready = restore(userName)
      .catch((error: unknown) =>
        env.log(
          "chat",
          "error",
          `not restored, ${error instanceof Error ? error.message : "error"}`,
        ),
      )
      .then(() => {
        if (s.me === userName) store.set(["chat", "restored"], true);
      });
    self.recheck();
    return s.ready;
  };

  const onUser = (user: SessionUser | null): void => {
    const p = deps.parts();
    if (user === null) {
      const left = s.me;
      const had = s.user !== null;
      s.user = null;
      s.me = null;
      p.chatLogin.logout();
      p.outbox.close();
      p.keeping.lost();
      p.overview.lost();
      p.presence.clear();
      p.names.clear();
      p.groups.clear();
      p.friends.clear();
      store.set(["chat", "groups"], {});
      store.set(["chat", "groupRequests"], []);
      store.set(["chat", "names"], {});
      p.reads.clear();
      p.typing.clear();
      p.catchingUp.clear();
      p.gaps.clear();
      p.cache.close();
      self.recheck();
      if (!had) return;
      p.conversations.clear();
      p.news.clear();
      store.set(["chat", "restored"], false);
      store.set(["session", "chatUserName"], null);
      // Unsent messages stay for the next login. Received ones are deleted, because the machine may be shared.
      if (left !== null)
        void Promise.all([p.cache.drop(left), p.outbox.dropLanded(left), p.keeping.drop(left)]);
      return;
    }
    if (s.user !== null && s.user.accountId !== user.accountId) onUser(null);
    const again = s.user?.accountId === user.accountId;
    s.user = user;
    if (again && s.me !== null) {
      if (store.get("session").chatUserName !== s.me) store.set(["session", "chatUserName"], s.me);
      return p.chatLogin.login(user);
    }
    s.ready = env.kv.get<unknown>(accountKey(user.accountId)).then(
      (known) => {
        if (s.user?.accountId !== user.accountId || typeof known !== "string") return;
        if (s.me === null) return setMe(known);
      },
      () => env.log("chat", "error", "the storage could not be read"),
    );
    p.chatLogin.login(user);
  };

  return {
    me: () => s.me,
    user: () => s.user,
    ready: () => s.ready,
    self,
    account(userName) {
      if (s.user !== null) void env.kv.set(accountKey(s.user.accountId), userName);
      void setMe(userName);
    },
    onUser,
    leave() {
      s.user = null;
      s.me = null;
    },
  };
}
