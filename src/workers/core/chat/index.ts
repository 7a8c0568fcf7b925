/**
 * The chat module of the core (docs/chat.md): one chat connection for all tabs, conversations in the chat slice, an
 * outbox that survives connection and core, history, receipts, presence, and the command messages that carry calls.
 */
import { createLocalIds } from "../../../shared/domain/chat.ts";
import { groupIdOf } from "../../../shared/domain/group-chat.ts";
import { AppError } from "../../../shared/errors.ts";
import { createCache } from "./conversations/cache.ts";
import { createCallMessages } from "./calls/call-messages.ts";
import { createCallSignals } from "./calls/call-signals.ts";
import { createCatchingUp } from "./conversations/catching-up.ts";
import { createChanges } from "./conversations/changes.ts";
import { createConversations, type Conversations } from "./conversations/conversations.ts";
import { createDevice } from "./device.ts";
import { createGaps } from "./conversations/gaps.ts";
import { createFriends } from "./people/friends.ts";
import { createChatGroups } from "./groups/groups.ts";
import { createHandlers } from "./handlers.ts";
import { createHistory } from "./conversations/history.ts";
import { createInbound } from "./inbound.ts";
import { createKeeping } from "./conversations/keeping.ts";
import { createServerTime } from "../server-time.ts";
import { createChatLogin } from "./provider/connection.ts";
import { createNames } from "./people/names.ts";
import { createNews } from "./conversations/news.ts";
import type { Chat, ChatDeps } from "./contracts.ts";
import { createOutbox } from "./outbox/outbox.ts";
import { createOutboxShown } from "./conversations/outbox-shown.ts";
import { createOverview } from "./conversations/overview.ts";
import { createPerson } from "./person.ts";
import { createPresence } from "./people/presence.ts";
import { createReads } from "./conversations/reads.ts";
import { createTyping } from "./conversations/typing.ts";

export { createSdkConnection } from "./provider/sdk.ts";
export type { Chat, ChatDeps } from "./contracts.ts";

