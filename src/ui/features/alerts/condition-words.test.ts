import { expect, it } from "vitest";
import { type AlertRule, SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { conditionWords, pairWords, quantityWords, spanWords } from "./condition-words.ts";

const rule = (id: string): AlertRule => {
  const found = SHIPPED_RULES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no rule ${id}`);
  return found;
};
const own = (part: Partial<AlertRule>): AlertRule => ({ ...rule("http-slow"), id: "7", ...part });

it("A rule says its condition as a sentence in both languages", () => {
  const said = Object.fromEntries(
    SHIPPED_RULES.map((one) => [one.id, [conditionWords(one, "zh"), conditionWords(one, "en")]]),
  );
  expect(said).toEqual({
    "database-away": ["数据库超过 10 秒没有消息", "Database: no sign for more than 10 seconds"],
    "process-gone": [
      "服务器进程超过 20 秒没有消息",
      "Process of the server: no sign for more than 20 seconds",
    ],
    "media-node-gone": [
      "媒体节点超过 10 秒没有消息",
      "Media node: no sign for more than 10 seconds",
    ],
    "http-failures": [
      "1 分钟内，失败的请求占请求的比例超过 2%，且失败的请求不少于 5",
      "Within 1 minute, “Failed requests” as a share of “Requests” is above 2 %, with at least 5 of “Failed requests”",
    ],
    "http-slow": [
      "5 分钟内，最慢 1% 的接口耗时超过 1 s，且次数不少于 200",
      "Within 5 minutes, the slowest 1 % of “Time to answer” is above 1 s, with at least 200 of them",
    ],
    "database-slow": [
      "1 分钟内，数据库查询耗时的中位数超过 200 ms，并持续 1 分钟",
      "Within 1 minute, the median of “Time of a database query” is above 200 ms, and it lasts for 1 minute",
    ],
    "event-loop": [
      "1 分钟内，事件循环延迟的中位数超过 250 ms，并持续 1 分钟",
      "Within 1 minute, the median of “Delay of the event loop” is above 250 ms, and it lasts for 1 minute",
    ],
    memory: [
      "1 分钟内，进程内存的最大值超过 3000 MiB，并持续 5 分钟",
      "Within 1 minute, the greatest value of “Memory of the process” is above 3000 MiB, and it lasts for 5 minutes",
    ],
    "logins-refused": [
      "5 分钟内，登录失败的总数超过此前 1 小时平均水平的 5 倍，且登录失败不少于 50",
      "Within 5 minutes, the number of “Logins refused” is more than 5 times the usual of the hour before, with at least 50 of “Logins refused”",
    ],
    "cores-vanish": [
      "1 分钟内，在线浏览器的平均值降到此前 5 分钟平均水平的一半以下，且在线浏览器不少于 20",
      "Within 1 minute, the mean of “Browsers online” falls below half of the usual of the 5 minutes before, with at least 20 of “Browsers online”",
    ],
    "core-restarts": [
      "1 分钟内，出现后台服务重启",
      "Within 1 minute, at least one of “Restarts of the worker”",
    ],
    "sockets-lost": [
      "1 分钟内，任一种连接中断占在线浏览器的比例超过 20%，且连接中断不少于 3",
      "Within 1 minute, any one of “Connections lost” as a share of “Browsers online” is above 20 %, with at least 3 of “Connections lost”",
    ],
    "errors-jump": [
      "5 分钟内，平均每个在线浏览器的任一种错误超过此前 1 小时平均水平的 5 倍，且错误不少于 20",
      "Within 5 minutes, any one of “Errors” for each of “Browsers online” is more than 5 times the usual of the hour before, with at least 20 of “Errors”",
    ],
    "commands-slow": [
      "5 分钟内，最慢 1% 的操作耗时超过 2 s，且次数不少于 200",
      "Within 5 minutes, the slowest 1 % of “Time of commands” is above 2 s, with at least 200 of them",
    ],
    "outbox-waits": [
      "1 分钟内，平均每个在线浏览器的待发消息超过 1，并持续 2 分钟",
      "Within 1 minute, “Messages waiting” for each of “Browsers online” is above 1, and it lasts for 2 minutes",
    ],
  });
});

it("A rule that watches for little says so", () => {
  const few = own({ metric: "cores", measure: "mean", above: false, value: 5, least: 0 });
  expect(conditionWords(few, "zh")).toBe("5 分钟内，在线浏览器的平均值低于 5");
  const less = own({ kind: "change", above: false, value: 4, before: 600, measure: "p50" });
  expect(conditionWords(less, "zh")).toBe(
    "5 分钟内，接口耗时的中位数降到此前 10 分钟平均水平的 1/4 以下，且次数不少于 200",
  );
  expect(conditionWords(less, "en")).toContain("falls below 1/4 of the usual of the 10 minutes");
  expect(quantityWords({ metric: "commands", measure: "p99", per: null }, "zh", false)).toBe(
    "99% 的操作耗时",
  );
});

it("A length of time has all its units", () => {
  expect([10, 60, 90, 3600, 5400, 90_061].map((s) => spanWords(s, "zh"))).toEqual([
    "10 秒",
    "1 分钟",
    "1 分钟 30 秒",
    "1 小时",
    "1 小时 30 分钟",
    "1 天 1 小时 1 分钟 1 秒",
  ]);
  expect([0, 1, 60, 7261].map((s) => spanWords(s, "en"))).toEqual([
    "0 seconds",
    "1 second",
    "1 minute",
    "2 hours 1 minute 1 second",
  ]);
});

it("Two numbers of one unit name it once", () => {
  expect(pairWords("412 ms", "200 ms")).toBe("412 / 200 ms");
  expect(pairWords("2.4 s", "200 ms")).toBe("2.4 s / 200 ms");
  expect(pairWords("1 分 5 秒", "10 秒")).toBe("1 分 5 秒 / 10 秒");
  expect(pairWords("34%", "20%")).toBe("34% / 20%");
  expect(pairWords("3", "0.5")).toBe("3 / 0.5");
});
