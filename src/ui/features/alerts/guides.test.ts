import { expect, it } from "vitest";
import { SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { SHIPPED_RULE_TEXTS } from "../../../shared/domain/alert-texts.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { guideOf } from "./guides.ts";
import { HEADLINE_RULES, headlineWords } from "./headline.ts";
import { coreFilters, placeAddress, placesOf } from "./places.ts";

const IDS = SHIPPED_RULES.map(({ id }) => id).toSorted();

it("Every shipped rule has a guide in both languages: what to look at, with a page, and what to do", () => {
  for (const id of IDS) {
    const guide = guideOf(id);
    expect(guide, id).not.toBeNull();
    const lines = [...(guide?.look ?? []), ...(guide?.act ?? [])];
    expect(guide?.look.length, id).toBeGreaterThanOrEqual(2);
    expect(guide?.act.length, id).toBeGreaterThanOrEqual(2);
    expect(lines.length, id).toBeGreaterThanOrEqual(4);
    expect(lines.length, id).toBeLessThanOrEqual(8);
    expect(
      lines.some(({ place }) => place !== undefined),
      id,
    ).toBe(true);
    for (const { words } of lines) {
      const [zh, en] = words;
      expect(zh, id).toMatch(/[一-鿿].*[。？]$/);
      expect(en, id).toMatch(/^[A-Z/][^一-鿿]*[.?]$/);
    }
    expect(
      SHIPPED_RULE_TEXTS[id]?.title.every((word) => word !== ""),
      id,
    ).toBe(true);
  }
  expect(guideOf("17")).toBeNull();
});

it("Every shipped rule has a sentence of its own for what is wrong", () => {
  expect(HEADLINE_RULES.toSorted()).toEqual(IDS);
  const alert = (part: Partial<Alert>) =>
    ({
      rule: "sockets-lost",
      kind: "threshold",
      metric: "lost.*",
      worst: 0.34,
      limit: 0.2,
      ...part,
    }) as Alert;
  expect(headlineWords(alert({}), "聊天连接", null, "zh")).toBe(
    "聊天连接中断的浏览器占 34%，超过 20%",
  );
  expect(headlineWords(alert({}), "Chat", null, "en")).toBe(
    "34 % of the browsers lost a connection (Chat), more than 20 %",
  );
  const absent = alert({
    rule: "process-gone",
    kind: "absence",
    metric: "process",
    worst: 25,
    limit: 20,
  });
  expect(headlineWords(absent, "服务器进程 web-2:8080", null, "zh")).toBe(
    "服务器进程 web-2:8080已有 25 秒 没有消息，超过 20 秒",
  );
  const own = alert({ rule: "9", metric: "server.http", worst: 2500, limit: 1000 });
  const rule = { measure: "p99", per: null, above: true } as const;
  expect(headlineWords(own, "平台", rule, "zh")).toBe("最慢 1% 的接口耗时为 2.5 s，超过 1 s");
  expect(headlineWords(own, "Platform", null, "en")).toBe("Platform is 2.5 s, above 1 s");
});

it("An alert leads to the pages behind it, with its time and its browsers", () => {
  const error = {
    rule: "errors-jump",
    metric: "errors.*",
    subject: { kind: "error", name: "core.deadline" },
  } as const;
  expect(coreFilters(error)).toEqual({ error: "core.deadline" });
  expect(coreFilters({ rule: "sockets-lost", subject: { kind: "socket", name: "chat" } })).toEqual({
    socket: "chat",
  });
  expect(
    coreFilters({ rule: "outbox-waits", subject: { kind: "metric", name: "outbox" } }),
  ).toEqual({
    having: "outbox",
  });
  expect(placesOf(error)).toEqual(["cores", "errors", "http", "fleet"]);
  expect(placesOf({ rule: "3", metric: "server.database" })).toEqual(["database", "processes"]);
  expect(placesOf({ rule: "3", metric: "tabs" })).toEqual(["fleet", "cores"]);
  const around = {
    range: { from: 1000, to: 2000 },
    scope: "all",
    filters: coreFilters(error),
  } as const;
  expect(placeAddress("cores", around)).toBe("/monitor/cores?scope=all&error=core.deadline");
  expect(placeAddress("database", around)).toBe(
    "/monitor/servers?time=hour&from=1000&to=2000&page=database",
  );
  expect(placeAddress("fleet", around)).toBe(
    "/monitor/fleet?time=hour&from=1000&to=2000&scope=all",
  );
  expect(placeAddress("tasks", around)).toBe("/monitor/job");
});
