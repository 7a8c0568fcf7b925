/**
 * The chat module of the core (docs/chat.md): one chat connection for all tabs, conversations in the chat slice, an
 * outbox that survives connection and core, history, receipts, presence, and the command messages that carry calls.
 */
import { createLocalIds } from "../../../shared/domain/chat.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { DataChanged } from "../../../shared/protocol/data-changed.ts";
import type {
  ChatCommands,
  CoreEnv,
  Http,
  Reach,
  Session,
  SessionUser,
  Stats,
  Store,
} from "../contracts.ts";
import { createCache } from "./cache.ts";
import { createCallMessages } from "./call-messages.ts";
import { createCatchingUp } from "./catching-up.ts";
import { createConversations, type Conversations } from "./conversations.ts";
import { createDevice } from "./device.ts";
import { createGaps } from "./gaps.ts";
import { isNotAllowed } from "./failures.ts";
import { createHandlers } from "./handlers.ts";
import { createHistory } from "./history.ts";
import { createInbound } from "./inbound.ts";
import { createChatLogin } from "./connection.ts";
import { landedMessage, pendingMessage } from "./message.ts";
import { createNames } from "./names.ts";
import { createOutbox } from "./outbox.ts";
import type { CreateConnection } from "./port.ts";
import { createPresence } from "./presence.ts";
import { createReads } from "./reads.ts";
import { createSelf } from "./self.ts";

export { createSdkConnection } from "./sdk.ts";
export type { CreateConnection } from "./port.ts";

const accountKey = (accountId: string): string => `chat.account.${accountId}`;

export interface ChatDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "kv" | "online" | "random" | "newId" | "origin" | "config" | "report"
  >;
  readonly store: Pick<Store, "get" | "set" | "del" | "notice">;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly http: Pick<Http, "call">;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  readonly reach: Reach;
  readonly createConnection: CreateConnection;
  /** The server told that data changed. */
  readonly onDataChanged: (message: DataChanged) => void;
  /** The connection is open, so changes before were not told. */
  readonly onOpen: () => void;
}

export interface Chat {
  readonly handlers: Handlers<"chat">;
  readonly commands: ChatCommands;
  /** Puts a text with extension fields into the outbox; resolves once it is stored. @throws AppError */
  sendText(to: string, text: string, ext: Readonly<Record<string, unknown>>): Promise<void>;
  /** Watches the presence of these people from now on. */
  watchPresence(userNames: readonly string[]): void;
  /** Remembers the display names of these people. */
  learnNames(people: readonly { readonly userName: string; readonly name: string }[]): void;
  /** Closes the connection until `wake`, while the person has no tab; messages wait on the server meanwhile. */
  rest(): void;
  wake(): void;
  start(): void;
  /** Ends the connection and stores what is not stored yet. */
  stop(): Promise<void>;
}

