/** How conditions become alerts and end (docs/server.md#alerts). */
import { expect, it } from "vitest";
import { CALM_MS } from "../../../shared/domain/alert-states.ts";
import { BEGIN, ruleOf } from "./alerts.harness.ts";
import { createAlertBook, OPEN_MAX } from "./book.ts";
import type { Finding } from "./measures.ts";

const S = 1000;
const found = (over: Partial<Finding> = {}): Finding => ({
  companyId: null,
  subject: { kind: "metric", name: "server.memory" },
  value: 4000,
  limit: 3000,
  named: null,
  ...over,
});

function bookOf() {
  const news: string[] = [];
  const book = createAlertBook({
    begins: (record) => ({ ...record, silenced: record.subject.name === "quiet" }),
    onBegin: ({ record }) => news.push(`began ${record.subject.name}`),
    onEnd: ({ record }) => news.push(`ended ${record.subject.name} ${record.worst}`),
  });
  return { book, news };
}
const rule = ruleOf("memory", { lasting: 60 });

it("A condition must last before an alert begins, and what comes and goes is one alert", () => {
  const { book, news } = bookOf();
  const judge = (now: number, value: number | null) =>
    book.judge([rule], value === null ? [] : [{ rule, finding: found({ value }) }], now);
  judge(BEGIN, 4000);
  judge(BEGIN + 30 * S, null);
  judge(BEGIN + 35 * S, 4000);
  judge(BEGIN + 90 * S, 4000);
  expect(news).toEqual([]);
  judge(BEGIN + 95 * S, 4100);
  expect(news).toEqual(["began server.memory"]);
  expect(book.open()[0]?.record).toMatchObject({ value: 4100, worst: 4100, limit: 3000 });
  judge(BEGIN + 100 * S, 4500);
  judge(BEGIN + 105 * S, null);
  judge(BEGIN + 150 * S, 4200);
  judge(BEGIN + 155 * S, null);
  judge(BEGIN + 155 * S + CALM_MS - 1, null);
  expect(news).toHaveLength(1);
  judge(BEGIN + 155 * S + CALM_MS, null);
  expect(news).toEqual(["began server.memory", "ended server.memory 4500"]);
  expect(book.open()).toEqual([]);
});

it("Each company and each subject has an alert of its own", () => {
  const { book, news } = bookOf();
  const lost = ruleOf("sockets-lost");
  const finding = (companyId: string, name: string) => ({
    rule: lost,
    finding: found({ companyId, subject: { kind: "socket", name } }),
  });
  book.judge([lost], [finding("1", "chat"), finding("2", "chat"), finding("1", "im")], BEGIN);
  expect(news).toHaveLength(3);
});

it("Where less is bad, the least value is the worst", () => {
  const { book } = bookOf();
  const vanish = ruleOf("cores-vanish");
  for (const value of [50, 20, 40]) {
    book.judge([vanish], [{ rule: vanish, finding: found({ value }) }], BEGIN);
  }
  expect(book.open()[0]?.record.worst).toBe(20);
});

it("The alerts of a rule that is switched off end at once", () => {
  const { book, news } = bookOf();
  const now = ruleOf("memory", { lasting: 0 });
  book.judge([now], [{ rule: now, finding: found() }], BEGIN);
  book.judge([], [], BEGIN + 5 * S);
  expect(news).toEqual(["began server.memory", "ended server.memory 4000"]);
});

it("A new leader goes on with what the old one had open, without a second alert", () => {
  const [old, next] = [bookOf(), bookOf()];
  const now = ruleOf("memory", { lasting: 0 });
  const judged = [{ rule: now, finding: found() }];
  old.book.judge([now], judged, BEGIN);
  next.book.replace(old.book.open());
  next.book.judge([now], judged, BEGIN + 5 * S);
  expect(next.news).toEqual([]);
  next.book.judge([now], [], BEGIN + 10 * S);
  // It calms as if one process had judged all the time, also after another change of leaders.
  const last = bookOf();
  last.book.replace(next.book.open());
  last.book.judge([now], [], BEGIN + 10 * S + CALM_MS);
  expect(last.news).toEqual(["ended server.memory 4000"]);
});

it("Of two alerts about the same thing one stays, when two processes led without hearing each other", () => {
  const [one, two] = [bookOf(), bookOf()];
  const now = ruleOf("memory", { lasting: 0 });
  const other = { rule: now, finding: found({ subject: { kind: "metric", name: "other" } }) };
  one.book.judge([now], [{ rule: now, finding: found() }], BEGIN);
  two.book.judge([now], [{ rule: now, finding: found() }, other], BEGIN);
  const doubled = one.book.merge(two.book.open());
  expect(doubled.map(({ record }) => record.key)).toEqual([two.book.open()[0]?.record.key]);
  expect(one.book.open().map(({ record }) => record.subject.name)).toEqual([
    "server.memory",
    "other",
  ]);
  expect(one.book.merge(one.book.open())).toEqual([]);
});

it("It is known from its begin whether an alert is silenced", () => {
  const { book } = bookOf();
  const now = ruleOf("memory", { lasting: 0 });
  const finding = found({ subject: { kind: "metric", name: "quiet" } });
  book.judge([now], [{ rule: now, finding }], BEGIN);
  expect(book.open()[0]?.record.silenced).toBe(true);
});

it("Memory for open alerts is bounded", () => {
  const { book } = bookOf();
  const now = ruleOf("errors-jump");
  const judged = Array.from({ length: OPEN_MAX + 10 }, (_, i) => ({
    rule: now,
    finding: found({ subject: { kind: "error", name: `e${i}` } }),
  }));
  book.judge([now], judged, BEGIN);
  expect(book.open()).toHaveLength(OPEN_MAX);
});