export function createChat(deps: ChatDeps): Chat {
  const { store, session, stats } = deps;
  const env = { ...deps.env, online: deps.reach.online };
  const serverNow = createServerTime(env.clock, store).now;
  const ids = createLocalIds(env.clock.now, env.random);
  let unlisten: (() => void) | null = null;
  const person = createPerson({
    env,
    store,
    parts: () => ({
      conversations,
      cache,
      outbox,
      gaps,
      ids,
      keeping,
      overview,
      presence,
      names,
      groups,
      friends,
      reads,
      typing,
      catchingUp,
      news,
      chatLogin,
    }),
  });
  const { me, self } = person;
  const notice = (style: "warning" | "error", { code, message }: AppError): void =>
    store.notice({ style, text: message, key: code, code });
  const bad = (what: string): void => env.log("chat", "warn", what);
  const connection = () => chatLogin.connection();
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
    onChange(chatId) {
      cache.changed(chatId);
      news.changed(chatId);
    },
    onBad: bad,
    onConfirmed: (id, mid, time) => outbox.confirmed(id, mid, time),
  });
  const shown = createOutboxShown({ store, me, conversations, traffic: sentOne });
  const outbox = createOutbox({ env, connection, slots: deps.slots, events: shown });
  const history = createHistory({
    clock: env.clock,
    conversations,
    gaps,
    connection,
    me,
  });
  const catchingUp = createCatchingUp({
    env,
    conversations,
    gaps,
    refresh: history.refresh,
    recheck: history.recheck,
    serverNow,
  });
  const presence = createPresence({ env, store, connection });
  const names = createNames({
    env,
    http: deps.http,
    remarkOf: (userName) => friends.remarkOf(userName),
    onName: (userName, name) => {
      groups.named(userName, name);
      friends.named(userName, name);
      if (conversations.get(userName) !== undefined) conversations.ensure(userName, name);
      news.named();
    },
  });
  const news = createNews({ env, store, tabs: deps.tabs, serverNow, nameOf: names.shown });
  const calls = createCallMessages({
    env,
    serverNow,
    newId: ids.next,
    connection,
    traffic: sentOne,
  });
  const signals = createCallSignals({
    env,
    device: device.id,
    newId: ids.next,
    connection,
    traffic: sentOne,
  });

  const typing = createTyping({
    env,
    store,
    connection,
    conversations,
    newId: ids.next,
    serverNow,
    traffic: sentOne,
  });
  const reads = createReads({ conversations, connection, newId: ids.next, traffic: sentOne });
  const groups = createChatGroups({
    env,
    http: deps.http,
    store,
    connection,
    conversations,
    names,
    self: self.name,
  });
  const friends = createFriends({
    env,
    http: deps.http,
    store,
    connection,
    names,
    self: self.name,
  });
  const keeping = createKeeping({
    env,
    store,
    connection,
    onShown: () => news.recount(),
    me,
    self: self.name,
  });
  const overview = createOverview({
    env,
    connection,
    conversations,
    names,
    groups,
    presence,
    reads,
    me,
    self: self.name,
  });
  const inbound = createInbound({
    onForgotten: conversations.drop,
    catchingUp,
    onKept: keeping.changed,
    me,
    ready: person.ready,
    conversations,
    names,
    presence,
    calls,
    signals,
    typing,
    groups,
    friends,
    onDataChanged: deps.onDataChanged,
    onAlert: deps.onAlert,
    traffic: () => stats.socketTraffic("chat", "received"),
    bad,
  });

  const chatLogin = createChatLogin({
    env: deps.env,
    http: deps.http,
    createConnection: (options, events) => deps.createConnection(options, events, serverNow),
    device: device.load,
    events: {
      account: person.account,
      open() {
        deps.reach.answered();
        deps.onOpen();
        signals.changed(true);
        void person.ready().then(() => {
          if (connection() === null) return;
          outbox.pump();
          presence.opened();
          groups.opened();
          friends.opened();
          keeping.opened();
          overview.opened();
          reads.opened();
          catchingUp.start();
        });
      },
      lost() {
        deps.reach.suspect();
        signals.changed(false);
        outbox.lost();
        keeping.lost();
        friends.lost();
        overview.lost();
        presence.lost();
        typing.clear();
        catchingUp.stop();
        for (const conversation of conversations.all()) gaps.open(conversation);
      },
      state(state, text, attempts) {
        if (store.get("chat").connection !== state) store.set(["chat", "connection"], state);
        if (store.get("chat").statusText !== text) store.set(["chat", "statusText"], text);
        stats.socket("chat", state, attempts);
      },
      kicked: () => notice("warning", new AppError("chat.kicked")),
      refused: (error) => notice("error", error),
      ...inbound,
    },
  });

  const { sendText, ...handlers } = createHandlers({
    self: self.name,
    connected: () => connection() !== null,
    nudge: chatLogin.nudge,
    serverNow,
    newId: ids.next,
    names: () => store.get("chat").names,
    nameOf: (userName) =>
      userName === me() ? (person.user()?.name ?? null) : (names.nameOf(userName) ?? null),
    asksReaders: groups.asksReaders,
    onOpen(chatId, name) {
      catchingUp.opened(chatId);
      if (groupIdOf(chatId) !== null) return;
      names.learn([{ userName: chatId, name }]);
      presence.watch([chatId]);
    },
    conversations,
    outbox,
    history,
    reads,
    typing,
  });

  const changes = createChanges({ env, connection, conversations, self: self.name });

  return {
    handlers: { ...handlers, ...changes, ...keeping.handlers, ...overview.handlers },
    groups: groups.handlers,
    readGroupFile: groups.readFile,
    friends: friends.handlers,
    commands: {
      me,
      device: device.id,
      send: calls.send,
      onMessage: calls.onMessage,
      nameOf: (userName) => names.nameOf(userName) ?? conversations.get(userName)?.name ?? userName,
      shownName: names.shown,
      findName: names.find,
    },
    signals,
    sendText,
    watchPresence: presence.watch,
    learnNames: names.learn,
    rest: chatLogin.rest,
    wake: chatLogin.wake,
    start() {
      if (unlisten !== null) return;
      void device.load();
      const ends = [session.onUser(person.onUser), deps.reach.onBack(chatLogin.hurry)];
      unlisten = () => {
        for (const end of ends) end();
      };
      const user = session.user();
      if (user !== null) person.onUser(user);
    },
    async stop() {
      unlisten?.();
      unlisten = null;
      person.leave();
      chatLogin.logout();
      outbox.close();
      keeping.lost();
      overview.lost();
      presence.clear();
      groups.clear();
      catchingUp.clear();
      typing.clear();
      news.stop();
      self.recheck();
      await Promise.all([cache.flush(), outbox.settled()]);
      cache.close();
    },
  };
}
