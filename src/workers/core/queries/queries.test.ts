import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { commands, type CallContext } from "../../../shared/protocol/core-rpc.ts";
import { defineCall, restCalls, type RestCall } from "../../../shared/protocol/rest/index.ts";
import type { WatchEvent } from "../../../shared/protocol/watch-port.ts";
import { z } from "../../../shared/zod.ts";
import type { CallOptions, Http, SessionUser } from "../contracts.ts";
import { createFakeClock, settle } from "../core.fake.ts";
import { FRESH_MS, STEADY_MS, STEADY_TIMES } from "./cache.ts";
import { createPageReads } from "./index.ts";
import type { QueryInput } from "./cache.ts";

const shared = { path: "/things", summary: "", auth: "bearer", page: true } as const;
const list = defineCall({
  ...shared,
  id: "things.list",
  method: "GET",
  shows: ["employees"],
  query: z.object({ limit: z.number() }),
  data: z.array(z.string()),
});
const menus = defineCall({ ...shared, id: "things.menus", method: "GET", shows: ["menus"] });
const save = defineCall({ ...shared, id: "things.save", method: "PUT", touches: ["employees"] });
const one = defineCall({
  ...shared,
  id: "things.get",
  method: "GET",
  shows: ["employees"],
  record: "params.id",
  params: z.object({ id: z.string() }),
});
const saveOne = defineCall({
  ...save,
  id: "things.saveOne",
  record: "body.id",
  body: z.object({ id: z.string() }),
});
const part = defineCall({ ...save, id: "things.part", steady: true });
const hidden = defineCall({ ...shared, id: "things.hidden", method: "GET", page: false });

const sheet = defineCall({
  ...shared,
  id: "things.sheet",
  method: "GET",
  page: false,
  download: true,
  file: true,
});

interface Asked {
  readonly id: string;
  readonly input: unknown;
  readonly company: unknown;
  readonly at: number;
  answer(data: unknown): Promise<void>;
  fail(error: AppError): Promise<void>;
}
interface FakePort {
  postMessage(message: unknown): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  close(): void;
}
const user = (accountId: string, supplierId: string): SessionUser => ({
  accountId,
  username: accountId,
  name: accountId,
  supplierId,
});

function setUp() {
  const clock = createFakeClock();
  const asked: Asked[] = [];
  const learned: unknown[] = [];
  const errors: unknown[] = [];
  const now = { company: "a", settled: null as Promise<unknown> | null };
  const onUser = new Set<(user: SessionUser | null) => void>();
  const onLeave = new Set<(tabId: string) => void>();
  const onBack = new Set<() => void>();
  const call = (restCall: RestCall, input: unknown, options?: CallOptions) =>
    new Promise((resolve, reject) => {
      asked.push({
        id: restCall.id,
        input,
        company: options?.supplierId,
        at: clock.now(),
        answer: (data) => (resolve(data), settle()),
        fail: (error) => (reject(error), settle()),
      });
    });
  const reads = createPageReads({
    env: { clock },
    http: { call: call as Http["call"] },
    session: {
      user: () => user("me", "a"),
      onUser: (handler) => (onUser.add(handler), () => onUser.delete(handler)),
    },
    company: () => now.company,
    loggedOut: () => false,
    settled: () => now.settled,
    tabs: { onLeave: (handler) => (onLeave.add(handler), () => onLeave.delete(handler)) },
    stats: { error: (error) => void errors.push(error) },
    reach: { onBack: (handler) => (onBack.add(handler), () => onBack.delete(handler)) },
    calls: [list, menus, one, save, saveOne, part, hidden, sheet],
    onAnswer: (restCall, answer) => void learned.push([restCall.id, answer]),
  });
  /** A tab with its port; `shown` are the answers by the watch's id. */
  const tab = (tabId: string) => {
    const events: WatchEvent[] = [];
    const port: FakePort = {
      postMessage: (message) => void events.push(message as WatchEvent),
      onmessage: null,
      close: () => void (port.onmessage = null),
    };
    const context: CallContext = { tabId, id: "i" };
    void reads.handlers.watch({ port }, context);
    return {
      events,
      post: (message: object) => port.onmessage?.({ data: message }),
      watch: (id: number, over: object = {}) =>
        port.onmessage?.({
          data: { t: "watch", id, supplierId: null, call: list.id, query: { limit: 2 }, ...over },
        }),
      last: (id = 1) => events.findLast((event) => event.id === id)?.answer,
      leave: () => onLeave.forEach((handler) => handler(tabId)),
    };
  };
  const rest = (id: string, query?: unknown, body?: unknown) =>
    reads.handlers.call(commands.rest.call.input.parse({ call: id, query, body }), {
      tabId: "t",
      id: "i",
    });
  return {
    clock,
    asked,
    learned,
    errors,
    now,
    reads,
    tab,
    rest,
    login: (next: SessionUser | null) => onUser.forEach((handler) => handler(next)),
    back: () => onBack.forEach((handler) => handler()),
  };
}

