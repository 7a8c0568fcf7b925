import { expect, test } from "vitest";
import { createHarness, settle, type Harness } from "../chat.harness.ts";
import { TYPING, TYPING_EVERY, TYPING_LASTS } from "./typing.ts";

const context = { tabId: "t", id: "c" };

async function withBob(): Promise<Harness> {
  const h = createHarness();
  await settle();
  await h.chat.handlers.open({ chatId: "bob", name: "鲍勃" }, context);
  return h;
}
const sentCommands = (h: Harness) =>
  h.conn().flying.flatMap(({ message }) => (message.kind === "command" ? [message] : []));
const typing = (h: Harness) => h.store.get("chat").typing;
const hear = (h: Harness, over: object = {}): void =>
  h.conn().events.command({
    mid: "1",
    from: "bob",
    to: "alice",
    action: TYPING,
    ext: {},
    time: h.env.clock.now(),
    ...over,
  });

test("Writing is reported to the other side by one command within 4 seconds, and not to a group", async () => {
  const h = await withBob();
  const reportTyping = (chatId: string) => h.chat.handlers.typing({ chatId }, context);
  for (let key = 0; key < 20; key += 1) await reportTyping("bob");
  expect(sentCommands(h)).toMatchObject([{ to: "bob", action: TYPING, ext: {} }]);
  h.env.clock.advance(TYPING_EVERY);
  await reportTyping("bob");
  await reportTyping("#17");
  expect(sentCommands(h)).toHaveLength(2);
});

test("A person who writes is shown until 6 seconds after the last command", async () => {
  const h = await withBob();
  hear(h);
  expect(typing(h)).toEqual({ bob: true });
  h.env.clock.advance(TYPING_LASTS - 1);
  hear(h);
  h.env.clock.advance(TYPING_LASTS - 1);
  expect(typing(h)).toEqual({ bob: true });
  h.env.clock.advance(1);
  expect(typing(h)).toEqual({});
});

test("The message ends it, and a lost connection and a logout do", async () => {
  const h = await withBob();
  hear(h);
  h.conn().events.message(h.server.put("bob", "alice", "好"));
  await settle();
  expect(typing(h)).toEqual({});
  hear(h);
  h.conn().drop();
  expect(typing(h)).toEqual({});
  h.conn().back();
  hear(h);
  h.user(null);
  expect(typing(h)).toEqual({});
});

test("Old commands, one's own, those to others and those of strangers show nothing", async () => {
  const h = await withBob();
  hear(h, { time: h.env.clock.now() - TYPING_LASTS - 1 });
  hear(h, { from: "alice", to: "bob" });
  hear(h, { to: "carol" });
  hear(h, { from: "mallory" });
  hear(h, { from: "__proto__" });
  expect(typing(h)).toEqual({});
});
