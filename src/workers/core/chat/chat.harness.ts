/** A chat server in memory, and connections to it that a test can cut. They imitate the measured behaviour of the real SDK. */
import { createStore, initialSlices } from "../store/index.ts";
import { createFakeEnv, settle, type FakeEnv } from "../core.fake.ts";
import type { Http, SessionUser } from "../contracts.ts";
import type { DataChanged } from "../../../shared/protocol/data-changed.ts";
import type { Notice } from "../../../shared/protocol/state.ts";
import { createChat, type Chat, type ChatDeps } from "./index.ts";
import {
  ChatFailure,
  type ChatConnection,
  type ConnectionEvents,
  type ConnectionOptions,
  type CreateConnection,
  type Login,
  type OutgoingMessage,
  type ReceivedMessage,
} from "./port.ts";

export interface Stored extends ReceivedMessage {
  readonly metaId: string;
}

/** Accepts each (sender, id) once, as the gateway does. */
export function createFakeServer() {
  const messages: Stored[] = [];
  let mids = 9_000_000_000_000_000_000n;
  let time = 1_700_000_000_000;
  const received: { from: string; message: OutgoingMessage }[] = [];
  return {
    messages,
    /** Every frame that arrived, including repeated ones. */
    received,
    accept(from: string, message: OutgoingMessage): { mid: string; time: number; fresh: boolean } {
      received.push({ from, message });
      const known = messages.find((each) => each.metaId === message.id && each.from === from);
      if (known !== undefined) return { mid: known.mid, time: known.time, fresh: false };
      const mid = String((mids += 1n));
      time += 1;
      if (message.kind === "text") {
        messages.push({
          mid,
          metaId: message.id,
          from,
          to: message.to,
          type: "text",
          msg: message.text,
          time,
          localId: message.id,
          read: false,
        });
      }
      return { mid, time, fresh: true };
    },
    /** Stores a message of a foreign client. */
    put(from: string, to: string, msg: string, at?: number): Stored {
      const stored: Stored = {
        mid: String((mids += 1n)),
        metaId: String(mids),
        from,
        to,
        type: "text",
        msg,
        time: at ?? (time += 1),
        localId: null,
        read: false,
      };
      messages.push(stored);
      return stored;
    },
    page(a: string, b: string, cursor: string | null, limit: number) {
      const all = messages
        .filter((m) => (m.from === a && m.to === b) || (m.from === b && m.to === a))
        .toSorted((x, y) => (BigInt(x.mid) < BigInt(y.mid) ? 1 : -1))
        .filter((m) => cursor === null || BigInt(m.mid) < BigInt(cursor));
      const page = all.slice(0, limit);
      return {
        messages: page,
        isLast: all.length <= limit,
        cursor: page.at(-1)?.mid ?? null,
      };
    },
  };
}
export type FakeServer = ReturnType<typeof createFakeServer>;

interface InFlight {
  readonly message: OutgoingMessage;
  resolve(answer: { mid: string; time: number | null }): void;
  reject(failure: ChatFailure): void;
}

export interface FakeConnection extends ChatConnection {
  readonly options: ConnectionOptions;
  readonly events: ConnectionEvents;
  readonly login: Login | null;
  readonly closed: boolean;
  readonly flying: readonly InFlight[];
  readonly subscribed: readonly string[][];
  probes: number;
  /** Completes the running login. */
  accept(): void;
  refuse(failure: ChatFailure): void;
  /** Delivers the oldest frame to the server, and its answer to the client unless `ack` is false. */
  deliver(ack?: boolean): void;
  answer(failure: ChatFailure): void;
  /** The socket drops; the SDK retries automatically. */
  drop(): void;
  /** The SDK's own reconnect succeeds. */
  back(): void;
  /** The SDK gives up. */
  giveUp(): void;
}

export interface Harness {
  readonly env: FakeEnv;
  readonly server: FakeServer;
  readonly connections: FakeConnection[];
  readonly notices: Omit<Notice, "id">[];
  readonly chat: Chat;
  readonly store: ReturnType<typeof createStore>;
  /** The latest connection. */
  conn(): FakeConnection;
  user(user: SessionUser | null): void;
  /** The messages that data changed. */
  readonly changes: readonly DataChanged[];
  /** How often chat reported that it is open. */
  openings(): number;
  accountCalls(): number;
  /** How often chat reported a suspected outage. */
  suspicions(): number;
  /** Reports the end of an outage to the core. */
  serverBack(): void;
  failAccount(error: Error | null): void;
  conversation(chatId: string): { text: string; status: string; bySelf: boolean }[];
  send(chatId: string, text: string, id?: string): Promise<string>;
}

export const ALICE: SessionUser = {
  accountId: "a1",
  username: "alice",
  name: "Alice",
  supplierId: "s1",
};

let commands = 0;

