import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "./port.ts";
import { unwrapSdk } from "./sdk.ts";
import { toFailure } from "./sdk-failure.ts";
import { toReceived, toSdkMessage } from "./sdk-messages.ts";

test("The SDK is found however often its default export is wrapped", () => {
  const sdk = { connection: function connection() {}, message: { create: () => ({}) } };
  expect(unwrapSdk(sdk)).toBe(sdk);
  expect(unwrapSdk({ default: sdk })).toBe(sdk);
  expect(unwrapSdk({ default: { default: sdk } })).toBe(sdk);
  expect(() => unwrapSdk({ default: {} })).toThrow("could not be loaded");
});

test("A rejection that contains an XHR becomes a number and a text", () => {
  const failure = toFailure({ type: 17, message: "user not found", data: { xhr: () => 1 } });
  expect([failure.type, failure.message]).toEqual([17, "user not found"]);
  expect(structuredClone({ ...failure })).toEqual({ type: 17, name: "ChatFailure" });
  expect(toFailure({ type: 507, reason: "you were muted" }).message).toBe("you were muted");
  expect(toFailure(undefined).type).toBe(999);
});

test("A sent text carries its extension fields beside its local id", () => {
  const create = (options: object) => ({ ...options });
  const sdk = { connection: function connection() {}, message: { create } };
  const message = { kind: "text", id: "7", to: "bob", text: "你好", ext: { conferenceId: "c1" } };
  expect(toSdkMessage(unwrapSdk(sdk), message as OutgoingMessage)).toEqual({
    id: "7",
    to: "bob",
    chatType: "singleChat",
    type: "txt",
    msg: "你好",
    ext: { conferenceId: "c1", localId: "7" },
  });
});

