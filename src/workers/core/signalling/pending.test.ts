import { describe, expect, it } from "vitest";
import { createFakeClock, settle } from "../core.fake.ts";
import { createPending, LATE, LOST } from "./pending.ts";

function world() {
  const clock = createFakeClock();
  return { clock, pending: createPending<string, { op: number }>(clock) };
}
const done = { result: 0, msg: "", signal: { op: 1 } };

describe("pending requests", () => {
  it("An answer resolves the request with its id, once", async () => {
    const { clock, pending } = world();
    const first = pending.ask("a", 100, () => true);
    const second = pending.ask("b", 100, () => true);
    expect(pending.settle("b", done)).toBe(true);
    expect(pending.settle("b", done)).toBe(false);
    expect(await second).toBe(done);
    clock.advance(100);
    expect(await first).toBe(LATE);
    expect(clock.pending).toBe(0);
  });

  it("A request that cannot be sent is lost at once", async () => {
    const { clock, pending } = world();
    expect(await pending.ask("a", 100, () => false)).toBe(LOST);
    expect(clock.pending).toBe(0);
  });

  it("A lost connection fails the sent requests and keeps the held ones", async () => {
    const { pending } = world();
    const sent = pending.ask("a", 100, () => true);
    const held = pending.hold("hello", "b", 100);
    pending.lost();
    expect(await sent).toBe(LOST);
    expect(pending.holding).toBe(true);
    expect(pending.release()).toEqual([{ request: "hello", tsxId: "b" }]);
    expect(pending.holding).toBe(false);
    pending.settle("b", done);
    expect(await held).toBe(done);
  });

  it("A held request ends after its timeout and is not released any more", async () => {
    const { clock, pending } = world();
    const held = pending.hold("hello", "a", 100);
    clock.advance(100);
    expect(await held).toBe(LATE);
    expect(pending.release()).toEqual([]);
  });

  it("Of more than 100 held requests the oldest fail", async () => {
    const { pending } = world();
    const oldest = pending.hold("0", "0", 100);
    for (let i = 1; i <= 100; i += 1) void pending.hold(`${i}`, `${i}`, 100);
    expect(await oldest).toBe(LOST);
    expect(pending.release()).toHaveLength(100);
  });

  it("Closing fails every request and leaves no timer", async () => {
    const { clock, pending } = world();
    const all = [pending.ask("a", 100, () => true), pending.hold("hello", "b", 100)];
    pending.close();
    await settle();
    expect(await Promise.all(all)).toEqual([LOST, LOST]);
    expect([clock.pending, pending.release()]).toEqual([0, []]);
  });
});