test("Ten tabs that watch the same read make one request, and each gets the answer", async () => {
  const { tab, asked, reads, learned } = setUp();
  const tabs = Array.from({ length: 10 }, (_, n) => tab(`tab${n}`));
  // keys in another order are the same input
  tabs.forEach((one, n) =>
    one.watch(1, n % 2 === 0 ? {} : { query: { limit: 2 }, params: undefined }),
  );
  expect(asked.map(({ id, input, company }) => [id, input, company])).toEqual([
    ["things.list", { query: { limit: 2 } }, "a"],
  ]);
  expect(tabs[9]?.last()).toEqual({ state: "loading", data: null, error: null, at: null });
  await asked[0]?.answer(["x"]);
  for (const one of tabs) expect(one.last()).toMatchObject({ state: "ready", data: ["x"] });
  expect(learned).toEqual([["things.list", ["x"]]]);
  expect(reads.size()).toEqual({ entries: 1, watchers: 10 });
});

test("Another input, another company and another call are requests of their own", () => {
  const { tab, asked, now } = setUp();
  const one = tab("t");
  one.watch(1);
  one.watch(2, { query: { limit: 3 } });
  one.watch(3, { call: menus.id, query: undefined });
  now.company = "b";
  one.watch(4);
  expect(asked.map(({ id, company }) => [id, company])).toEqual([
    ["things.list", "a"],
    ["things.list", "a"],
    ["things.menus", "a"],
    ["things.list", "b"],
  ]);
});

test("A further watcher gets a fresh answer without a request, and an old one at once with a request", async () => {
  const { tab, asked, clock } = setUp();
  tab("a").watch(1);
  await asked[0]?.answer(["x"]);
  clock.advance(FRESH_MS - 1);
  const b = tab("b");
  b.watch(1);
  expect([asked.length, b.last()?.state]).toEqual([1, "ready"]);
  clock.advance(1);
  const c = tab("c");
  c.watch(1);
  expect([asked.length, c.last()?.data]).toEqual([2, ["x"]]);
  await asked[1]?.answer(["y"]);
  expect([b.last()?.data, c.last()?.data]).toEqual([["y"], ["y"]]);
});

test("Without watchers nothing is kept: an end, a closed tab and a replaced port count", async () => {
  const { tab, asked, reads } = setUp();
  const a = tab("a");
  a.watch(1);
  a.watch(2);
  tab("b").watch(1);
  await asked[0]?.answer(["x"]);
  expect(reads.size()).toEqual({ entries: 1, watchers: 3 });
  a.post({ t: "end", id: 1 });
  expect(reads.size().watchers).toBe(2);
  a.leave();
  expect(reads.size().watchers).toBe(1);
  const again = tab("b");
  expect(reads.size()).toEqual({ entries: 0, watchers: 0 });
  again.watch(1);
  expect([asked.length, again.last()?.state]).toEqual([2, "loading"]);
});

test("A change that this core makes fetches each watched read with its tag once, for every tab", async () => {
  const { tab, asked, rest } = setUp();
  const tabs = [tab("a"), tab("b")];
  for (const one of tabs) {
    one.watch(1);
    one.watch(2, { call: menus.id, query: undefined });
  }
  await asked[0]?.answer(["x"]);
  await asked[1]?.answer(null);
  const saved = rest(save.id);
  await settle();
  expect(asked.length).toBe(3);
  await asked[2]?.answer(null);
  await saved;
  expect(asked.slice(3).map(({ id }) => id)).toEqual(["things.list"]);
  await asked[3]?.answer(["y"]);
  for (const one of tabs) expect(one.last()?.data).toEqual(["y"]);
});

