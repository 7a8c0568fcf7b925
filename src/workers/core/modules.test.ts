/** The modules of the core together: what one hands to another arrives whole. */
import { expect, test } from "vitest";
import { commands } from "../../shared/protocol/core-rpc.ts";
import type { ConnectionEvents, OutgoingMessage } from "./chat/provider/port.ts";
import { createConferenceWorld, PaperTab } from "./conferences/conferences.harness.ts";
import type { Http, Stats } from "./contracts.ts";
import { createModules } from "./modules.ts";
import { createStore, initialSlices } from "./store/index.ts";
import { createMemoryKv } from "./core.fake.ts";

const context = { tabId: "a", id: "1" };

/** All modules over a stand-in of the server, with one tab. */
async function started(callSignalling: "websocket" | "chat" = "websocket") {
  const world = createConferenceWorld();
  const { deps } = world;
  const env = { ...world.env, config: { ...world.env.config, callSignalling } };
  const sent: OutgoingMessage[] = [];
  const listeners = new Set<(online: boolean) => void>();
  const backHandlers = new Set<() => void>();
  const chat = { events: null as ConnectionEvents | null, logins: 0, unreachable: false };
  const store = createStore({
    clock: env.clock,
    epoch: "e",
    newId: env.newId,
    slices: initialSlices({ coreId: "c", build: "b", now: env.clock.now() }),
  });
  const changes: unknown[] = [];
  const missed = { times: 0 };
  const stats: Partial<Stats> = { socket: () => {}, socketTraffic: () => {} };
  const call = (rest: { id: string }) =>
    Promise.resolve(
      rest.id === "im.userByName"
        ? { userName: "bob", name: "Bob" }
        : { userName: "me", accountId: "1", name: "我", password: "pw" },
    );
  const modules = createModules({
    env,
    store,
    tabs: deps.tabs,
    http: { ...deps.http, call: call as unknown as Http["call"] } as Http,
    session: { ...deps.session, accessToken: () => Promise.resolve("token") },
    stats: stats as Stats,
    reads: {
      changed: (...change) => void changes.push(change),
      missed: () => void (missed.times += 1),
    },
    reach: {
      suspect: () => {},
      answered: () => {},
      onBack: (handler) => (backHandlers.add(handler), () => {}),
      online: { online: true, onChange: (handler) => (listeners.add(handler), () => {}) },
    },
    createConnection: (_options, events) =>
      Promise.resolve({
        async open() {
          chat.logins += 1;
          if (chat.unreachable) throw new Error("unreachable");
          chat.events = events;
          events.connected();
        },
        close: () => {},
        isOpen: () => true,
        send(message) {
          sent.push(message);
          return Promise.resolve({ mid: "1", time: null });
        },
        upload: () => new Promise(() => {}),
        history: () => Promise.resolve({ messages: [], isLast: true, cursor: null }),
        subscribePresence: () => Promise.resolve([]),
        groups: {} as never,
        groupFiles: {} as never,
        contacts: {
          blocked: () => new Promise(() => {}),
          remarks: () => new Promise(() => {}),
        } as never,
        messages: {} as never,
        combined: {} as never,
        keeping: { read: () => new Promise(() => {}) } as never,
        knowGroups: () => {},
        probe: () => {},
      }),
    staging: { ...createMemoryKv(), keys: async () => [], delMany: async () => {} },
  });
  world.tabs.push(new PaperTab("a", 1));
  await world.run();
  return {
    world,
    modules,
    sent,
    store,
    chat,
    changes,
    missed,
    /** The server is reachable again. */
    back() {
      for (const listener of listeners) listener(true);
      for (const handler of backHandlers) handler();
    },
  };
}

/** The same, with the tab in a conference. */
async function joined() {
  const all = await started();
  const { modules, world } = all;
  const entry = { publish: true, audioMuted: false, videoOff: false, autoSub: true };
  await Promise.all([
    modules.handlers.conference.join(
      { confrId: "c1", password: "秘密", nickName: "我", ext: "", ...entry },
      context,
    ),
    world.run(200),
  ]);
  return all;
}

test("An invitation carries the conference, its password and the inviter in the extension fields of the chat message", async () => {
  const { world, modules, sent } = await joined();
  await modules.handlers.conference.invite({ userNames: ["bob"] }, context);
  await world.run();
  expect(sent.filter(({ kind }) => kind === "text")).toMatchObject([
    {
      to: "bob",
      text: expect.stringContaining("/im/conference?id=c1"),
      ext: {
        conferenceId: "c1",
        password: "秘密",
        msg_extension: { inviter: "me", group_id: "" },
      },
    },
  ]);
  modules.stop();
});

