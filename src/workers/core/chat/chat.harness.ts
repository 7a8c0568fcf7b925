/** Connections to the fake server that a test can cut. They imitate the measured behaviour of the real SDK. */
import { createStore, initialSlices } from "../store/index.ts";
import { createFakeEnv, settle, type FakeEnv } from "../core.fake.ts";
import type { Http, SessionUser, TabInfo } from "../contracts.ts";
import type { DataChanged } from "../../../shared/protocol/data-changed.ts";
import type { Notice } from "../../../shared/protocol/state.ts";
import { createChat, type Chat, type ChatDeps } from "./index.ts";
import {
  ChatFailure,
  type ChatConnection,
  type ConnectionEvents,
  type ContactCalls,
  type GroupFileCalls,
  type ConnectionOptions,
  type CreateConnection,
  type GroupCalls,
  type Login,
  type OutgoingMessage,
  type Upload,
  type UploadedFile,
} from "./provider/port.ts";
import { createTransferSlots } from "../transfers/slots.ts";
import { createFakeServer, type FakeServer } from "./provider/server.fake.ts";

export type { Stored } from "./provider/server.fake.ts";

interface InFlight {
  readonly message: OutgoingMessage;
  resolve(answer: { mid: string; time: number | null }): void;
  reject(failure: ChatFailure): void;
}

export interface FakeUpload extends Upload {
  resolve(uploaded: UploadedFile): void;
  reject(failure: ChatFailure): void;
}

type ShareInput = Parameters<GroupFileCalls["share"]>[1];
export interface FakeShare extends ShareInput {
  resolve(): void;
  reject(failure: ChatFailure): void;
}

export interface FakeConnection extends ChatConnection {
  /** Uploads that were begun, the oldest first. */
  readonly uploads: readonly FakeUpload[];
  /** Files that were begun to be shared with a group. */
  readonly sharing: readonly FakeShare[];
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
  /** The tabs of the person, the best first. */
  tabs: TabInfo[];
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
    const uploads: FakeUpload[] = [];
    const sharing: FakeShare[] = [];
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
      uploads,
      upload: (upload) =>
        new Promise((resolve, reject) => {
          uploads.push({ ...upload, resolve, reject });
          upload.signal.addEventListener("abort", () => reject(new ChatFailure(16, "aborted")));
        }),
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
      messages: {
        edit({ mid, text }) {
          const at = server.messages.findIndex((each) => each.mid === mid);
          const known = server.messages[at];
          if (known === undefined) return Promise.reject(new ChatFailure(1302, "gone"));
          server.messages[at] = { ...known, msg: text, edits: known.edits + 1 };
          return server.changeAnswer().then(() => known.edits + 1);
        },
        recall: () => server.changeAnswer(),
        react(...given) {
          server.reacted.push(given);
          return server.changeAnswer();
        },
        erase(_chatId, mids) {
          const kept = server.messages.filter(({ mid }) => !mids.includes(mid));
          server.messages.splice(0, server.messages.length, ...kept);
          return server.changeAnswer();
        },
      },
      combined: {
        encode: (sources) => new Blob([JSON.stringify(sources)]),
        read: () => server.combinedAnswer(),
      },
      keeping: {
        read: () => Promise.resolve(structuredClone(server.keeping)),
        list: () => server.listAnswer(),
        forget(chatId) {
          server.forgotten.push(chatId);
          return server.changeAnswer();
        },
        pin(chatId, on) {
          if (on) server.keeping.pinned[chatId] = env.clock.now();
          else delete server.keeping.pinned[chatId];
          return server.changeAnswer();
        },
        mute(chatId, on) {
          if (chatId === null) server.keeping.quiet = on;
          else if (on) server.keeping.muted[chatId] = true;
          else delete server.keeping.muted[chatId];
          return server.changeAnswer();
        },
      },
      history: (chatId, cursor, limit, direction) =>
        over.silentHistory === true
          ? new Promise(() => undefined)
          : open
            ? Promise.resolve(server.page(me(), chatId, cursor, limit, direction === "newer"))
            : Promise.reject(new ChatFailure(16, "not open")),
      subscribePresence(names) {
        subscribed.push([...names]);
        return Promise.resolve(names.map((userName) => ({ userName, online: userName === "bob" })));
      },
      groups: {
        create: (made) => {
          const id = String(server.groups.length + 1001);
          server.groups.push({ id, name: made.name, members: [me(), ...made.members] });
          return Promise.resolve(id);
        },
        ...Object.fromEntries(
          [
            "invite",
            "leave",
            "remove",
            "dissolve",
            "modify",
            "announce",
            "setAdmin",
            "transfer",
            "mute",
            "muteAll",
            "allow",
            "answerInvitation",
            "join",
            "answerApplication",
            "setCard",
            "block",
          ].map((name) => [
            name,
            (...given: unknown[]) => {
              server.groupCalls.push([name, ...given]);
              return server.groupAnswer();
            },
          ]),
        ),
      } as GroupCalls,
      contacts: {
        ...Object.fromEntries(
          ["ask", "answer", "end", "remark", "block"].map((name) => [
            name,
            (...given: unknown[]) => {
              server.contactCalls.push([name, ...given]);
              return server.contactAnswer();
            },
          ]),
        ),
        remarks: () => Promise.resolve(new Map(server.remarks)),
        blocked: () => Promise.resolve([...server.blocked]),
      } as unknown as ContactCalls,
      groupFiles: {
        list: () => Promise.resolve([...server.groupFiles]),
        sendParts: (upload) => server.sendParts(upload),
        share: (_groupId, upload) =>
          new Promise((resolve, reject) => {
            sharing.push({ ...upload, resolve, reject });
            upload.signal.addEventListener("abort", () => reject(new ChatFailure(16, "aborted")));
          }),
        read: () => Promise.resolve(new Blob(["内容"])),
        remove: (groupId, fileId) => {
          server.groupCalls.push(["removeFile", groupId, fileId]);
          return server.groupAnswer();
        },
      },
      sharing,
      knowGroups: () => undefined,
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

