/** What rules find in the figures of all processes (docs/server.md#alerts). */
import { expect, it } from "vitest";
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import { durations } from "../fleet/fleet.harness.ts";
import { BEGIN, levels, NO_COMPANY, ruleOf, STEP_MS, stepOf } from "./alerts.harness.ts";
import { findingsOf, wantedBy } from "./measures.ts";
import { createWindows, type Windows } from "./windows.ts";

const NOBODY = { companyId: null } as const;

function windowsFor(...rules: readonly AlertRule[]): Windows {
  const windows = createWindows();
  windows.want(wantedBy(rules), BEGIN);
  return windows;
}
/** One step after the other, from `from` on. @returns the end of the last one */
function run(
  windows: Windows,
  from: number,
  count: number,
  figures: Parameters<typeof stepOf>[1],
): number {
  for (let i = 0; i < count; i += 1) {
    const at = from + i * STEP_MS;
    windows.add(stepOf(at, figures));
    windows.prune(at);
  }
  return from + count * STEP_MS;
}

it("A threshold counts the events of its window, of all processes together, once they are enough", () => {
  const rule = ruleOf("http-failures");
  const windows = windowsFor(rule);
  const c = { "server.requests": 30, "server.failures": 3 };
  windows.add(stepOf(BEGIN, { [NO_COMPANY]: { c } }));
  expect(findingsOf(rule, windows, BEGIN + STEP_MS)).toEqual([]);
  windows.add(stepOf(BEGIN, { [NO_COMPANY]: { c } }, { process: "p2" }));
  expect(findingsOf(rule, windows, BEGIN + STEP_MS)).toMatchObject([
    { ...NOBODY, subject: { kind: "metric", name: "server.failures" }, value: 0.1, limit: 0.02 },
  ]);
  // After the window it is forgotten.
  const end = run(windows, BEGIN + STEP_MS, 6, {
    [NO_COMPANY]: { c: { "server.requests": 10, "server.failures": 0 } },
  });
  expect(findingsOf(rule, windows, end)).toEqual([]);
});

it("Quantiles are those of all durations of the window", () => {
  const rule = ruleOf("http-slow", { least: 100 });
  const windows = windowsFor(rule);
  const end = run(windows, BEGIN, 2, {
    [NO_COMPANY]: { h: { "server.http": durations([20, 49], [5000, 1]) } },
  });
  const [found] = findingsOf(rule, windows, end);
  expect(found?.value).toBeGreaterThan(4500);
  expect(findingsOf({ ...rule, least: 101 }, windows, end)).toEqual([]);
});

it("Each company is measured by itself, and a part by its own name", () => {
  const rule = ruleOf("sockets-lost");
  const windows = windowsFor(rule);
  const end = run(windows, BEGIN, 3, {
    "1": {
      c: {
        "socket.chat.lost.network": 2,
        "socket.chat.lost.silent": 1,
        "socket.im.lost.network": 1,
        "socket.im.opened": 50,
      },
      l: levels({ cores: 20 }),
    },
    "2": { c: { "socket.chat.lost.network": 1 }, l: levels({ cores: 100 }) },
  });
  expect(findingsOf(rule, windows, end)).toEqual([
    {
      companyId: "1",
      subject: { kind: "socket", name: "chat" },
      value: 9 / 20,
      limit: 0.2,
      named: "lost.chat",
    },
  ]);
});

it("A level is the mean of the sums of all processes, and nothing when nobody is there", () => {
  const rule = ruleOf("outbox-waits", { reach: "platform", per: null, value: 29 });
  const windows = windowsFor(rule);
  for (const process of ["p1", "p2"]) {
    for (const company of ["1", "2"]) {
      windows.add(stepOf(BEGIN, { [company]: { l: levels({ outbox: 10 }) } }, { process }));
    }
  }
  windows.add(stepOf(BEGIN + STEP_MS, { "1": { l: levels({ outbox: 20 }) } }));
  expect(findingsOf(rule, windows, BEGIN + 2 * STEP_MS)).toMatchObject([{ value: 30 }]);
  run(windows, BEGIN + 2 * STEP_MS, 1, {});
  expect(findingsOf(rule, windows, BEGIN + 3 * STEP_MS)).toEqual([]);
});

it("The most of processes' own levels is that of the worst process", () => {
  const rule = ruleOf("memory");
  const windows = windowsFor(rule);
  for (const [process, memory] of [
    ["p1", 2000],
    ["p2", 2900],
  ] as const) {
    const l = levels({ "server.memory": memory });
    windows.add(stepOf(BEGIN, { [NO_COMPANY]: { l } }, { process }));
  }
  expect(findingsOf(rule, windows, BEGIN + STEP_MS)).toEqual([]);
  expect(findingsOf({ ...rule, value: 2800 }, windows, BEGIN + STEP_MS)).toMatchObject([
    { value: 2900 },
  ]);
});

