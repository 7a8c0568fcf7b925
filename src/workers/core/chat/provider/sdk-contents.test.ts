import { expect, test } from "vitest";
import { createHarness, settle } from "../chat.harness.ts";
import { toReceived, toSdkMessage } from "./sdk-messages.ts";

const about = { id: "9", from: "bob", to: "alice", chatType: "singleChat", time: 1 };
const context = { tabId: "t", id: "c" };

test("A place has its address and position, and no position that is not on the earth", () => {
  const place = (rest: object) => toReceived({ ...about, type: "loc", ...rest });
  expect(
    place({ addr: "人民路 1 号", buildingName: "大厦", lat: 31.2, lng: "121.5" }),
  ).toMatchObject({
    type: "location",
    msg: "大厦 人民路 1 号",
    file: null,
    place: { address: "大厦 人民路 1 号", at: { latitude: 31.2, longitude: 121.5 } },
  });
  for (const [lat, lng] of [
    [91, 0],
    [0, -181],
    ["javascript:", 0],
    [null, {}],
    [Number.NaN, 0],
  ]) {
    expect(place({ addr: 7, lat, lng })?.place).toEqual({ address: "", at: null });
  }
  expect(place({ addr: "长".repeat(900) })?.place?.address).toHaveLength(500);
});

test("A card names a person; one without a valid name is a custom message like others", () => {
  const custom = (customEvent: unknown, customExts: unknown) =>
    toReceived({ ...about, type: "custom", customEvent, customExts });
  expect(custom("userCard", { uid: "carol", nickname: "王芳" })).toMatchObject({
    type: "card",
    msg: "王芳",
    custom: { event: "userCard", fields: { uid: "carol", nickname: "王芳" } },
  });
  // as the list of conversations gives it
  expect(custom("userCard", [{ uid: "carol" }, { nickname: "王芳" }])?.type).toBe("card");
  for (const uid of ["<b>", "", null, "a".repeat(200)]) {
    expect(custom("userCard", { uid })?.type).toBe("custom");
  }
  expect(custom("order", { id: 5 })).toMatchObject({ type: "custom", msg: "order" });
});

test("Fields that could harm or flood the console are left out", () => {
  const fields = (customExts: unknown) =>
    toReceived({ ...about, type: "custom", customEvent: "x", customExts })?.custom?.fields;
  expect(fields(JSON.parse('{"__proto__":"1","constructor":"2","deep":{"a":1},"ok":"3"}'))).toEqual(
    {
      ok: "3",
    },
  );
  expect(fields("text")).toEqual({});
  expect(fields({ long: "x".repeat(900) })?.["long"]).toHaveLength(500);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, "v"]));
  expect(Object.keys(fields(many) ?? {})).toHaveLength(20);
  expect(toReceived({ ...about, type: "custom", customEvent: { a: 1 } })).toMatchObject({
    msg: "",
  });
});

test("A place and a custom message are sent as the SDK takes them", () => {
  const sdk = { message: { create: (options: object) => ({ ...options }) } };
  const to = { id: "77", to: "#5", asksReaders: true } as const;
  const place = { address: "人民路", at: { latitude: 1, longitude: 2 } };
  expect(toSdkMessage(sdk, { kind: "location", ...to, place })).toMatchObject({
    type: "loc",
    to: "5",
    chatType: "groupChat",
    addr: "人民路",
    lat: 1,
    lng: 2,
    id: "77",
    ext: { localId: "77" },
    msgConfig: { allowGroupAck: true },
  });
  const custom = { event: "order", fields: { id: "5" } };
  expect(toSdkMessage(sdk, { kind: "custom", ...to, custom })).toMatchObject({
    type: "custom",
    customEvent: "order",
    customExts: { id: "5" },
  });
});

test("A card waits in the outbox like a text, and is sent on like one", async () => {
  const h = createHarness();
  await settle();
  const person = { userName: "carol", name: "王芳" };
  const { id } = await h.chat.handlers.sendCard({ chatId: "bob", person, key: "k" }, context);
  expect(await h.chat.handlers.sendCard({ chatId: "bob", person, key: "k" }, context)).toEqual({
    id,
  });
  await settle();
  const sent = h.conn().flying[0]?.message;
  const custom = { event: "userCard", fields: { uid: "carol", nickname: "王芳" } };
  expect(sent).toEqual({ kind: "custom", id, to: "bob", custom });
  expect(h.store.get("chat").conversations["bob"]?.messages[id]).toMatchObject({
    type: "card",
    status: "sending",
    custom,
  });
  h.conn().deliver();
  await settle();
  await h.chat.handlers.forward(
    { chatId: "bob", ids: [id], to: ["dave"], combined: null },
    context,
  );
  await settle();
  expect(h.conn().flying[0]?.message).toMatchObject({ kind: "custom", to: "dave", custom });
});
