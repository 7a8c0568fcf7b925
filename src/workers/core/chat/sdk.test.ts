import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "./port.ts";
import { toFailure, toReceived, toSdkMessage, unwrapSdk } from "./sdk.ts";

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
    });
    expect(toReceived({ ...wire, ext: { localId: "__proto__" } })?.localId).toBeNull();
    expect(toReceived({ ...wire, ext: { localId: 5 } })?.localId).toBeNull();
    expect(toReceived({ ...wire, ext: undefined })?.localId).toBeNull();
  });
  test("A long text is cut, a file shows its name, and group messages and commands are left out", () => {
    expect(toReceived({ ...wire, msg: "x".repeat(100_000) })?.msg).toHaveLength(20_000);
    expect(toReceived({ ...wire, type: "file", msg: undefined, filename: "a.pdf" })).toMatchObject({
      type: "file",
      msg: "a.pdf",
    });
    expect(toReceived({ ...wire, chatType: "groupChat" })).toBeNull();
    expect(toReceived({ ...wire, type: "cmd" })).toBeNull();
    expect(toReceived("nonsense")).toBeNull();
  });
});