  const call = ((
    rest: { id: string },
    input: { query: { userName?: string; groupId?: string; cursor?: number; limit?: number } },
  ) => {
    if (rest.id === "im.userByName") {
      const userName = input.query.userName ?? "";
      return server.nameOf(userName).then((name) => ({ userName, name }));
    }
    if (rest.id === "im.groups") {
      const records = server.groups.map(({ id, name, members }) => ({
        id,
        name,
        admin: members[0],
        memberCount: members.length,
        desc: "",
        announcement: "",
        public: true,
        membersonly: false,
        allowinvites: true,
        inviteconfirm: false,
        muted: false,
        role: members[0] === "alice" ? "owner" : "member",
        mutedUntil: null,
        allowed: false,
        joinedAt: 0,
      }));
      return Promise.resolve({ records });
    }
    if (rest.id === "im.groupRequests") return Promise.resolve({ records: server.groupRequests });
    if (rest.id === "im.friends") {
      return server.friendsAnswer().then(() => ({ records: structuredClone(server.friends) }));
    }
    if (rest.id === "im.friendRequests") {
      return Promise.resolve(structuredClone(server.friendRequests));
    }
    if (rest.id === "im.groupUserAdd") return server.groupSave();
    if (rest.id === "im.groupUsers") {
      const group = server.groups.find(({ id }) => id === input.query.groupId);
      const records = (group?.members ?? []).map((userName, i) => ({
        userName,
        name: `名字-${userName}`,
        avatar: "",
        owner: i === 0,
        card: "",
        role: i === 0 ? "owner" : "member",
        mutedUntil: null,
        allowed: false,
      }));
      const { cursor = 1, limit = 20 } = input.query;
      const page = records.slice((cursor - 1) * limit, cursor * limit);
      return Promise.resolve({ records: page, total: records.length });
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
    onAlert: () => {},
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
    tabs: { list: () => harness.tabs },
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
    slots: createTransferSlots(),
    createConnection,
  };
  const chat = createChat(deps);
  chat.start();

  const harness: Harness = {
    tabs: [],
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
  return harness;
}

export { settle };