it("A change compares with the mean of the windows before, once half of them are known", () => {
  const rule = ruleOf("errors-jump");
  const windows = windowsFor(rule);
  const often = (count: number) => ({
    "1": {
      c: { "errors.core.deadline": count, "errors.core.deadline@b1": count },
      l: levels({ cores: 10 }),
    },
  });
  // 25 minutes of one error a step: too short to say that more is unusual.
  let end = run(windows, BEGIN, 150, often(1));
  end = run(windows, end, 30, often(10));
  expect(findingsOf(rule, windows, end)).toEqual([]);
  end = run(windows, end, 360, often(1));
  end = run(windows, end, 30, often(4));
  expect(findingsOf(rule, windows, end)).toEqual([]);
  end = run(windows, end, 360, often(1));
  end = run(windows, end, 30, often(6));
  expect(findingsOf(rule, windows, end)).toEqual([
    {
      companyId: "1",
      subject: { kind: "error", name: "core.deadline" },
      value: 18,
      limit: 15,
      named: "errors.core.deadline",
    },
  ]);
  // As many more people make as many more errors.
  expect(findingsOf({ ...rule, least: 181 }, windows, end)).toEqual([]);
  end = run(windows, end, 360, often(1));
  end = run(windows, end, 30, {
    "1": { c: { "errors.core.deadline": 6 }, l: levels({ cores: 30 }) },
  });
  expect(findingsOf(rule, windows, end)).toEqual([]);
});

it("A change over a day uses steps of 10 minutes of what is older than an hour", () => {
  const rule = ruleOf("logins-refused", { before: 86_400, least: 1 });
  const windows = windowsFor(rule);
  const refused = (count: number) => ({ [NO_COMPANY]: { c: { "server.logins-refused": count } } });
  let end = run(windows, BEGIN, 8640, refused(1));
  end = run(windows, end, 30, refused(6));
  const [found] = findingsOf(rule, windows, end);
  expect(found).toMatchObject({ value: 180 });
  // Of 24 h, at most the 10 minutes at its end are counted by whole steps of 10 minutes.
  expect(found?.limit).toBeCloseTo(150, -1);
});

it("Fewer is bad where a rule says so, when there were enough before", () => {
  const rule = ruleOf("cores-vanish");
  const windows = windowsFor(rule);
  const cores = (count: number) => ({ "1": { l: levels({ cores: count }) } });
  let end = run(windows, BEGIN, 40, cores(100));
  end = run(windows, end, 6, {});
  expect(findingsOf(rule, windows, end)).toMatchObject([{ value: 0, limit: 50 }]);
  const few = windowsFor(rule);
  end = run(few, BEGIN, 40, cores(10));
  end = run(few, end, 6, {});
  expect(findingsOf(rule, few, end)).toEqual([]);
});

it("A rule that is new has no past: what was not kept is not taken for nothing", () => {
  const rule = ruleOf("errors-jump");
  const windows = createWindows();
  const often = { "1": { c: { "errors.core.deadline": 10 }, l: levels({ cores: 10 }) } };
  const middle = run(windows, BEGIN, 400, often);
  windows.want(wantedBy([rule]), middle);
  const end = run(windows, middle, 30, often);
  expect(findingsOf(rule, windows, end)).toEqual([]);
});

it("A counter that goes on no more is absent, and one that never went on is not", () => {
  const rule: AlertRule = {
    ...ruleOf("core-restarts"),
    kind: "absence",
    metric: "imported",
    window: 60,
  };
  const windows = windowsFor(rule);
  let end = run(windows, BEGIN, 6, { "1": { c: { imported: 5 } }, "2": { c: {} } });
  end = run(windows, end, 5, {});
  expect(findingsOf(rule, windows, end)).toEqual([]);
  end = run(windows, end, 1, {});
  expect(findingsOf(rule, windows, end)).toMatchObject([{ companyId: "1", value: 60, limit: 60 }]);
});

it("Windows keep only what rules ask for, at most as long as they ask", () => {
  const rule = ruleOf("core-restarts");
  const windows = windowsFor(rule);
  const end = run(windows, BEGIN, 400, { "1": { c: { restarts: 1, ops: 1 } } });
  expect(windows.metrics("1", "")).toEqual(["restarts"]);
  expect(windows.sum("1", ["restarts"], BEGIN, end).counted).toBe(13);
  expect(windows.metrics(null, "")).toEqual([]);
  windows.want(new Map(), end);
  expect(windows.metrics("1", "")).toEqual([]);
});

it("Cores to whom it happened are remembered for the longest window", () => {
  const windows = windowsFor(ruleOf("core-restarts"));
  const named = (core: string) => [
    { companyId: "1", metric: "restarts", cores: [{ core, accountId: "7" }] },
  ];
  windows.add(stepOf(BEGIN, {}, { named: named("a") }));
  windows.add(stepOf(BEGIN + STEP_MS, {}, { named: named("b") }));
  const found = (from: number) => windows.named("1", "restarts", from).map(({ core }) => core);
  expect(found(BEGIN)).toEqual(["b", "a"]);
  expect(found(BEGIN + STEP_MS)).toEqual(["b"]);
  expect(windows.named(null, "restarts", BEGIN)).toHaveLength(2);
  windows.prune(BEGIN + 3_700_000);
  expect(found(BEGIN)).toEqual([]);
});