test("A refused change fetches nothing; one whose answer was lost does, because it may have been made", async () => {
  const { tab, asked, rest } = setUp();
  tab("a").watch(1);
  await asked[0]?.answer(["x"]);
  const refused = rest(save.id);
  await asked[1]?.fail(new AppError("request.invalid"));
  await expect(refused).rejects.toMatchObject({ code: "request.invalid" });
  expect(asked.length).toBe(2);
  const lost = rest(save.id);
  await asked[2]?.fail(new AppError("network.timeout"));
  await expect(lost).rejects.toMatchObject({ code: "network.timeout" });
  expect(asked.slice(3).map(({ id }) => id)).toEqual(["things.list"]);
});

test("Changes during a request lead to exactly one more request", async () => {
  const { tab, asked, reads } = setUp();
  const a = tab("a");
  a.watch(1);
  for (let n = 0; n < 5; n += 1) reads.changed({ tags: ["employees"] }, "a");
  expect(asked.length).toBe(1);
  await asked[0]?.answer(["old"]);
  expect(asked.length).toBe(2);
  await asked[1]?.answer(["new"]);
  expect([asked.length, a.last()?.data]).toEqual([2, ["new"]]);
});

test("A change in another company fetches nothing, one of the platform does", async () => {
  const { tab, asked, reads } = setUp();
  tab("a").watch(1);
  await asked[0]?.answer(["x"]);
  reads.changed({ tags: ["employees"] }, "b");
  reads.changed({ tags: ["menus"] }, null);
  expect(asked.length).toBe(1);
  reads.changed({ tags: ["employees"] }, null);
  expect(asked.length).toBe(2);
});

test("A change of one record fetches the lists and that record, and not another one", async () => {
  const { tab, asked, rest, reads } = setUp();
  const a = tab("a");
  a.watch(1);
  a.watch(2, { call: one.id, query: undefined, params: { id: "7" } });
  a.watch(3, { call: one.id, query: undefined, params: { id: "8" } });
  for (const request of asked.slice()) await request.answer("x");
  const saved = rest(saveOne.id, undefined, { id: "7" });
  await settle();
  await asked[3]?.answer(null);
  await saved;
  const after = () => asked.slice(4).map(({ id, input }) => [id, (input as QueryInput).params]);
  expect(after()).toEqual([
    ["things.list", undefined],
    ["things.get", { id: "7" }],
  ]);
  for (const request of asked.slice(4)) await request.answer("y");
  reads.changed({ tags: ["employees"], records: ["employees:8"] }, "a");
  expect(after().slice(2)).toEqual([
    ["things.list", undefined],
    ["things.get", { id: "8" }],
  ]);
  reads.changed({ tags: ["employees"], records: [] }, "a");
  for (const request of asked.slice(6)) await request.answer("z");
  expect(after().slice(4)).toHaveLength(3);
});

