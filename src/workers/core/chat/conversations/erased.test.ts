/** Messages that another device of the person deleted (docs/chat.md#provider-calls). */
import { expect, test } from "vitest";
import { createHarness, type Harness, settle } from "../chat.harness.ts";

const context = { tabId: "t", id: "c" };

/** A core that shows the newest `read` of `count` messages. */
async function started(count: number, read = count): Promise<Harness> {
  const h = createHarness();
  await settle(60);
  for (let n = 0; n < count; n += 1) h.server.put("bob", "alice", `${n}`);
  await h.chat.handlers.open({ chatId: "bob", name: "鲍勃" }, context);
  while (h.conversation("bob").length < read) {
    await h.chat.handlers.older({ chatId: "bob" }, context);
  }
  return h;
}
const texts = (h: Harness): string[] => h.conversation("bob").map(({ text }) => text);
const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `${from + n}`);
/** Another device deletes the messages with these texts. */
async function erase(h: Harness, gone: readonly string[]): Promise<void> {
  const kept = h.server.messages.filter(({ msg }) => !gone.includes(msg));
  h.server.messages.splice(0, h.server.messages.length, ...kept);
  h.conn().events.erased("bob");
  await settle(60);
}

test("They go away here, and all others stay in their order", async () => {
  const h = await started(25);
  await h.send("bob", "unsent");
  await erase(h, ["3", "24"]);
  expect(texts(h)).toEqual([...range(0, 3), ...range(4, 24), "unsent"]);
});

test("A conversation that was emptied is empty here, and its recalled message keeps its line", async () => {
  const h = await started(12);
  const recalled = h.server.messages[5]!;
  h.conn().events.recalled({ mid: recalled.mid, from: "bob", to: "alice", time: 0 });
  await settle(60);
  await erase(h, range(0, 12));
  expect(h.conversation("bob")).toHaveLength(1);
  expect(h.conversation("bob")[0]).toMatchObject({ status: "recall" });
});

test("Of a long conversation the newest pages are compared, and the rest is read again by scrolling", async () => {
  const h = await started(90);
  await erase(h, ["2", "80"]);
  expect(texts(h)).toEqual([...range(39, 80), ...range(81, 90)]);
  while (h.store.get("chat").conversations["bob"]?.historyEnd !== true) {
    await h.chat.handlers.older({ chatId: "bob" }, context);
  }
  expect(texts(h)).toEqual([...range(0, 2), ...range(3, 80), ...range(81, 90)]);
});

test("A comparison that a lost connection interrupts takes place after it", async () => {
  const h = await started(12);
  h.conn().drop();
  await erase(h, ["7"]);
  expect(texts(h)).toEqual(range(0, 12));
  h.conn().back();
  await settle(60);
  expect(texts(h)).toEqual([...range(0, 7), ...range(8, 12)]);
});
