import { expect, test } from "vitest";
import type { Claim, TabInfo } from "../../contracts.ts";
import { createFakeClock } from "../../core.fake.ts";
import { watchAbsence } from "./absence.ts";

function setUp() {
  const clock = createFakeClock();
  const joins = new Set<(tab: TabInfo, claim: Claim | null) => void>();
  const leaves = new Set<(tabId: string) => void>();
  const there = new Map<string, TabInfo>();
  const log: string[] = [];
  const busy = { now: false };
  const absence = watchAbsence({
    env: { clock },
    tabs: {
      list: () => [...there.values()],
      onJoin: (handler) => {
        joins.add(handler);
        return () => joins.delete(handler);
      },
      onLeave: (handler) => {
        leaves.add(handler);
        return () => leaves.delete(handler);
      },
    },
    busy: () => busy.now,
    rest: () => void log.push("rest"),
    wake: () => void log.push("wake"),
  });
  const join = (tabId: string): void => {
    const tab: TabInfo = { tabId, visible: true, focusedAt: 0, connectedAt: 0 };
    there.set(tabId, tab);
    for (const handler of joins) handler(tab, null);
  };
  const leave = (tabId: string): void => {
    there.delete(tabId);
    for (const handler of leaves) handler(tabId);
  };
  return { clock, log, busy, absence, join, leave, listeners: () => joins.size + leaves.size };
}

test("The connection closes 1.5 s after the last tab and opens again with the next one", () => {
  const { clock, log, join, leave } = setUp();
  join("a");
  join("b");
  leave("a");
  clock.advance(10_000);
  expect(log).toEqual(["wake", "wake"]);
  leave("b");
  clock.advance(1_499);
  expect(log).toHaveLength(2);
  clock.advance(1);
  expect(log.at(-1)).toBe("rest");
  join("c");
  expect(log.at(-1)).toBe("wake");
  expect(clock.pending).toBe(0);
});

test("A reload of the only tab does not close the connection", () => {
  const { clock, log, join, leave } = setUp();
  join("a");
  leave("a");
  clock.advance(1_000);
  join("b");
  clock.advance(10_000);
  expect(log).not.toContain("rest");
});

test("A call that waits for a tab keeps the connection until the call ends", () => {
  const { clock, log, busy, join, leave } = setUp();
  join("a");
  busy.now = true;
  leave("a");
  clock.advance(20_000);
  expect(log).not.toContain("rest");
  busy.now = false;
  clock.advance(1_500);
  expect(log.at(-1)).toBe("rest");
});

test("After stop no timer and no listener is left", () => {
  const { clock, absence, join, leave, listeners } = setUp();
  join("a");
  leave("a");
  absence.stop();
  expect([clock.pending, listeners()]).toEqual([0, 0]);
});
