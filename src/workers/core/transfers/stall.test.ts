import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { createFakeClock, createFakeOnline } from "../core.fake.ts";
import { watchStall } from "./stall.ts";

function setUp(limit?: number) {
  const clock = createFakeClock();
  const online = createFakeOnline();
  const control = new AbortController();
  const stall = watchStall({ clock, online }, control.signal, limit);
  const back = (): void => {
    online.set(false);
    online.set(true);
  };
  return { clock, control, stall, back, hasEnded: () => stall.signal.aborted };
}

it("A connection is dead after two minutes without a byte, or after the limit that is given", () => {
  for (const limit of [undefined, 600_000]) {
    const { clock, stall, hasEnded } = setUp(limit);
    clock.advance((limit ?? 120_000) - 1);
    stall.moved();
    clock.advance((limit ?? 120_000) - 1);
    expect(hasEnded()).toBe(false);
    clock.advance(1);
    expect(stall.signal.reason).toMatchObject({ code: "network.timeout" });
  }
});

it("At the end of an outage it is dead after ten seconds, and what has moved since goes on", () => {
  const { clock, stall, back, hasEnded } = setUp();
  clock.advance(15_000);
  stall.moved();
  clock.advance(9_999);
  back();
  expect(hasEnded()).toBe(false);
  clock.advance(1);
  back();
  expect(stall.signal.reason).toMatchObject({ code: "network.timeout" });
});

it("The reason of a dead connection replaces the error that it leads to; another error stays", () => {
  const { clock, stall } = setUp();
  const cancelled = new AppError("request.cancelled");
  expect(stall.reasonOf(cancelled)).toBe(cancelled);
  clock.advance(120_000);
  expect(stall.reasonOf(cancelled)).toMatchObject({ code: "network.timeout" });
});

it("Who cancels ends it with a reason of their own, and nothing stays behind", () => {
  const { clock, control, stall, back } = setUp();
  control.abort("taken back");
  expect(stall.signal.reason).toBe("taken back");
  const error = new Error("broke off");
  expect(stall.reasonOf(error)).toBe(error);
  stall.end();
  clock.advance(120_000);
  back();
  expect([stall.signal.reason, clock.pending]).toEqual(["taken back", 0]);
});
