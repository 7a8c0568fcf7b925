import { expect, it } from "vitest";
import { createClockOffset } from "./clock-offset.ts";

const START = Date.parse("2026-11-28T08:00:00.137Z");

/** A server whose clock is ahead by `ahead` ms, asked at times of this machine. */
function setUp(ahead: number) {
  const offsets: number[] = [];
  const { learn } = createClockOffset((ms) => offsets.push(ms));
  const server = { ahead };
  return {
    offsets,
    server,
    /** @param delay ms of the way there, and of the way back */
    ask(at: number, delay = 5) {
      const date = new Date(START + at + delay + server.ahead).toUTCString();
      learn(date, START + at, START + at + 2 * delay);
    },
    error: () => Math.abs((offsets.at(-1) ?? Number.NaN) - server.ahead),
  };
}

it("One answer gives the offset to about half a second, ten to a tenth", () => {
  for (const ahead of [0, 60_000, -49 * 3_600_000]) {
    const { ask, error } = setUp(ahead);
    ask(0);
    expect(error()).toBeLessThanOrEqual(540);
    for (let n = 1; n < 10; n += 1) ask(n * 1_730);
    expect(error()).toBeLessThanOrEqual(100);
  }
});

it("A slow answer says little, and harms nothing", () => {
  const { ask, error } = setUp(-700);
  for (let n = 0; n < 20; n += 1) ask(n * 1_730);
  const before = error();
  ask(60_000, 4_000);
  expect(error()).toBeLessThanOrEqual(before + 50);
});

it("Few reports, although every answer says a little", () => {
  const { ask, offsets } = setUp(-49 * 3_600_000);
  for (let n = 0; n < 1_000; n += 1) ask(n * 777);
  expect(offsets.length).toBeLessThanOrEqual(10);
});

it("Clocks that drift apart by 30 ms in ten minutes are followed", () => {
  const { ask, error, server } = setUp(0);
  for (let n = 0; n < 6_000; n += 1) {
    server.ahead = n * 0.5;
    ask(n * 10_000);
  }
  expect(error()).toBeLessThanOrEqual(250);
});

it("A clock that was set counts from the next answer", () => {
  const { ask, error, server } = setUp(0);
  for (let n = 0; n < 10; n += 1) ask(n * 1_730);
  server.ahead = -5_000;
  ask(20_000);
  expect(error()).toBeLessThanOrEqual(540);
});

it("Answers without a readable date say nothing", () => {
  const { offsets, ask } = setUp(0);
  const { learn } = createClockOffset((ms) => offsets.push(ms));
  for (const date of [undefined, "", "yesterday", 5]) learn(date, START, START);
  expect(offsets).toEqual([]);
  ask(0);
  expect(offsets).toHaveLength(1);
});