export function createChat(deps: ChatDeps): Chat {
  const { env, store, session, stats } = deps;
  const serverNow = (): number => env.clock.now() + store.get("session").serverTimeOffset;
  const ids = createLocalIds(env.clock.now, env.random);
  let me: string | null = null;
  let unlisten: (() => void) | null = null;
  /** Resolves when the user's chat is restored from storage; commands wait for it. */
  let ready: Promise<void> = Promise.resolve();
  let current: SessionUser | null = null;
  const self = createSelf({
    clock: env.clock,
    loggedIn: () => current !== null,
    me: () => me,
    ready: () => ready,
  });
  const connection = () => link.connection();
  const sentOne = (): void => stats.socketTraffic("chat", "sent");

  const device = createDevice(env);
  const gaps = createGaps();
  const cache = createCache({
    env,
    conversations: (): Conversations => conversations,
    gaps,
    onWritten: (written) => outbox.copied(written),
  });
  const conversations = createConversations({
    store,
    onChange: (chatId) => cache.changed(chatId),
    onBad: env.report,
    onConfirmed: (id) => outbox.confirmed(id),
  });
  const outbox = createOutbox({
    env,
    connection,
    events: {
      sent: (entry, mid, time) => conversations.sent(entry.to, entry.id, mid, time),
      refused(entry, failure) {
        conversations.setStatus(entry.to, entry.id, "failed");
        const code = isNotAllowed(failure.type) ? "chat.not-allowed" : "chat.send-failed";
        store.notice({ style: "error", text: new AppError(code).message, key: code, code });
      },
      traffic: sentOne,
    },
  });
  const history = createHistory({
    clock: env.clock,
    conversations,
    gaps,
    connection,
    me: () => me,
  });
  const catchingUp = createCatchingUp({
    env,
    conversations,
    gaps,
    refresh: history.refresh,
    serverNow,
  });
  const presence = createPresence({ env, store, connection });
  const names = createNames({
    env,
    http: deps.http,
    onName: (userName, name) => {
      if (conversations.get(userName) !== undefined) conversations.ensure(userName, name);
    },
  });
  const calls = createCallMessages({
    env,
    serverNow,
    newId: ids.next,
    connection,
    traffic: sentOne,
  });

  const reads = createReads({ conversations, connection, newId: ids.next, traffic: sentOne });
  const inbound = createInbound({
    me: () => me,
    ready: () => ready,
    conversations,
    names,
    presence,
    calls,
    onDataChanged: deps.onDataChanged,
    traffic: () => stats.socketTraffic("chat", "received"),
    report: env.report,
  });

  /** Shows what an earlier core stored for this account, before the server is asked. */
  const restore = async (userName: string): Promise<void> => {
    const copies = await cache.load(userName);
    const { entries, landed } = await outbox.load(userName);
    if (me !== userName) return;
    const waiting = new Set(entries.map((entry) => entry.id));
    for (const { id } of [...entries, ...landed]) ids.after(id);
    for (const { conversation, mark } of copies) {
      gaps.open(conversation, mark);
      for (const message of Object.values(conversation.messages)) {
        // it is no longer in the outbox, so the server has it and only the copy is out of date
        if (message.status === "sending" && !waiting.has(message.id)) message.status = "sent";
      }
    }
    conversations.restore(copies.map((copy) => copy.conversation));
    for (const entry of landed) {
      const known = conversations.get(entry.to)?.messages[entry.id];
      if ((known?.mid ?? null) === null) conversations.putOwn(landedMessage(entry, userName));
    }
    for (const entry of entries) conversations.putOwn(pendingMessage(entry, userName));
    presence.watch(copies.map((copy) => copy.conversation.chatId));
    outbox.pump();
  };
  const setMe = (userName: string): Promise<void> => {
    if (me === userName) return ready;
    me = userName;
    store.set(["session", "chatUserName"], userName);
    ready = restore(userName)
      .catch((error: unknown) =>
        env.report(`chat: not restored, ${error instanceof Error ? error.message : "error"}`),
      )
      .then(() => {
        if (me === userName) store.set(["chat", "restored"], true);
      });
    self.tell();
    return ready;
  };

  const link = createChatLogin({
    env,
    http: deps.http,
    createConnection: deps.createConnection,
    device: device.load,
    events: {
      account(userName) {
        if (current !== null) void env.kv.set(accountKey(current.accountId), userName);
        void setMe(userName);
      },
      open() {
        deps.reach.answered();
        deps.onOpen();
        void ready.then(() => {
          if (connection() === null) return;
          outbox.pump();
          presence.opened();
          reads.opened();
          catchingUp.start();
        });
      },
      lost() {
        deps.reach.suspect();
        outbox.lost();
        presence.lost();
        catchingUp.stop();
        for (const conversation of conversations.all()) gaps.open(conversation);
      },
      state(state, text, attempts) {
        if (store.get("chat").connection !== state) store.set(["chat", "connection"], state);
        if (store.get("chat").statusText !== text) store.set(["chat", "statusText"], text);
        stats.socket("chat", state, attempts);
      },
      kicked() {
        const error = new AppError("chat.kicked");
        store.notice({ style: "warning", text: error.message, key: error.code, code: error.code });
      },
      refused(error) {
        store.notice({ style: "error", text: error.message, key: error.code, code: error.code });
      },
      ...inbound,
    },
  });

  const onUser = (user: SessionUser | null): void => {
    if (user === null) {
      const left = me;
      const had = current !== null;
      current = null;
      me = null;
      link.logout();
      outbox.close();
      presence.clear();
      names.clear();
      reads.clear();
      catchingUp.clear();
      gaps.clear();
      cache.close();
      self.tell();
      if (!had) return;
      conversations.clear();
      store.set(["chat", "restored"], false);
      store.set(["session", "chatUserName"], null);
      // Unsent messages stay for the next login. Received ones are deleted, because the machine may be shared.
      if (left !== null) void Promise.all([cache.drop(left), outbox.dropLanded(left)]);
      return;
    }
    if (current !== null && current.accountId !== user.accountId) onUser(null);
    const again = current?.accountId === user.accountId;
    current = user;
    if (again && me !== null) {
      if (store.get("session").chatUserName !== me) store.set(["session", "chatUserName"], me);
      return link.login(user);
    }
    ready = env.kv.get<unknown>(accountKey(user.accountId)).then(
      (known) => {
        if (current?.accountId !== user.accountId || typeof known !== "string") return;
        if (me === null) return setMe(known);
      },
      () => env.report("chat: the storage could not be read"),
    );
    link.login(user);
  };

  const { sendText, ...handlers } = createHandlers({
    self: self.name,
    connected: () => connection() !== null,
    nudge: link.nudge,
    serverNow,
    newId: ids.next,
    onOpen(chatId, name) {
      catchingUp.opened(chatId);
      names.learn([{ userName: chatId, name }]);
      presence.watch([chatId]);
    },
    conversations,
    outbox,
    history,
    reads,
  });

  return {
    handlers,
    commands: {
      me: () => me,
      device: device.id,
      send: calls.send,
      onMessage: calls.onMessage,
      nameOf: (userName) => names.of(userName) ?? conversations.get(userName)?.name ?? userName,
    },
    sendText,
    watchPresence: presence.watch,
    learnNames: names.learn,
    rest: link.rest,
    wake: link.wake,
    start() {
      if (unlisten !== null) return;
      void device.load();
      const ends = [session.onUser(onUser), deps.reach.onBack(link.hurry)];
      unlisten = () => {
        for (const end of ends) end();
      };
      const user = session.user();
      if (user !== null) onUser(user);
    },
    async stop() {
      unlisten?.();
      unlisten = null;
      current = null;
      me = null;
      link.logout();
      outbox.close();
      presence.clear();
      catchingUp.clear();
      self.tell();
      await cache.flush();
      cache.close();
    },
  };
}
