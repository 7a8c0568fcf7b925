/** Normal work of about 2,000 cores in four companies raises no alert, with every shipped rule on (docs/server.md#alerts). */
import { expect, it } from "vitest";
import { SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { REPORTED_SOCKETS } from "../../../shared/domain/fleet-names.ts";
import { bucketOf, emptyHistogram, toSparse } from "../../../shared/domain/latency-histogram.ts";
import { seededRandom } from "../../../shared/mutate.harness.ts";
import type { FleetStep } from "../../base/cluster/fleet-step.ts";
import { BEGIN, levels, NO_COMPANY, STEP_MS, stepOf } from "./alerts.harness.ts";
import { createAlertBook } from "./book.ts";
import { findingsOf, wantedBy } from "./measures.ts";
import { createWindows } from "./windows.ts";

const HOUR_MS = 3_600_000;
const STEPS_PER_HOUR = HOUR_MS / STEP_MS;
/** Cores of each company at noon. */
const COMPANIES = { "1": 1200, "2": 600, "3": 150, "4": 50 } as const;
const random = seededRandom(29);
type Figures = FleetStep["rows"][number]["figures"];

/** How many of rare events happen in a step. */
function poisson(mean: number): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
  let [count, product] = [0, random()];
  for (const least = Math.exp(-mean); product > least; product *= random()) count += 1;
  return count;
}
const normal = (): number => {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
};
/** Durations around a middle, of which one in a hundred takes ten times as long. */
function durationsOf(count: number, middle: number): number[] {
  const histogram = emptyHistogram();
  for (let i = 0; i < Math.min(count, 200); i += 1) {
    const bucket = bucketOf(middle * Math.exp(normal() * 0.9));
    histogram[bucket] = (histogram[bucket] ?? 0) + Math.ceil(count / 200);
  }
  return toSparse(histogram);
}

/** Share of the people who are there: few at night, most come within half an hour, some leave at noon, and all go home. */
function shareAt(hour: number): number {
  const rise = (at: number, width: number): number => 1 / (1 + Math.exp((at - hour) / width));
  return 0.03 + 0.97 * (rise(8.4, 0.12) - 0.35 * (rise(12, 0.1) - rise(13.4, 0.1)) - rise(18, 0.3));
}

function companyFigures(peak: number, hour: number): Figures {
  const cores = Math.round(peak * shareAt(hour));
  /** Events of the step, of which each core has so many in an hour. */
  const events = (perHour: number): number => poisson((cores * perHour) / STEPS_PER_HOUR);
  const c: Record<string, number> = {
    reports: Math.round(cores / 1.5),
    restarts: 0,
    refreshes: events(2),
    takeovers: events(0.2),
  };
  for (const name of REPORTED_SOCKETS) {
    c[`socket.${name}.lost.network`] = events(0.7);
    c[`socket.${name}.lost.offline`] = events(0.2);
    c[`socket.${name}.lost.silent`] = events(0.1);
    c[`socket.${name}.opened`] = events(1);
  }
  for (const [code, perHour] of [
    ["network.offline", 1],
    ["request.invalid", 0.6],
    ["core.deadline", 0.1],
  ] as const) {
    c[`errors.${code}`] = events(perHour);
    c[`errors.${code}@b1`] = c[`errors.${code}`] ?? 0;
  }
  return {
    c: Object.fromEntries(Object.entries(c).filter(([, count]) => count > 0)),
    h: { commands: durationsOf(events(120), 40) },
    l: cores === 0 ? {} : levels({ cores, tabs: cores * 2, outbox: events(5) }),
  };
}

function serverFigures(hour: number): Figures {
  const people = Object.values(COMPANIES).reduce((sum, peak) => sum + peak * shareAt(hour), 0);
  const requests = poisson(people / 20);
  const comes = Math.max(0, shareAt(hour) - shareAt(hour - STEP_MS / HOUR_MS)) * 2000;
  const logins = poisson(comes * 0.5 + people / 3000);
  const c = {
    "server.requests": requests,
    "server.failures": poisson(requests * 0.0002),
    "server.logins": logins,
    "server.logins-refused": poisson(logins * 0.08),
  };
  return {
    c,
    h: {
      "server.http": durationsOf(requests, 15),
      "server.lag": durationsOf(1, 20),
      "server.database": durationsOf(1, 3),
    },
    l: levels({ "server.memory": 700 + people / 10 + 40 * normal(), "server.heap": 300 }),
  };
}

it("raises none from the night into the morning, when everybody comes", () => {
  const windows = createWindows();
  windows.want(wantedBy(SHIPPED_RULES), BEGIN);
  const began: string[] = [];
  let now = BEGIN;
  const book = createAlertBook({
    begins: (record) => record,
    onBegin: ({ record }) =>
      began.push(`${record.rule} ${record.subject.name} at ${hourOf(now).toFixed(2)}`),
    onEnd: () => undefined,
  });
  const hourOf = (ms: number): number => 6 + (ms - BEGIN) / HOUR_MS;
  for (; hourOf(now) < 10.5; now += STEP_MS) {
    const hour = hourOf(now);
    const figures: Record<string, Figures> = { [NO_COMPANY]: serverFigures(hour) };
    for (const [id, peak] of Object.entries(COMPANIES)) figures[id] = companyFigures(peak, hour);
    windows.add(stepOf(now, figures));
    windows.prune(now);
    // As often as steps come, and once in the middle of each.
    for (const at of [now + STEP_MS + 1_000, now + STEP_MS + 6_000]) {
      const judged = SHIPPED_RULES.flatMap((rule) =>
        findingsOf(rule, windows, at).map((finding) => ({ rule, finding })),
      );
      book.judge(SHIPPED_RULES, judged, at);
    }
  }
  expect(began).toEqual([]);

  // The same rules notice what is not normal: each socket of one in three cores is lost within the minute.
  const figures = companyFigures(600, 10);
  const c = { ...figures.c, "socket.chat.lost.network": 200, restarts: 1 };
  windows.add(stepOf(now, { "2": { ...figures, c } }));
  const found = SHIPPED_RULES.flatMap((rule) =>
    findingsOf(rule, windows, now + STEP_MS).map(({ companyId, subject }) => [
      rule.id,
      companyId,
      subject.name,
    ]),
  );
  expect(found).toContainEqual(["core-restarts", "2", "restarts"]);
  expect(found).toContainEqual(["sockets-lost", "2", "chat"]);
}, 60_000);
