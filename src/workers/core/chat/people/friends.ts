/**
 * Friends, their requests and the blacklist (docs/chat.md#friends-in-the-core): what the chat slice shows of them, and the commands
 * that change them. The provider makes the changes; what the server and the provider list then says what came of them.
 */
import { type NoticeKey, noticeFields } from "../../../../shared/domain/notice-texts.ts";
import { AppError } from "../../../../shared/errors.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import type { ChatFriends } from "../../../../shared/protocol/friend-model.ts";
import { noFriends } from "../../../../shared/protocol/initial-state.ts";
import { friendRequestsCall, friendsCall } from "../../../../shared/protocol/rest/im-friends.ts";
import type { Notice } from "../../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Store } from "../../contracts.ts";
import { createRereading } from "./rereading.ts";
import { within } from "../provider/deadline.ts";
import { toFriendError } from "../provider/failures.ts";
import type { Names } from "./names.ts";
import type { ChatConnection, ContactCalls, ContactNews } from "../provider/port.ts";

const PAGE = 200;
/** Requests that are shown. */
const REQUESTS = 100;
/** ms that a call may take: some of the SDK's promises never settle. */
const DEADLINE = 15_000;

/** What a person reads of the others' acts. A friendship that the other side ends shows in the list alone. */
const NOTICES: Partial<
  Record<ContactNews["kind"], { readonly key: NoticeKey; readonly style: Notice["style"] }>
> = {
  asked: { key: "friend.asked", style: "info" },
  agreed: { key: "friend.agreed", style: "success" },
  refused: { key: "friend.refused", style: "warning" },
};

export interface ChatFriendsPart {
  readonly handlers: Handlers<"friend">;
  /** The connection is open: anything may have changed meanwhile. */
  opened(): void;
  /** The connection is lost. */
  lost(): void;
  heard(news: ContactNews): void;
  /** What this person calls a friend; "" without it. */
  remarkOf(userName: string): string;
  /** A name became known. */
  named(userName: string, name: string): void;
  clear(): void;
}

export function createFriends(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random" | "log">;
  readonly http: Pick<Http, "call">;
  readonly store: Pick<Store, "get" | "set" | "notice">;
  readonly connection: () => ChatConnection | null;
  readonly names: Pick<Names, "nameOf" | "learn" | "lookUp">;
  /** Own user name once the chat is there. @throws AppError */
  readonly self: () => Promise<string>;
}): ChatFriendsPart {
  const { env, http, names, store } = deps;

  const show = (friends: ChatFriends): void => {
    if (JSON.stringify(store.get("chat").friends) === JSON.stringify(friends)) return;
    store.set(["chat", "friends"], friends);
  };
  const readFriends = async () => {
    const found = [];
    for (let cursor = 1; ; cursor += 1) {
      const page = await http.call(friendsCall, {
        query: { cursor, limit: PAGE, searchCount: false },
      });
      found.push(...page.records);
      if (page.records.length < PAGE) return found;
    }
  };
  const readOnce = async (isForgotten: () => boolean): Promise<void> => {
    const connection = deps.connection();
    if (connection === null) return;
    const { contacts } = connection;
    const [list, requests, blocked, remarks] = await Promise.all([
      readFriends(),
      http.call(friendRequestsCall, { query: { limit: REQUESTS } }),
      within(env.clock, DEADLINE, () => contacts.blocked()),
      within(env.clock, DEADLINE, () => contacts.remarks()),
    ]);
    if (isForgotten()) return;
    names.learn(list);
    names.learn(requests.filter(({ kind }) => kind === "received"));
    for (const userName of blocked) names.lookUp(userName);
    show({
      state: "ready",
      list: list.map((friend) => ({ ...friend, remark: remarks.get(friend.userName) ?? "" })),
      requests,
      blocked: blocked.map((userName) => ({ userName, name: names.nameOf(userName) ?? userName })),
    });
  };
  const rereading = createRereading({
    env,
    what: "friends",
    read: readOnce,
    onFailed: () => store.set(["chat", "friends", "state"], "failed"),
  });
  const { refresh } = rereading;
  const change = async (
    run: (contacts: ContactCalls, me: string) => Promise<void>,
  ): Promise<null> => {
    const me = await deps.self();
    const connection = deps.connection();
    if (connection === null) throw new AppError("chat.not-connected");
    try {
      await within(env.clock, DEADLINE, () => run(connection.contacts, me));
    } catch (error) {
      throw toFriendError(error);
    } finally {
      // also after a refusal: what the page showed was out of date
      await refresh();
    }
    return null;
  };
  return {
    handlers: {
      add: ({ userName, message }) =>
        change((contacts, me) => {
          if (userName === me) throw new AppError("request.invalid");
          return contacts.ask(userName, message);
        }),
      accept: ({ userName }) => change((contacts) => contacts.answer(userName, true)),
      decline: ({ userName }) => change((contacts) => contacts.answer(userName, false)),
      remove: ({ userName }) => change((contacts) => contacts.end(userName)),
      block: ({ userName }) => change((contacts) => contacts.block(userName, true)),
      unblock: ({ userName }) => change((contacts) => contacts.block(userName, false)),
      remark: ({ userName, remark }) => change((contacts) => contacts.remark(userName, remark)),
      async refresh() {
        await deps.self();
        await refresh();
        return null;
      },
    },
    opened: () => void refresh(),
    lost: rereading.forget,
    heard(news) {
      const { kind, from } = news;
      const isForgotten = rereading.watch();
      // the list brings the name of who asks
      void refresh().then(() => {
        const words = NOTICES[kind];
        if (words === undefined || isForgotten()) return;
        if (from === store.get("session").chatUserName) return;
        const person = names.nameOf(from) ?? from;
        store.notice({ style: words.style, ...noticeFields(words.key, { person }) });
      });
    },
    remarkOf(userName) {
      const { list } = store.get("chat").friends;
      return list.find((friend) => friend.userName === userName)?.remark ?? "";
    },
    named(userName, name) {
      const at = store.get("chat").friends.blocked.findIndex((one) => one.userName === userName);
      if (at >= 0) store.set(["chat", "friends", "blocked", at, "name"], name);
    },
    clear() {
      rereading.forget();
      show(noFriends());
    },
  };
}
