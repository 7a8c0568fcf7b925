import { expect, test } from "vitest";
import { SHIPPED_RULES } from "./alert-rules.ts";
import {
  alertMetricWord,
  alertNumberWord,
  alertRuleMeaning,
  alertRuleTitle,
  alertSubjectWord,
  alertTimeWord,
  METRIC_TEXTS,
  metricUnit,
  SHIPPED_RULE_TEXTS,
} from "./alert-texts.ts";
import { SERVER_FIGURES } from "./server-figures.ts";

test("Every shipped rule has a title and a meaning in both languages, and there are no others", () => {
  expect(Object.keys(SHIPPED_RULE_TEXTS).toSorted()).toEqual(
    SHIPPED_RULES.map(({ id }) => id).toSorted(),
  );
  const titles = SHIPPED_RULES.flatMap(({ id, name }) =>
    (["zh", "en"] as const).map((language) => {
      expect(alertRuleMeaning(id, language)).not.toBe("");
      return alertRuleTitle({ rule: id, ruleName: name }, language);
    }),
  );
  expect(new Set(titles).size).toBe(2 * SHIPPED_RULES.length);
});

test("A rule that somebody made is called by its name", () => {
  expect(alertRuleTitle({ rule: "17", ruleName: "太多标签页" }, "en")).toBe("太多标签页");
  expect(alertRuleMeaning("17", "zh")).toBe("");
});

test("Every figure of the server and every metric of a shipped rule has words", () => {
  const metrics = [...Object.keys(SERVER_FIGURES), ...SHIPPED_RULES.map(({ metric }) => metric)];
  for (const metric of metrics) {
    expect(METRIC_TEXTS).toHaveProperty([metric.replace(".*", "")]);
    expect(alertMetricWord(metric, "en")).not.toBe(metric);
  }
  expect(alertMetricWord("errors.http.timeout", "zh")).toBe("错误 http.timeout");
  expect(alertMetricWord("route.GET /people", "en")).toBe("Route GET /people");
});

test.each([
  ["database-away", "absence", "database", 12, "12 秒", "12 s"],
  ["http-failures", "threshold", "server.failures", 0.0213, "2.1 %", "2.1 %"],
  ["http-failures", "threshold", "server.failures", 0.003, "0.3 %", "0.3 %"],
  ["http-failures", "threshold", "server.failures", 0.000_312, "0.031 %", "0.031 %"],
  ["http-failures", "threshold", "server.failures", 0, "0 %", "0 %"],
  ["http-failures", "threshold", "server.failures", 1e-12, "0 %", "0 %"],
  ["outbox-waits", "threshold", "outbox", 0.0042, "0.0042", "0.0042"],
  ["http-slow", "threshold", "server.http", 0.42, "0.42 ms", "0.42 ms"],
  ["http-slow", "threshold", "server.http", 1234, "1.23 s", "1.23 s"],
  ["database-slow", "threshold", "server.database", 250.4, "250 ms", "250 ms"],
  ["memory", "threshold", "server.memory", 3210.26, "3210.3 MiB", "3210.3 MiB"],
  ["outbox-waits", "threshold", "outbox", 1.5, "1.5", "1.5"],
  ["sockets-lost", "threshold", "lost.network", 0.25, "25 %", "25 %"],
  ["errors-jump", "change", "errors.http", 42, "42", "42"],
] as const)("%s reads %s of %s %d as %s and %s", (rule, kind, metric, value, zh, en) => {
  expect(alertNumberWord({ rule, kind, metric }, value, "zh")).toBe(zh);
  expect(alertNumberWord({ rule, kind, metric }, value, "en")).toBe(en);
});

test("Times have two units at most, and units follow the metric", () => {
  expect(alertTimeWord(200_000, "zh")).toBe("3 分 20 秒");
  expect(alertTimeWord(3_600_000, "en")).toBe("1 h");
  expect(alertTimeWord(90_061_000, "en")).toBe("1 d 1 h");
  expect(alertTimeWord(0, "zh")).toBe("0 秒");
  expect(["server.cpu", "command.chat.send", "errors"].map(metricUnit)).toEqual(["s", "ms", ""]);
});

test("A subject is its kind and its name", () => {
  expect(alertSubjectWord({ kind: "process", name: "a:8080" }, "zh")).toBe("服务器进程 a:8080");
  expect(alertSubjectWord({ kind: "platform", name: "" }, "en")).toBe("Platform");
  expect(alertSubjectWord({ kind: "metric", name: "commands" }, "en")).toBe("Time of commands");
});
