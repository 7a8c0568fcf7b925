import { describe, expect, test } from "vitest";
import type { CallMessage } from "../../../../shared/protocol/call-message.ts";
import { parseCallMessage } from "./call-messages.ts";
import { ChatFailure, type ReceivedCommand } from "../provider/port.ts";
import { createHarness, settle, type Harness } from "../chat.harness.ts";

const loggedIn = async (): Promise<Harness & { heard: [CallMessage, string][] }> => {
  const h = createHarness();
  await settle();
  const heard: [CallMessage, string][] = [];
  h.chat.commands.onMessage((message, from) => heard.push([message, from]));
  return { ...h, heard };
};
const ring = (h: Harness): CallMessage => ({
  action: "sendRing",
  channel: "channel",
  type: 1,
  callId: "call",
  fromUserDevId: "d1",
  toUserDevId: "",
  ts: h.env.clock.now(),
  fromUser: "alice",
  toUser: "bob",
  media: "voice",
});
let mids = 0;
const command = (h: Harness, over: Partial<ReceivedCommand> = {}): ReceivedCommand => {
  const { action: _action, ...ext } = { ...ring(h), fromUser: "bob", toUser: "alice" };
  return {
    mid: `c${(mids += 1)}`,
    from: "bob",
    to: "alice",
    action: "sendRing",
    ext,
    time: h.env.clock.now(),
    ...over,
  };
};

test("A message of the platform that data changed is passed on with the tags that are known; nobody else may send one", async () => {
  const h = await loggedIn();
  h.conn().accept();
  await settle();
  expect(h.openings()).toBe(1);
  const dataChange = { action: "dataChanged", ext: { supplierId: "7", tags: "employees,future" } };
  h.conn().events.command(command(h, { ...dataChange, from: "@platform" }));
  h.conn().events.command(command(h, { ...dataChange, from: "bob" }));
  h.conn().events.command(
    command(h, { ...dataChange, from: "@platform", ext: { tags: "employees" } }),
  );
  expect(h.changes).toMatchObject([{ supplierId: "7", tags: ["employees"] }]);
  expect(h.heard).toEqual([]);
  h.conn().drop();
  h.conn().back();
  await settle();
  expect(h.openings()).toBe(2);
});

describe("sending a call message", () => {
  test("It resolves on the acknowledgement, and the ext does not repeat the action", async () => {
    const h = await loggedIn();
    const sent = h.chat.commands.send("bob", "sendRing", ring(h));
    const flight = h.conn().flying[0];
    const { action: _action, ...ext } = ring(h);
    expect(flight?.message).toMatchObject({ kind: "command", to: "bob", action: "sendRing", ext });
    h.conn().deliver();
    await expect(sent).resolves.toBeUndefined();
  });

  test("It rejects after 5 s, on a refusal, on a loss, and at once when not connected", async () => {
    const h = await loggedIn();
    const late = h.chat.commands.send("bob", "sendRing", ring(h));
    h.env.clock.advance(5_000);
    await expect(late).rejects.toMatchObject({ code: "chat.send-failed" });
    h.conn().deliver();

    const refused = h.chat.commands.send("bob", "sendRing", ring(h));
    h.conn().answer(new ChatFailure(221, "not contact"));
    await expect(refused).rejects.toMatchObject({
      code: "chat.not-allowed",
    });

    const lost = h.chat.commands.send("bob", "sendRing", ring(h));
    h.conn().drop();
    await expect(lost).rejects.toMatchObject({ code: "chat.send-failed" });
    await expect(h.chat.commands.send("bob", "sendRing", ring(h))).rejects.toMatchObject({
      code: "chat.send-failed",
    });
    h.conn().back();
    expect(h.conn().flying).toHaveLength(0);
  });
});

describe("receiving a call message", () => {
  test("A valid message is delivered once, with its sender", async () => {
    const h = await loggedIn();
    const one = command(h);
    h.conn().events.command(one);
    h.conn().events.command(one);
    expect(h.heard).toEqual([[{ ...one.ext, action: "sendRing" }, "bob"]]);
  });

  test("Numbers and booleans sent as text are parsed, and a missing media means video", () => {
    const parsed = parseCallMessage("confirmRing", {
      channel: 12,
      type: "1",
      callId: "c",
      fromUserDevId: "",
      toUserDevId: "",
      ts: "1700000000000",
      fromUser: "bob",
      toUser: "alice",
      status: "false",
    });
    expect(parsed).toMatchObject({
      channel: "12",
      type: 1,
      ts: 1_700_000_000_000,
      status: false,
      media: "video",
    });
  });

  test.each<[string, (h: Harness) => Partial<ReceivedCommand>]>([
    ["an unknown action", () => ({ action: "dance" })],
    ["a missing field", () => ({ ext: { channel: "channel" } })],
    ["a claimed sender that is not the sender", () => ({ from: "carol" })],
    ["another receiver", (h) => ({ ext: { ...command(h).ext, toUser: "carol" } })],
    [
      "an invalid status",
      (h) => ({ action: "confirmRing", ext: { ...command(h).ext, status: "maybe" } }),
    ],
    ["a ring older than a minute", (h) => ({ time: h.env.clock.now() - 60_001 })],
    [
      "an old ring and no server time",
      (h) => ({ time: 0, ext: { ...command(h).ext, ts: h.env.clock.now() - 60_001 } }),
    ],
  ])("A message with %s is reported and dropped", async (_name, over) => {
    const h = await loggedIn();
    h.conn().events.command(command(h, over(h)));
    expect(h.heard).toEqual([]);
    expect(h.env.reports).toHaveLength(1);
  });

  test("A ring from a sender with a wrong clock is accepted", async () => {
    const h = await loggedIn();
    h.conn().events.command(command(h, { ext: { ...command(h).ext, ts: 1_000 } }));
    expect(h.heard).toHaveLength(1);
  });

  test("Messages of the person's own other devices are ignored without a report", async () => {
    const h = await loggedIn();
    h.conn().events.command(command(h, { from: "alice", to: "bob" }));
    expect(h.heard).toEqual([]);
    expect(h.env.reports).toEqual([]);
  });

  test("A handler that throws does not stop the others", async () => {
    const h = createHarness();
    await settle();
    const heard: string[] = [];
    h.chat.commands.onMessage(() => {
      throw new Error("broken");
    });
    const off = h.chat.commands.onMessage((message) => heard.push(message.action));
    h.conn().events.command(command(h));
    off();
    h.conn().events.command(command(h));
    expect(heard).toEqual(["sendRing"]);
  });
});
