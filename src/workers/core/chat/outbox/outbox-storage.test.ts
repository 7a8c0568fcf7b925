/** The outbox in storage: the last write for a person who leaves, and storage that cannot be read. */
import { expect, test } from "vitest";
import { ALICE, createHarness, settle, type Harness } from "../chat.harness.ts";
import { outboxKey } from "./outbox-writer.ts";

const KEY = outboxKey("alice");
const CAROL = { accountId: "a3", username: "carol", name: "Carol", supplierId: "s1" };

const loggedIn = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle(60);
  return h;
};
const storedTexts = (h: Harness, key = KEY): string[] =>
  ((h.env.kv.data.get(key) as { entries: { text: string }[] } | undefined)?.entries ?? []).map(
    ({ text }) => text,
  );
/** Holds the writes of the outbox back. */
const holdWrites = (h: Harness): { readonly held: (() => void)[]; end(): void } => {
  const { set } = h.env.kv;
  const held: (() => void)[] = [];
  h.env.kv.set = async (key, value) => {
    const now: unknown = structuredClone(value);
    if (key === KEY) await new Promise<void>((resolve) => held.push(resolve));
    await set(key, now);
  };
  return {
    held,
    end() {
      h.env.kv.set = set;
      for (const go of held.splice(0)) go();
    },
  };
};
/** Two messages: the first is being written, the second waits for the next write. */
const sendTwo = async (
  h: Harness,
): Promise<{ writes: ReturnType<typeof holdWrites>; sent: Promise<unknown> }> => {
  const writes = holdWrites(h);
  const first = h.send("bob", "一");
  await settle();
  const second = h.send("bob", "二");
  await settle();
  expect(writes.held).toHaveLength(1);
  return { writes, sent: Promise.all([first, second]) };
};
/** Reads of the outbox fail until the returned function is called. */
const failReads = (h: Pick<Harness, "env">): (() => void) => {
  const { get } = h.env.kv;
  h.env.kv.get = (key) =>
    key === KEY ? Promise.reject(new DOMException("no", "UnknownError")) : get(key);
  return () => (h.env.kv.get = get);
};
const deliverAll = async (h: Harness): Promise<void> => {
  for (let guard = 0; guard < 100 && h.conn().flying.length > 0; guard += 1) {
    h.conn().deliver();
    await settle(60);
  }
};

test("A message whose write still waits at a logout is stored under the account, and sent after the next login", async () => {
  const h = await loggedIn();
  const { writes, sent } = await sendTwo(h);
  h.user(null);
  writes.end();
  await sent;
  await settle(60);
  expect(storedTexts(h)).toEqual(["一", "二"]);
  h.user(ALICE);
  await settle(60);
  await deliverAll(h);
  expect(h.server.messages.map(({ msg }) => msg)).toEqual(["一", "二"]);
});

test("Another person who logs in meanwhile gets nothing of it, and the outbox of the first keeps it", async () => {
  const h = await loggedIn();
  await h.env.kv.set(`chat.account.${CAROL.accountId}`, "carol");
  const { writes, sent } = await sendTwo(h);
  h.failAccount(new Error("the account is known from storage"));
  h.user(CAROL);
  await settle(60);
  writes.end();
  await sent;
  await settle(60);
  expect(storedTexts(h)).toEqual(["一", "二"]);
  expect(storedTexts(h, outboxKey("carol"))).toEqual([]);
  expect(h.conversation("bob")).toEqual([]);
});

test("A core that hands over ends only after the last write", async () => {
  const h = await loggedIn();
  const { writes, sent } = await sendTwo(h);
  let stopped = false;
  const stop = h.chat.stop().then(() => (stopped = true));
  await settle(60);
  expect(stopped).toBe(false);
  writes.end();
  await Promise.all([stop, sent]);
  expect(storedTexts(h)).toEqual(["一", "二"]);
});

test("A person who leaves while the stored outbox is read has nothing shown of it", async () => {
  const first = await loggedIn({ auto: false });
  await first.send("bob", "一");
  const { get } = first.env.kv;
  const held: (() => void)[] = [];
  first.env.kv.get = async (key) => {
    if (key === KEY) await new Promise<void>((resolve) => held.push(resolve));
    return get(key);
  };
  const next = await loggedIn({ env: first.env, server: first.server, auto: false });
  expect(held).toHaveLength(1);
  next.user(null);
  first.env.kv.get = get;
  held[0]?.();
  await settle(60);
  expect(next.conversation("bob")).toEqual([]);
  expect(storedTexts(next)).toEqual(["一"]);
});

test("An outbox that cannot be read at first is not overwritten: its messages join those of now", async () => {
  const first = await loggedIn({ auto: false });
  await first.send("bob", "一");
  await first.chat.stop();
  const readable = failReads(first);
  const next = await loggedIn({ env: first.env, server: first.server });
  await next.send("carol", "二");
  await deliverAll(next);
  await next.send("bob", "三");
  await settle(60);
  expect(storedTexts(next)).toEqual(["一"]);
  readable();
  next.env.clock.advance(30_000);
  await settle(60);
  await deliverAll(next);
  expect(next.server.messages.map(({ msg }) => msg).toSorted()).toEqual(
    ["一", "三", "二"].toSorted(),
  );
  expect(
    next
      .conversation("bob")
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual(["一", "三"].toSorted());
  expect(storedTexts(next)).toEqual([]);
});

test("Messages of a person who leaves before the outbox was read join it at the next login", async () => {
  const first = await loggedIn({ auto: false });
  await first.send("bob", "一");
  await first.chat.stop();
  const readable = failReads(first);
  const next = await loggedIn({ env: first.env, server: first.server, auto: false });
  const { get } = next.env.kv;
  const reads: (() => void)[] = [];
  next.env.kv.get = (key) =>
    key === KEY ? new Promise((_, reject) => reads.push(() => reject(new Error("no")))) : get(key);
  const sent = next.send("bob", "二");
  await settle();
  expect(reads).toHaveLength(1);
  next.user(null);
  for (let guard = 0; guard < 5; guard += 1) {
    for (const fail of reads.splice(0)) fail();
    await settle();
  }
  await sent;
  await settle(60);
  expect(storedTexts(next)).toEqual(["一"]);
  readable();
  next.user(ALICE);
  await settle(60);
  await next.send("bob", "三");
  expect(storedTexts(next)).toEqual(["一", "二", "三"]);
});

test("While nothing can be read the chat works, and a logout deletes the copies as soon as it finds them", async () => {
  const first = await loggedIn();
  await first.send("bob", "旧");
  await deliverAll(first);
  await first.chat.stop();
  const copies = (): string[] =>
    [...first.env.kv.data.keys()].filter((key) => key.startsWith("chat.conversation"));
  expect(copies()).not.toEqual([]);
  const { get } = first.env.kv;
  first.env.kv.get = () => Promise.reject(new Error("broken"));
  const next = await loggedIn({ env: first.env, server: first.server });
  await next.send("bob", "新");
  await deliverAll(next);
  expect(next.server.messages.map(({ msg }) => msg)).toEqual(["旧", "新"]);
  next.user(null);
  await settle(60);
  first.env.kv.get = get;
  first.env.clock.advance(5_000);
  await settle(60);
  expect(copies()).toEqual([]);
});