test("A long work fetches a watched read every two seconds, and once after its last change", async () => {
  const { tab, asked, rest, clock, reads } = setUp();
  const a = tab("a");
  a.watch(1);
  await asked[0]?.answer(["x"]);
  clock.advance(STEADY_MS);
  const lists = () => asked.filter(({ id }) => id === list.id);
  const change = async (): Promise<void> => {
    const done = rest(part.id);
    await settle();
    await asked.at(-1)?.answer(null);
    await done;
  };
  // ten seconds, ten changes a second
  for (let n = 0; n < 100; n += 1) {
    await change();
    clock.advance(100);
    await lists().at(-1)?.answer(["x"]);
  }
  const times = lists()
    .slice(1)
    .map(({ at }) => at);
  expect(times).toHaveLength(6);
  const pauses = times.slice(1).map((at, n) => at - (times[n] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(STEADY_MS);
  const before = lists().length;
  await change();
  clock.advance(STEADY_MS);
  expect(lists()).toHaveLength(before + 1);
  await asked.at(-1)?.answer(["last"]);
  expect(a.last()?.data).toEqual(["last"]);
  clock.advance(10 * STEADY_MS);
  expect(lists()).toHaveLength(before + 1);
  // somebody saves a form meanwhile: that shows at once
  reads.changed({ tags: ["employees"], steady: true }, "a");
  await asked.at(-1)?.answer(["x"]);
  reads.changed({ tags: ["employees"], steady: true }, "a");
  reads.changed({ tags: ["employees"] }, "a");
  expect(lists()).toHaveLength(before + 3);
  a.leave();
  clock.advance(10 * STEADY_MS);
  expect([lists().length, clock.pending]).toEqual([before + 3, 0]);
});

test("A read that the server answers slowly follows a long work more rarely, so that it takes a quarter of the time at most", async () => {
  const { tab, asked, clock, reads } = setUp();
  tab("a").watch(1);
  const slow = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await asked.at(-1)?.answer(["x"]);
  };
  await slow(1500);
  const change = (): void => reads.changed({ tags: ["employees"], steady: true }, "a");
  change();
  clock.advance(STEADY_TIMES * 1500 - 1500 - 1);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect(asked).toHaveLength(2);
  // A server that is quick again is asked every two seconds again.
  await slow(10);
  change();
  clock.advance(STEADY_MS - 10);
  expect(asked).toHaveLength(3);
});

test("After an outage and after missed messages every watched read is fetched, what nobody watches is not", async () => {
  const { tab, asked, reads, back } = setUp();
  const a = tab("a");
  a.watch(1);
  a.watch(2, { call: menus.id, query: undefined });
  await asked[0]?.answer(["x"]);
  await asked[1]?.answer(null);
  a.post({ t: "end", id: 2 });
  reads.missed();
  expect(asked.length).toBe(3);
  await asked[2]?.answer(["y"]);
  back();
  expect(asked.map(({ id }) => id)).toEqual([
    "things.list",
    "things.menus",
    "things.list",
    "things.list",
  ]);
});

test("A temporary failure is tried again and reported after three attempts; rows stay while a later one fails", async () => {
  const { tab, asked, clock } = setUp();
  const a = tab("a");
  a.watch(1);
  for (const pause of [500, 1000, 2000]) {
    await asked.at(-1)?.fail(new AppError("network.offline"));
    expect(a.last()?.state).toBe("loading");
    clock.advance(pause);
  }
  await asked.at(-1)?.fail(new AppError("network.offline"));
  expect(a.last()).toMatchObject({ state: "failed", error: { code: "network.offline" } });
  clock.advance(5000);
  expect(asked.length).toBe(5);
  await asked.at(-1)?.answer(["x"]);
  expect(a.last()).toMatchObject({ state: "ready", data: ["x"], error: null });
  a.post({ t: "again", id: 1 });
  await asked.at(-1)?.fail(new AppError("auth.forbidden"));
  expect(a.last()).toMatchObject({
    state: "ready",
    data: ["x"],
    error: { code: "auth.forbidden" },
  });
  clock.advance(60_000);
  expect(asked.length).toBe(6);
});

test("Who asks one read again gets every other one that failed too, and sees at once that they load", async () => {
  const { tab, asked } = setUp();
  const a = tab("a");
  a.watch(1);
  a.watch(2, { call: menus.id, query: {} });
  a.watch(3, { query: { limit: 3 } });
  const [rows, others, more] = asked;
  await rows?.fail(new AppError("server.internal"));
  await others?.fail(new AppError("server.internal"));
  await more?.answer(["y"]);
  expect([a.last(1)?.state, a.last(2)?.state, a.last(3)?.state]).toEqual([
    "failed",
    "failed",
    "ready",
  ]);
  a.post({ t: "again", id: 1 });
  expect([a.last(1)?.state, a.last(2)?.state, a.last(3)?.state]).toEqual([
    "loading",
    "loading",
    "ready",
  ]);
  expect(asked.slice(3).map(({ id }) => id)).toEqual(["things.list", "things.menus"]);
  await asked[3]?.answer(["x"]);
  await asked[4]?.answer(null);
  expect([a.last(1)?.state, a.last(2)?.state]).toEqual(["ready", "ready"]);
});

test("Who asks one read again gets also one whose failures are too few to be reported, without its pause", async () => {
  const { tab, asked } = setUp();
  const a = tab("a");
  a.watch(1);
  a.watch(2, { call: menus.id, query: {} });
  await asked[0]?.fail(new AppError("server.internal"));
  await asked[1]?.fail(new AppError("network.offline"));
  expect([a.last(1)?.state, a.last(2)?.state]).toEqual(["failed", "loading"]);
  a.post({ t: "again", id: 1 });
  expect(asked.slice(2).map(({ id }) => id)).toEqual(["things.list", "things.menus"]);
});

test("A logout and another person end every watch; a company switch keeps those of the new company", async () => {
  const { tab, asked, reads, login, now } = setUp();
  const a = tab("a");
  a.watch(1);
  login(null);
  expect(reads.size()).toEqual({ entries: 0, watchers: 0 });
  await asked[0]?.answer(["secret"]);
  expect(a.last()?.state).toBe("loading");
  login(user("me", "a"));
  now.company = "b";
  a.watch(2);
  login(user("me", "b"));
  expect(reads.size().watchers).toBe(1);
  login(user("other", "b"));
  expect(reads.size()).toEqual({ entries: 0, watchers: 0 });
});

test("A watch for another company than the session's is refused, also after the session was restored", async () => {
  const { tab, asked, now } = setUp();
  let restored = (): void => {};
  now.settled = new Promise<void>((resolve) => {
    restored = resolve;
  });
  const a = tab("a");
  a.watch(1, { supplierId: "a" });
  a.watch(2, { supplierId: "b" });
  a.watch(3, { supplierId: "a", query: { limit: 9 } });
  a.post({ t: "end", id: 3 });
  expect([asked.length, a.events.length]).toEqual([0, 0]);
  restored();
  await settle();
  expect(asked.map(({ input }) => input)).toEqual([{ query: { limit: 2 } }]);
  expect(a.last(2)).toMatchObject({ state: "failed", error: { code: "auth.company-changed" } });
});

test("A read by command shares the running request and the fresh answer of those who watch", async () => {
  const { tab, asked, rest, reads } = setUp();
  const alone = rest(list.id, { limit: 2 });
  await asked[0]?.answer(["one"]);
  expect(await alone).toEqual(["one"]);
  expect(reads.size().entries).toBe(0);
  tab("a").watch(1);
  const shared = rest(list.id, { limit: 2 });
  expect(asked.length).toBe(2);
  await asked[1]?.answer(["two"]);
  expect([await shared, await rest(list.id, { limit: 2 }), asked.length]).toEqual([
    ["two"],
    ["two"],
    2,
  ]);
});

test.each(["things.hidden", "things.none", "toString", "things.save"])(
  "A read that pages may not watch is refused and not sent: %s",
  (id) => {
    const { tab, asked, errors } = setUp();
    const a = tab("a");
    a.watch(1, { call: id });
    expect(a.last()).toMatchObject({ state: "failed", error: { code: "core.bad-message" } });
    a.post({ t: "nonsense" });
    expect([asked.length, errors.length]).toEqual([0, 1]);
  },
);

test.each(["things.hidden", "things.none", "toString"])(
  "A call that pages may not make is refused and not sent: %s",
  async (id) => {
    const { rest, asked } = setUp();
    await expect(rest(id)).rejects.toEqual(
      new AppError("core.bad-message", { details: { call: id } }),
    );
    expect(asked).toEqual([]);
  },
);

const all: readonly RestCall[] = Object.values(restCalls);

test("Calls that pages may make use the session's token or are open, and answer JSON", () => {
  const open = all.filter((call) => call.page === true);
  expect(open.length).toBeGreaterThan(0);
  for (const { id, auth, bodyType = "json", file = false } of open) {
    expect([id, file]).toEqual([id, false]);
    // an upload has commands of its own
    expect(["json", "form"]).toContain(bodyType);
    // a call with the credentials of a client would make a login that the core does not know
    expect(["bearer", "none"]).toContain(auth);
  }
});

test("Every call of pages says what it shows or touches, and every tag that is touched is shown by a read", () => {
  for (const { id, page, shows, touches } of all) {
    if (page === true) {
      expect([id, (shows ?? []).length > 0, touches !== undefined]).toContain(true);
    }
    // a call that does both would fetch itself for ever
    expect([id, shows !== undefined && touches !== undefined]).toEqual([id, false]);
  }
  const shown = new Set(all.flatMap(({ shows = [] }) => shows));
  expect(all.flatMap(({ touches = [] }) => touches).filter((tag) => !shown.has(tag))).toEqual([]);
});

/** Calls that change nothing which a page shows. */
const TOUCH_NOTHING = [
  "assistant.open",
  "profile.sendCode",
  "push.subscribe",
  "push.unsubscribe",
  "registration.states",
  "sms.send",
  "twoFactor.begin",
];

test("A call that changes by its method and that pages make touches something", () => {
  for (const { id, page, method, shows, touches = [] } of all) {
    if (page !== true || method === "GET" || shows !== undefined) continue;
    expect([id, touches.length > 0]).toEqual([id, !TOUCH_NOTHING.includes(id)]);
  }
});

test("A call that answers a file is none that a page makes as others", async () => {
  const { reads, asked } = setUp();
  const tab = { tabId: "t", id: "i" };
  await expect(reads.handlers.call({ call: sheet.id }, tab)).rejects.toThrow(AppError);
  expect(asked).toEqual([]);
});