describe("messages as the SDK gives them", () => {
  const wire = {
    id: "9007199254740993123",
    type: "txt",
    chatType: "singleChat",
    from: "bob",
    to: "alice",
    msg: "你好",
    time: 1_700_000_000_000,
    ext: { localId: "123" },
  };
  test("Ids stay strings, and a valid local id of the sender is kept", () => {
    expect(toReceived(wire)).toEqual({
      mid: "9007199254740993123",
      from: "bob",
      to: "alice",
      type: "text",
      msg: "你好",
      time: 1_700_000_000_000,
      localId: "123",
      read: false,
      file: null,
      quote: null,
      edits: 0,
      asksReaders: false,
      reactions: [],
      mentions: [],
    });
    expect(toReceived({ ...wire, ext: { localId: "__proto__" } })?.localId).toBeNull();
    expect(toReceived({ ...wire, ext: { localId: 5 } })?.localId).toBeNull();
    expect(toReceived({ ...wire, ext: undefined })?.localId).toBeNull();
  });
  test("A message of a group names the group by a key that no user name can be", () => {
    const group = { ...wire, chatType: "groupChat", to: "1700000000000000001" };
    expect(toReceived(group)).toMatchObject({ from: "bob", to: "#1700000000000000001" });
    const create = (options: object) => ({ ...options });
    const sdk = { connection: function connection() {}, message: { create } };
    const text = { kind: "text", id: "7", to: "#17", text: "你好" } as OutgoingMessage;
    expect(toSdkMessage(unwrapSdk(sdk), text)).toMatchObject({ to: "17", chatType: "groupChat" });
    const read = { kind: "readAll", id: "8", to: "#17" } as OutgoingMessage;
    expect(toSdkMessage(unwrapSdk(sdk), read)).toMatchObject({
      to: "17",
      chatType: "groupChat",
      type: "channel",
    });
  });
  test("An answer carries what it answers in the form of the vendor's kits, and a quote that fits no message is left out", () => {
    const create = (options: object) => ({ ...options });
    const sdk = unwrapSdk({ connection: function connection() {}, message: { create } });
    const quote = { mid: "1", from: "lina", type: "img", text: "a.png" } as const;
    const { ext } = toSdkMessage(sdk, { kind: "text", id: "7", to: "bob", text: "好", quote });
    expect(ext).toEqual({
      localId: "7",
      msgQuote: { msgID: "1", msgPreview: "a.png", msgSender: "lina", msgType: "img" },
    });
    expect(toReceived({ ...wire, ext })?.quote).toEqual(quote);
    const long = { msgID: "1", msgPreview: "长".repeat(5000), msgSender: "lina", msgType: "x" };
    expect(toReceived({ ...wire, ext: { msgQuote: long } })?.quote).toMatchObject({
      type: "text",
      text: "长".repeat(200),
    });
    for (const bad of [{}, "x", { ...long, msgID: "javascript:1" }, { ...long, msgSender: "" }]) {
      expect(toReceived({ ...wire, ext: { msgQuote: bad } })?.quote).toBeNull();
    }
  });
  test("A picture, a sound, a film and a file carry their address, name, size and length", () => {
    const url = "https://chat.example/o/a/chatfiles/u?em-redirect=true&share-secret=s";
    const about = { url, filename: "a", file_length: "7", width: 64, height: 0, length: "12" };
    const file = { name: "a", size: 7, width: 64, height: null, length: 12, url };
    for (const [type, thumb] of [
      ["img", `${url}&thumbnail=true`],
      ["video", `${url}&vframe=true`],
      ["audio", null],
      ["file", null],
    ] as const) {
      expect(toReceived({ ...wire, ...about, type, msg: undefined })).toMatchObject({
        type,
        msg: "a",
        file: { ...file, thumb },
      });
    }
  });
  test("A file's address may have the server's base path before the provider's, and no other path is one of a file", () => {
    const urlFrom = (url: string) =>
      toReceived({ ...wire, type: "file", filename: "a", url, msg: undefined })?.file?.url;
    for (const path of [
      "/o/a/chatfiles/u",
      "/console/o/a/chatfiles/u",
      "/x/y/x/y/o/a/chatfiles/u",
    ]) {
      expect(urlFrom(`https://chat.example${path}?share-secret=s`)).toBe(
        `https://chat.example${path}?share-secret=s`,
      );
    }
    for (const path of [
      "/console/uaa/api/account",
      "/chatfiles/u",
      "/o/a/chatfiles/u/x",
      "/o/a/chatfiles/",
    ]) {
      expect(urlFrom(`https://chat.example${path}`)).toBeNull();
    }
  });
  test("The size of a film stands in its extension fields", () => {
    const create = (options: object) => ({ ...options });
    const sdk = unwrapSdk({ connection: function connection() {}, message: { create } });
    const about = { name: "a.mp4", size: 7, width: 64, height: 48, length: 1.4 };
    const file = { ...about, url: "http://h/o/a/chatfiles/u", secret: "s" };
    const sent = toSdkMessage(sdk, { kind: "video", id: "7", to: "bob", file });
    expect(sent).toMatchObject({ ext: { localId: "7", width: 64, height: 48 } });
    const { ext } = sent;
    expect(toReceived({ ...wire, type: "video", ext })?.file).toMatchObject({
      width: 64,
      height: 48,
    });
  });
  test("An address that is none of a chat file is dropped: it could run as a script, or make a call", () => {
    for (const url of [
      "javascript:alert(1)",
      "javascript:/o/a/chatfiles/u",
      "data:text/html,x",
      "//evil/o/a/chatfiles/u",
      "https://chat.example/umc-rbac/common/download?delete=true",
      "https://chat.example/o/a/chatfiles/../users",
      "",
      5,
      undefined,
    ]) {
      expect(toReceived({ ...wire, type: "img", url, filename: "a.png" })?.file).toMatchObject({
        url: null,
        thumb: null,
      });
    }
  });
  test("A sent file names its uploaded contents, so that the SDK uploads nothing", () => {
    const create = (options: object) => ({ ...options });
    const sdk = unwrapSdk({ connection: function connection() {}, message: { create } });
    const about = { name: "a.png", size: 7, width: 64, height: 48, length: null };
    const file = { ...about, url: "http://h/o/a/chatfiles/u", secret: "s" };
    const sent = toSdkMessage(sdk, { kind: "img", id: "7", to: "bob", file });
    expect(sent).toMatchObject({
      id: "7",
      type: "img",
      to: "bob",
      ext: { localId: "7" },
      body: { url: file.url, secret: "s", filename: "a.png", file_length: 7 },
    });
    expect(sent).not.toHaveProperty("file");
  });
  test("A long text is cut, a file shows its name, and commands and messages of chat rooms are left out", () => {
    expect(toReceived({ ...wire, msg: "x".repeat(100_000) })?.msg).toHaveLength(20_000);
    expect(toReceived({ ...wire, type: "file", msg: undefined, filename: "a.pdf" })).toMatchObject({
      type: "file",
      msg: "a.pdf",
    });
    expect(toReceived({ ...wire, chatType: "chatRoom" })).toBeNull();
    expect(toReceived({ ...wire, type: "cmd" })).toBeNull();
    expect(toReceived("nonsense")).toBeNull();
  });
});
