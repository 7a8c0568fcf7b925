import { expect, test } from "vitest";
import { createHarness, type Harness, settle } from "../chat.harness.ts";
import { ChatFailure } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const keeping = (h: Harness) => h.store.get("chat").keeping;

test("Pinned and silent conversations are read when the connection opens, and at once when another device changes them", async () => {
  const h = createHarness();
  h.server.keeping = { pinned: { bob: 7 }, muted: { "#17": true }, quiet: false };
  await settle();
  expect(keeping(h)).toEqual({ pinned: { bob: 7 }, muted: { "#17": true }, quiet: false });
  h.server.keeping = { pinned: {}, muted: {}, quiet: true };
  h.conn().events.kept();
  await settle();
  expect(keeping(h)).toEqual({ pinned: {}, muted: {}, quiet: true });
});

test("A change shows once the provider has made it; a refused one changes nothing", async () => {
  const h = createHarness();
  await settle();
  const { handlers } = h.chat;
  await handlers.pin({ chatId: "bob", on: true }, context);
  await handlers.mute({ chatId: "#17", on: true }, context);
  await handlers.mute({ chatId: null, on: true }, context);
  expect(keeping(h)).toMatchObject({
    pinned: { bob: expect.any(Number) as number },
    muted: { "#17": true },
    quiet: true,
  });
  await handlers.pin({ chatId: "bob", on: false }, context);
  await handlers.mute({ chatId: "#17", on: false }, context);
  expect(keeping(h)).toEqual({ pinned: {}, muted: {}, quiet: true });
  h.conn().keeping.pin = () => Promise.reject(new ChatFailure(17, "no"));
  await expect(handlers.pin({ chatId: "bob", on: true }, context)).rejects.toMatchObject({
    code: "server.unavailable",
  });
  await settle();
  expect(keeping(h).pinned).toEqual({});
});

test("The next core shows the settings before it is connected, and the next person does not", async () => {
  const h = createHarness();
  await settle();
  await h.chat.handlers.pin({ chatId: "bob", on: true }, context);
  await settle();
  const later = createHarness({ env: h.env, server: h.server, auto: false });
  await settle();
  expect(Object.keys(keeping(later).pinned)).toEqual(["bob"]);
  later.user(null);
  await settle();
  expect(keeping(later)).toEqual({ pinned: {}, muted: {}, quiet: false });
  expect(await h.env.kv.get("chat.keeping.alice")).toBeUndefined();
});

test("A reading that fails is repeated until it succeeds", async () => {
  let refuse = true;
  const h = createHarness({
    onCreate(connection) {
      const { read } = connection.keeping;
      connection.keeping.read = () =>
        refuse ? Promise.reject(new ChatFailure(500, "busy")) : read();
    },
  });
  h.server.keeping.quiet = true;
  await settle();
  expect(keeping(h).quiet).toBe(false);
  refuse = false;
  h.env.clock.advance(1000);
  await settle();
  expect(keeping(h).quiet).toBe(true);
});