test("An invitation to a group is one message to the group, and names it", async () => {
  const { world, modules, sent } = await joined();
  const { input } = commands.conference.invite;
  const invite = (whom: object) => modules.handlers.conference.invite(input.parse(whom), context);
  await invite({ groupId: "1001" });
  await invite({ groupId: "1002", userNames: ["bob"] });
  await world.run();
  const texts = sent.filter(({ kind }) => kind === "text");
  const about = (group_id: string) => ({
    text: expect.stringContaining("/im/conference?id=c1") as string,
    ext: { conferenceId: "c1", password: "秘密", msg_extension: { inviter: "me", group_id } },
  });
  expect(texts).toMatchObject([
    { to: "#1001", ...about("1001") },
    { to: "#1002", ...about("1002") },
    { to: "bob", ...about("") },
  ]);
  expect(input.safeParse({}).success).toBe(false);
  modules.stop();
});

test("A change that the chat tells, and chat that opens, reach the watched reads", async () => {
  const { modules, chat, changes, missed } = await joined();
  expect(missed.times).toBe(1);
  const message = { mid: "1", from: "@platform", to: "me", action: "dataChanged", time: 0 };
  chat.events?.command({ ...message, ext: { supplierId: "7", tags: "employees,imports" } });
  chat.events?.command({ ...message, ext: { supplierId: "", tags: "dict" } });
  const at = { records: [], steady: false, left: false, spread: 0 };
  expect(changes).toEqual([
    [{ ...at, tags: ["employees", "imports"] }, "7"],
    [{ ...at, tags: ["dict"] }, null],
  ]);
  modules.stop();
});

test("An alert that the platform tells of, and nobody else, stands in the slice", async () => {
  const { modules, chat, store } = await joined();
  const ext = {
    event: "began",
    key: "k1",
    rule: "memory",
    ruleName: "",
    level: "warning",
    subjectKind: "process",
    subjectName: "a:8080",
    companyName: "",
    companies: "7",
  };
  const message = { mid: "1", from: "bob", to: "me", action: "alert", time: 0, ext };
  chat.events?.command(message);
  expect(store.get("alerts").byKey).toEqual({});
  chat.events?.command({ ...message, from: "@platform" });
  expect(store.get("alerts").byKey).toMatchObject({
    k1: { level: "warning", subject: { kind: "process", name: "a:8080" }, companies: ["7"] },
  });
  modules.stop();
});

test("A conference that waits for its next attempt is entered at once when the server is reachable again", async () => {
  const { world, modules, store, back } = await joined();
  const status = () => store.get("conference").status;
  expect(status()).toBe("joined");
  world.unreachable = true;
  world.server.socket?.end(1006);
  await world.run(20_000);
  expect(status()).toBe("reconnecting");
  world.unreachable = false;
  back();
  await world.run(50);
  expect(status()).toBe("joined");
  modules.stop();
});

test("After an outage chat logs in two seconds later than a conference that is under way", async () => {
  const { world, modules, chat, back } = await joined();
  world.unreachable = chat.unreachable = true;
  world.server.socket?.end(1006);
  chat.events?.disconnected(null);
  // Long enough for the pauses between two logins to grow beyond the time that is measured.
  for (let tries = 0; tries < 12; tries += 1) await world.run(10_000);
  world.unreachable = chat.unreachable = false;
  const before = chat.logins;
  back();
  await world.run(1_900);
  expect(chat.logins).toBe(before);
  await world.run(1_200);
  expect(chat.logins).toBe(before + 1);
  modules.stop();
});

test.each([
  ["chat", 1],
  ["websocket", 0],
] as const)(
  "After an outage during a call that is signalled over %s, chat has logged in %i times within 100 ms",
  async (callSignalling, logins) => {
    const { world, modules, chat, store, back } = await started(callSignalling);
    const ids = { channel: "channel", callId: "call", fromUserDevId: "pc", toUserDevId: "" };
    const at = world.env.clock.now();
    const ext = { ...ids, type: 1, ts: at, fromUser: "bob", toUser: "me", media: "voice" };
    chat.events?.command({ mid: "9", from: "bob", to: "me", action: "sendRing", time: at, ext });
    await world.run(600);
    expect(store.get("call").status).toBe("confirmRing");
    chat.unreachable = true;
    chat.events?.disconnected(null);
    // The pause between two logins has grown to some seconds by then.
    await world.run(10_000);
    chat.unreachable = false;
    const before = chat.logins;
    back();
    await world.run(100);
    expect(chat.logins).toBe(before + logins);
    await modules.stop();
  },
);
