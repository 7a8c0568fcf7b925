/** Combined messages in the outbox (docs/chat.md#combined-messages). The wire of them: tests/server/combined-messages.test.ts. */
import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { createHarness, type Harness, settle } from "../chat.harness.ts";
import { levelOver } from "./combined.ts";
import { ChatFailure } from "../provider/port.ts";

const PLACE = { url: "http://localhost:8080/hyzh/console/chatfiles/u1", secret: "s1" };
const URL_OF_PLACE = `${PLACE.url}?em-redirect=true&share-secret=s1`;
const words = { title: "爱丽丝和鲍勃的聊天记录", summary: "鲍勃：一" };
const context = (id: string) => ({ tabId: "t", id });

/** The storage of a file takes a turn of the event loop in Node, because a Blob is cloned there. */
const settleStorage = async (): Promise<void> => {
  for (let n = 0; n < 3; n += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await settle(60);
  }
};
const started = async (over: Parameters<typeof createHarness>[0] = {}): Promise<Harness> => {
  const h = createHarness(over);
  await settle(60);
  return h;
};
/** Messages of 鲍勃, and their ids in the conversation. */
function receive(h: Harness, ...texts: string[]): string[] {
  return texts.map((text) => {
    const message = h.server.put("bob", "alice", text);
    h.conn().events.message(message);
    return `m${message.mid}`;
  });
}
const combine = async (h: Harness, ids: string[], to: string[], id = "c"): Promise<void> => {
  await h.chat.handlers.forward({ chatId: "bob", ids, to, combined: words }, context(id));
  await settleStorage();
};
const last = (h: Harness, chatId: string): ChatMessage | undefined => {
  const conversation = h.store.get("chat").conversations[chatId];
  return conversation?.messages[conversation.order.at(-1) ?? ""];
};

test("The messages are uploaded in the order of their conversation, with their writers' names, and then sent as one", async () => {
  const h = await started();
  const [one = "", two = ""] = receive(h, "一", "二");
  await settle(60);
  await combine(h, [two, one], ["carol"]);
  expect(last(h, "carol")).toMatchObject({
    type: "combined",
    status: "sending",
    msg: words.title,
    combined: { ...words, level: 1, url: null },
  });
  const [upload] = h.conn().uploads;
  expect(JSON.parse((await upload?.file.text()) ?? "")).toMatchObject([
    { text: "一", from: "bob", name: "名字-bob", to: "alice" },
    { text: "二", from: "bob" },
  ]);
  upload?.resolve(PLACE);
  await settleStorage();
  h.conn().deliver();
  await settleStorage();
  expect(h.server.received.map(({ message }) => message)).toMatchObject([
    { kind: "combined", to: "carol", ...words, level: 1, text: words.title, uploaded: PLACE },
  ]);
  expect(last(h, "carol")).toMatchObject({ status: "sent", combined: { url: URL_OF_PLACE } });
  expect([...h.env.kv.data.keys()].filter((key) => key.startsWith("chat.file."))).toEqual([]);
});

test("When the answer is lost with the core, the next one sends the same file again, and one message arrives", async () => {
  const h = await started();
  const ids = receive(h, "一");
  await settle(60);
  await combine(h, ids, ["carol"]);
  h.conn().uploads[0]?.resolve(PLACE);
  await settleStorage();
  h.conn().deliver(false);
  const next = await started({ env: h.env, server: h.server });
  await settleStorage();
  expect(next.conn().uploads).toEqual([]);
  next.conn().deliver();
  await settleStorage();
  const sent = next.server.received.map(({ message }) => message);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(next.server.messages.filter(({ type }) => type === "combined")).toHaveLength(1);
  expect(last(next, "carol")).toMatchObject({ type: "combined", status: "sent" });
});

test("A combined message is sent on by its address alone, and combined again one level higher", async () => {
  const h = await started();
  const message = {
    ...h.server.put("bob", "alice", "记录"),
    type: "combined" as const,
    combined: { ...words, level: 9, url: URL_OF_PLACE },
  };
  h.conn().events.message(message);
  await settle(60);
  const ids = [`m${message.mid}`];
  const input = { chatId: "bob", ids, to: ["carol"] };
  await h.chat.handlers.forward({ ...input, combined: null }, context("one"));
  await settleStorage();
  expect(h.conn().uploads).toEqual([]);
  expect(h.conn().flying.map((each) => each.message)).toMatchObject([
    { kind: "combined", ...words, level: 9, uploaded: PLACE },
  ]);
  await combine(h, ids, ["dave"], "two");
  expect(last(h, "dave")).toMatchObject({ combined: { level: 10 } });
  expect(() => levelOver([{ combined: { ...words, level: 10, url: null } }])).toThrow(
    expect.objectContaining({ code: "chat.combined-limit" }),
  );
});

test("Messages sent on one by one keep their order, and too many at once are refused before any is sent", async () => {
  const h = await started();
  const ids = receive(h, ...Array.from({ length: 11 }, (_, n) => `${n}`));
  await settle(60);
  const to = Array.from({ length: 20 }, (_, n) => `p${n}`);
  const input = { chatId: "bob", ids, combined: null };
  await expect(h.chat.handlers.forward({ ...input, to }, context("a"))).rejects.toMatchObject({
    code: "chat.forward-limit",
  });
  await expect(
    h.chat.handlers.forward({ ...input, ids: [...ids, "m404"], to: ["carol"] }, context("b")),
  ).rejects.toMatchObject({ code: "request.not-found" });
  expect(h.conn().flying).toEqual([]);
  await h.chat.handlers.forward({ ...input, ids: ids.toReversed(), to: ["carol"] }, context("c"));
  const texts = h.conversation("carol").map(({ text }) => text);
  expect(texts).toEqual(Array.from({ length: 11 }, (_, n) => `${n}`));
});

test("A file that is damaged and one that is gone have errors of their own, and deleted messages go once the server has deleted them", async () => {
  const h = await started();
  const read = () => h.chat.handlers.readCombined({ url: URL_OF_PLACE }, context("r"));
  for (const [type, code] of [
    [102, "chat.combined-unreadable"],
    [101, "chat.combined-gone"],
    [603, "chat.combined-gone"],
    [999, "server.unavailable"],
  ] as const) {
    h.server.combinedAnswer = () => Promise.reject(new ChatFailure(type, ""));
    await expect(read()).rejects.toMatchObject({ code });
  }
  const [one = "", two = ""] = receive(h, "一", "二");
  await settle(60);
  const erase = () => h.chat.handlers.erase({ chatId: "bob", ids: [one] }, context("e"));
  h.server.changeAnswer = () => Promise.reject(new ChatFailure(999, ""));
  await expect(erase()).rejects.toMatchObject({ code: "server.unavailable" });
  expect(h.conversation("bob")).toHaveLength(2);
  h.server.changeAnswer = () => Promise.resolve();
  await erase();
  expect(h.store.get("chat").conversations["bob"]?.order).toEqual([two]);
});