/** A small seeded generator, so that a failing run can be repeated. @returns 0..1 */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** @param over `env` and `server` of an earlier harness simulate a restarted core */
export function createHarness(
  over: {
    env?: FakeEnv;
    server?: FakeServer;
    user?: SessionUser | null;
    auto?: boolean;
    /** History requests are never answered. */
    silentHistory?: boolean;
    onCreate?: (connection: FakeConnection) => void;
  } = {},
): Harness {
  // two cores must not draw the same random numbers
  const env = over.env ?? createFakeEnv({ random: createRandom(7) });
  const server = over.server ?? createFakeServer();
  const connections: FakeConnection[] = [];
  const notices: Omit<Notice, "id">[] = [];
  const store = createStore({
    clock: env.clock,
    epoch: "e",
    newId: env.newId,
    slices: initialSlices({ coreId: "c", build: "b", now: env.clock.now() }),
  });
  let user = over.user === undefined ? ALICE : over.user;
  let accountCalls = 0;
  let accountError: Error | null = null;
  let suspicions = 0;
  const backHandlers = new Set<() => void>();
  const userHandlers = new Set<(user: SessionUser | null) => void>();

  const createConnection: CreateConnection = (options, events) => {
    let login: Login | null = null;
    let closed = false;
    let open = false;
    let entering: { resolve: () => void; reject: (failure: ChatFailure) => void } | null = null;
    let flying: InFlight[] = [];
    const subscribed: string[][] = [];
    const rejectAll = (): void => {
      const all = flying;
      flying = [];
      for (const each of all) each.reject(new ChatFailure(510, "websocket disconnected"));
    };
    const me = (): string => login?.user ?? "";
    const connection: FakeConnection = {
      options,
      events,
      probes: 0,
      get login() {
        return login;
      },
      get closed() {
        return closed;
      },
      get flying() {
        return flying;
      },
      subscribed,
      open(given) {
        login = given;
        return new Promise((resolve, reject) => {
          entering = { resolve, reject };
          if (over.auto !== false) connection.accept();
        });
      },
      close() {
        closed = true;
        open = false;
        rejectAll();
      },
      isOpen: () => open && !closed,
      send: (message) =>
        new Promise((resolve, reject) => {
          flying.push({ message, resolve, reject });
        }),
      history: (chatId, cursor, limit) =>
        over.silentHistory === true
          ? new Promise(() => undefined)
          : open
            ? Promise.resolve(server.page(me(), chatId, cursor, limit))
            : Promise.reject(new ChatFailure(16, "not open")),
      subscribePresence(names) {
        subscribed.push([...names]);
        return Promise.resolve(names.map((userName) => ({ userName, online: userName === "bob" })));
      },
      probe() {
        connection.probes += 1;
      },
      accept() {
        open = true;
        events.connected();
        entering?.resolve();
        entering = null;
      },
      refuse(failure) {
        entering?.reject(failure);
        entering = null;
      },
      deliver(ack = true) {
        const first = flying.shift();
        if (first === undefined) return;
        const { mid, time } = server.accept(me(), first.message);
        if (ack) first.resolve({ mid, time });
        else flying.unshift(first);
      },
      answer(failure) {
        flying.shift()?.reject(failure);
      },
      drop() {
        open = false;
        events.reconnecting();
        rejectAll();
      },
      back() {
        open = true;
        events.connected();
      },
      giveUp() {
        open = false;
        rejectAll();
        events.disconnected(new ChatFailure(16, "reconnection failed"));
      },
    };
    connections.push(connection);
    over.onCreate?.(connection);
    return Promise.resolve(connection);
  };

  const call = ((rest: { id: string }, input: { query: { userName?: string } }) => {
    if (rest.id === "im.userByName") {
      const userName = input.query.userName ?? "";
      return Promise.resolve({ userName, name: `名字-${userName}` });
    }
    accountCalls += 1;
    if (accountError !== null) return Promise.reject(accountError);
    return Promise.resolve({ userName: "alice", accountId: "a1", name: "Alice", password: "pw" });
  }) as unknown as Http["call"];

  const changes: DataChanged[] = [];
  let openings = 0;
  const deps: ChatDeps = {
    env,
    onDataChanged: (message) => void changes.push(message),
    onOpen: () => void (openings += 1),
    store: {
      get: store.get,
      set: store.set,
      del: store.del,
      notice: (n) => notices.push(n as never),
    },
    session: {
      user: () => user,
      onUser(handler) {
        userHandlers.add(handler);
        return () => userHandlers.delete(handler);
      },
    },
    http: { call },
    stats: { socket: () => undefined, socketTraffic: () => undefined },
    reach: {
      suspect: () => void (suspicions += 1),
      answered: () => undefined,
      onBack(handler) {
        backHandlers.add(handler);
        return () => backHandlers.delete(handler);
      },
      online: env.online,
    },
    createConnection,
  };
  const chat = createChat(deps);
  chat.start();

  return {
    env,
    server,
    connections,
    notices,
    chat,
    store,
    conn() {
      const last = connections.at(-1);
      if (last === undefined) throw new Error("no connection was opened");
      return last;
    },
    user(next) {
      user = next;
      for (const handler of userHandlers) handler(next);
    },
    changes,
    openings: () => openings,
    accountCalls: () => accountCalls,
    suspicions: () => suspicions,
    serverBack() {
      for (const handler of backHandlers) handler();
    },
    failAccount(error) {
      accountError = error;
    },
    conversation(chatId) {
      const conversation = store.get("chat").conversations[chatId];
      return (conversation?.order ?? []).map((id) => {
        const message = conversation?.messages[id];
        return {
          text: message?.msg ?? "",
          status: message?.status ?? "",
          bySelf: message?.bySelf ?? false,
        };
      });
    },
    async send(chatId, text, id) {
      const context = { tabId: "t", id: id ?? `command-${(commands += 1)}` };
      return (await chat.handlers.send({ chatId, text }, context)).id;
    },
  };
}

export { settle };
