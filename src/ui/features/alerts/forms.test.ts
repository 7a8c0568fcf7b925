import { expect, it } from "vitest";
import { SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { wrongIn } from "../../../server/modules/alerts/rule-checks.ts";
import type { AlertRuleRow } from "../../../shared/protocol/rest/alert-settings.ts";
import type { AlertChannel } from "../../../shared/protocol/rest/alerts.ts";
import { changedChannel, channelFromForm, channelToForm, listedIn } from "./channel-form.ts";
import { dividers, measuresOf, metricKind, metricsFor } from "./metrics.ts";
import { changedRule, fromForm, toForm } from "./rule-form.ts";
import { momentOf, silenceEnd } from "./silence-period.ts";

const row = (id: string): AlertRuleRow => {
  const rule = SHIPPED_RULES.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return { ...rule, shipped: true, changed: false, open: 0, version: 3 };
};

it("The form of a rule gives the rule back, and nothing changed is no change", () => {
  for (const { id } of SHIPPED_RULES) {
    const { id: _id, shipped: _s, changed: _c, open: _o, version: _v, ...body } = row(id);
    expect(fromForm(toForm(row(id)), row(id)), id).toEqual(body);
    expect(changedRule(toForm(row(id)), row(id)), id).toEqual({});
  }
});

it("A share is typed in percent, a change in times", () => {
  expect(toForm(row("http-failures")).percent).toBe(2);
  expect(changedRule({ percent: 7 }, row("http-failures"))).toEqual({ value: 0.07 });
  expect(changedRule({ times: 8, least: 100 }, row("logins-refused"))).toEqual({
    value: 8,
    least: 100,
  });
  // kind and metric of a shipped rule stay
  expect(changedRule({ metric: "cores", kind: "change", on: false }, row("memory"))).toMatchObject({
    on: false,
  });
});

it("A new rule measures as fits its metric", () => {
  const values = { ...toForm(null), name: "慢", metric: "server.http", value: 1500 };
  expect(fromForm(values, null)).toMatchObject({
    measure: "p50",
    per: null,
    value: 1500,
    before: 0,
    above: true,
  });
  expect(fromForm({ ...values, measure: "p99", above: "less" }, null)).toMatchObject({
    measure: "p99",
    above: false,
  });
  expect(fromForm({ ...values, kind: "absence", metric: "process" }, null)).toMatchObject({
    kind: "absence",
    value: 0,
    per: null,
    least: 0,
  });
  const divided = { ...values, metric: "lost.*", per: "cores", percent: 20 };
  expect(fromForm(divided, null)).toMatchObject({ per: "cores", value: 0.2, measure: "sum" });
});

it("Metrics are known by kind, and each can be measured", () => {
  expect(["server.http", "commands", "server.lag"].map(metricKind)).toEqual(
    Array(3).fill("latency"),
  );
  expect(["cores", "server.memory"].map(metricKind)).toEqual(["level", "level"]);
  expect(["errors.*", "server.requests", "restarts"].map(metricKind)).toEqual(
    Array(3).fill("counter"),
  );
  expect(measuresOf("cores")).toEqual(["mean", "most"]);
  expect(metricsFor("absence").slice(0, 3)).toEqual(["process", "media-node", "database"]);
  expect(metricsFor("absence")).toContain("server.chat-messages");
  expect(metricsFor("absence")).not.toContain("cores");
  // figures of the server belong to no company
  expect(
    metricsFor("threshold", "company").filter((metric) => metric.startsWith("server.")),
  ).toEqual([]);
  for (const metric of metricsFor("threshold")) {
    const [measure = "sum"] = measuresOf(metric);
    const rule = {
      ...row("http-slow"),
      id: "7",
      reach: "platform",
      metric,
      measure,
      per: null,
    } as const;
    expect(wrongIn(rule), metric).toEqual({});
  }
  for (const per of dividers()) {
    const rule = { ...row("core-restarts"), reach: "platform", per } as const;
    expect(wrongIn(rule), per).toEqual({});
  }
  for (const { id, kind, metric, measure } of SHIPPED_RULES) {
    expect(metricsFor(kind), id).toContain(metric);
    if (kind !== "absence") expect(measuresOf(metric), id).toContain(measure);
  }
  expect(dividers()).toContain("server.requests");
  expect(dividers()).not.toContain("server.http");
});

it("A silence ends after its time, or at a moment of at most 30 days on", () => {
  const now = Date.parse("2026-11-28T10:00:00");
  expect(silenceEnd("minutes30", { day: "", clock: "" }, now)).toBe(now + 1_800_000);
  expect(silenceEnd("hours24", { day: "", clock: "" }, now)).toBe(now + 86_400_000);
  expect(silenceEnd("until", { day: "2026-11-28", clock: "18:30" }, now)).toBe(
    now + 8.5 * 3_600_000,
  );
  expect(silenceEnd("until", { day: "2026-11-28", clock: "09:00" }, now)).toBe("past");
  expect(silenceEnd("until", { day: "2027-01-28", clock: "09:00" }, now)).toBe("tooLong");
  expect(silenceEnd("until", { day: "", clock: "09:00" }, now)).toBe("badDay");
  expect(momentOf("2026-02-30", "9:00")).toBeNull();
  expect(momentOf("2026-02-03", "24:00")).toBeNull();
});

it("A channel keeps its secret until another one is typed or it is removed", () => {
  const channel: AlertChannel = {
    id: "5",
    name: "值班",
    type: "webhook",
    target: "https://hooks.example/1",
    format: "wecom",
    leastLevel: "critical",
    language: "zh",
    on: true,
    names: [],
    signed: true,
    last: null,
    version: 1,
  };
  expect(changedChannel({}, channel)).toEqual({});
  expect(changedChannel({ secret: "s" }, channel)).toEqual({ secret: "s" });
  expect(changedChannel({ unsign: true }, channel)).toEqual({ secret: "" });
  expect(changedChannel({ type: "mail", mails: "a@b.cn， c@d.cn" }, channel)).toEqual({
    type: "mail",
    target: "a@b.cn,c@d.cn",
    secret: "",
  });
  const form = { ...channelToForm(null, "en"), name: "n", people: "3,4" };
  expect(channelFromForm(form, null)).toEqual({
    name: "n",
    type: "chat",
    target: "3,4",
    format: "json",
    leastLevel: "warning",
    language: "en",
    on: true,
  });
  expect(listedIn(" a@b.cn;c@d.cn\n，e@f.cn ")).toEqual(["a@b.cn", "c@d.cn", "e@f.cn"]);
});
