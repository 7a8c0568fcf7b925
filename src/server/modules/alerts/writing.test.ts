/** Alerts wait for a database that is away (docs/server.md#alerts). */
import pino from "pino";
import { expect, it } from "vitest";
import type { AlertRecord } from "./contracts.ts";
import { isSilenced } from "./silences.ts";
import { createAlertWriting, WAITING_MAX } from "./writing.ts";

const record = (key: string, over: Partial<AlertRecord> = {}): AlertRecord => ({
  key,
  rule: "memory",
  ruleName: "",
  level: "warning",
  kind: "threshold",
  metric: "server.memory",
  companyId: null,
  subject: { kind: "metric", name: "server.memory" },
  cores: [],
  value: 1,
  worst: 1,
  limit: 1,
  startedAt: 0,
  endedAt: null,
  silenced: false,
  ...over,
});

function writingTo(save: (record: AlertRecord) => Promise<void>) {
  const saved: AlertRecord[] = [];
  const writing = createAlertWriting({
    store: {
      async save(one) {
        await save(one);
        return { id: one.key, companyName: "" };
      },
    },
    log: pino({ level: "silent" }),
    onSaved: (one) => saved.push(one),
  });
  return { writing, saved };
}

it("Keeps what cannot be written, and writes the latest of each alert once the database is back", async () => {
  let away = true;
  const { writing, saved } = writingTo(() =>
    away ? Promise.reject(new Error("away")) : Promise.resolve(),
  );
  writing.add(record("a"));
  await writing.flush();
  writing.add(record("b"));
  writing.add(record("a", { endedAt: 5 }));
  await writing.flush();
  expect([saved, writing.waiting]).toEqual([[], 2]);
  away = false;
  await writing.flush();
  expect(saved.map(({ key, endedAt }) => [key, endedAt])).toEqual([
    ["b", null],
    ["a", 5],
  ]);
  expect(writing.waiting).toBe(0);
});

it("What changes while it is written is written again, in the same run", async () => {
  let first = true;
  const { writing, saved } = writingTo(() => {
    if (first) writing.add(record("a", { endedAt: 9 }));
    first = false;
    return Promise.resolve();
  });
  writing.add(record("a"));
  await writing.flush();
  expect(saved.map(({ endedAt }) => endedAt)).toEqual([null, 9]);
});

it("A row that the database refuses does not hold up the others, and too many lose the oldest", async () => {
  const { writing, saved } = writingTo((one) =>
    one.key === "bad"
      ? Promise.reject(Object.assign(new Error("no such company"), { code: "23503" }))
      : Promise.resolve(),
  );
  writing.add(record("bad"));
  writing.add(record("good"));
  await writing.flush();
  expect([saved.map(({ key }) => key), writing.waiting]).toEqual([["good"], 0]);
  for (let i = 0; i <= WAITING_MAX; i += 1) writing.add(record(`k${i}`));
  expect(writing.waiting).toBe(WAITING_MAX);
});

it("A silence holds for its rule, its subject and its company until its end; that of the platform for all", () => {
  const silence = { companyId: "2", rule: "memory", subject: "server.memory", until: 100 };
  const about = (over: object, alert: Partial<AlertRecord> = {}, now = 0) =>
    isSilenced([{ ...silence, ...over }], record("a", { companyId: "2", ...alert }), "1", now);
  expect(about({})).toBe(true);
  expect(about({}, {}, 100)).toBe(false);
  expect(about({ rule: null, subject: "" })).toBe(true);
  expect(about({ rule: "other" })).toBe(false);
  expect(about({ subject: "other" })).toBe(false);
  expect(about({}, { companyId: "3" })).toBe(false);
  expect(about({ companyId: "1" }, { companyId: "3" })).toBe(true);
  expect(about({ companyId: "1" }, { companyId: null })).toBe(true);
  expect(about({}, { companyId: null })).toBe(false);
});
