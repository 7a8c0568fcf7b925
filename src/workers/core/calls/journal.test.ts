import { afterEach, describe, expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { CallReport } from "../../../shared/protocol/rest/call-records.ts";
import { createWorld, type Person, type World } from "./call.harness.ts";
import { createJournal, JOURNAL_KEY } from "./journal.ts";

let world: World;
let a: Person;
let b: Person;
function setUp(): void {
  world = createWorld();
  a = world.person("ann");
  b = world.person("bob");
}
afterEach(async () => {
  for (const person of [a, b]) {
    if (person.call.status !== undefined && person.call.status !== "idle") await person.hangup();
    person.calls.stop();
  }
  await world.run(12_000);
  expect(world.clock.pending).toBe(0);
});

async function ring(): Promise<string> {
  const starting = a.start("bob", "voice");
  await world.run(100);
  return (await starting).callId;
}
async function talk(): Promise<string> {
  const callId = await ring();
  await b.answer();
  await world.run(300);
  expect([a.call.status, b.call.status]).toEqual(["chat", "chat"]);
  return callId;
}

describe("The record of a call", () => {
  it("comes from both sides after a conversation, with its times", async () => {
    setUp();
    const began = world.clock.now();
    const callId = await talk();
    await world.run(5_000);
    await a.hangup();
    await world.run(100);
    const common = { callId, channel: "channel1", type: 1, media: "voice", result: "answered" };
    expect(a.http.reports).toMatchObject([
      { ...common, direction: "out", peer: "bob", startedAt: began },
    ]);
    expect(b.http.reports).toMatchObject([{ ...common, direction: "in", peer: "ann" }]);
    for (const person of [a, b]) {
      const { startedAt, answeredAt, endedAt } = person.http.reports[0]!;
      expect(answeredAt).toBeGreaterThan(startedAt);
      expect(endedAt - answeredAt!).toBeGreaterThanOrEqual(5_000);
    }
  });

  it("has the server's times, also from a machine whose clock is days ahead", async () => {
    setUp();
    const days = 49 * 3_600_000;
    a.store.set(["session", "serverTimeOffset"], -days);
    const began = world.clock.now();
    await talk();
    await a.hangup();
    await world.run(100);
    const { startedAt, answeredAt, endedAt } = a.http.reports[0]!;
    expect(startedAt).toBe(began - days);
    expect(answeredAt).toBeLessThan(world.clock.now() - days);
    expect(endedAt).toBeLessThan(world.clock.now() - days + 1);
    // this machine's clock is right
    expect(b.http.reports[0]!.startedAt).toBeGreaterThanOrEqual(began);
  });

  it("of a call that nobody answers is no-response for the caller and missed for the callee", async () => {
    setUp();
    await ring();
    await world.run(31_000);
    expect(a.http.reports).toMatchObject([{ result: "no-response", answeredAt: null }]);
    expect(b.http.reports).toMatchObject([{ result: "missed", answeredAt: null }]);
  });

  it("of a refused call is refused on both sides", async () => {
    setUp();
    await ring();
    await b.answer(false);
    await world.run(100);
    expect(a.http.reports).toMatchObject([{ result: "refused" }]);
    expect(b.http.reports).toMatchObject([{ result: "refused" }]);
  });

  it("comes only from the device that answered", async () => {
    setUp();
    const phone = world.person("bob", "bob-phone");
    await ring();
    await phone.answer();
    await world.run(300);
    expect(b.call.status).toBe("idle");
    await a.hangup();
    await world.run(100);
    expect(phone.http.reports).toMatchObject([{ result: "answered" }]);
    expect(b.http.reports).toEqual([]);
    phone.calls.stop();
  });
});

describe("A record that the server cannot take", () => {
  it("is not overwritten while the storage cannot be read, and is sent once it can be", async () => {
    setUp();
    a.http.refuseReports = new AppError("network.timeout");
    await talk();
    await a.hangup();
    await world.run(100);
    const stored = await a.env.kv.get<{ accountId: string; report: CallReport }[]>(JOURNAL_KEY);
    const { accountId, report } = stored![0]!;
    a.calls.stop();

    const { get } = a.env.kv;
    a.env.kv.get = () => Promise.reject(new Error("broken"));
    const next = createJournal({
      env: a.env,
      http: a.http as never,
      session: {
        user: () => ({ accountId, username: "ann", name: "Ann", supplierId: "s1" }),
        onUser: () => () => undefined,
      },
      serverTime: { fromLocal: (at) => at },
    });
    next.add(accountId, { ...report, callId: "later" });
    await world.run(100);
    a.env.kv.get = get;
    expect(await a.env.kv.get(JOURNAL_KEY)).toHaveLength(1);
    a.http.refuseReports = null;
    await world.run(20_000);
    expect(a.http.reports.map(({ callId }) => callId).toSorted()).toEqual(
      [report.callId, "later"].toSorted(),
    );
    expect(await a.env.kv.get(JOURNAL_KEY)).toBeUndefined();
    next.stop();
  });

  it("waits, and is sent when the server answers again", async () => {
    setUp();
    a.http.refuseReports = new AppError("network.timeout");
    await talk();
    await a.hangup();
    await world.run(1_000);
    expect(a.http.reports).toEqual([]);
    a.http.refuseReports = null;
    await world.run(2_000);
    expect(a.http.reports).toHaveLength(1);
    expect(await a.env.kv.get(JOURNAL_KEY)).toBeUndefined();
  });

  it("is sent by the next core when this one dies", async () => {
    setUp();
    a.http.refuseReports = new AppError("network.timeout");
    await talk();
    await a.hangup();
    await world.run(500);
    a.crashCore();
    a.http.refuseReports = null;
    a.startCore();
    await world.run(100);
    expect(a.http.reports).toHaveLength(1);
  });

  it("is dropped when the server refuses it", async () => {
    setUp();
    a.http.refuseReports = new AppError("request.invalid");
    await talk();
    await a.hangup();
    await world.run(500);
    a.http.refuseReports = null;
    await world.run(70_000);
    expect(a.http.reports).toEqual([]);
    expect(await a.env.kv.get(JOURNAL_KEY)).toBeUndefined();
  });

  it("waits for its person when another one logs in", async () => {
    setUp();
    a.http.refuseReports = new AppError("network.timeout");
    await talk();
    await a.hangup();
    await world.run(500);
    a.http.refuseReports = null;
    a.setUser({ accountId: "acc-other", username: "other", name: "other", supplierId: null });
    await world.run(70_000);
    expect(a.http.reports).toEqual([]);
    a.setUser({ accountId: "acc-ann", username: "ann", name: "ann", supplierId: null });
    await world.run(100);
    expect(a.http.reports).toHaveLength(1);
  });

  it("keeps the time when the call began over the death of the core", async () => {
    setUp();
    const began = world.clock.now();
    await talk();
    const tabs = a.crashCore();
    a.startCore();
    for (const tab of tabs) a.joinTab(tab);
    await world.run(500);
    expect(a.call.status).toBe("chat");
    await a.hangup();
    await world.run(100);
    expect(a.http.reports).toMatchObject([{ result: "answered", startedAt: began }]);
  });
});
