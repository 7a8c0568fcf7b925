/** What is wrong, as one sentence with its numbers (docs/session.md#alerts-pages). Pure. */
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import type { AlertLanguage } from "../../../shared/domain/alert-texts.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { numberWords, quantityWords } from "./condition-words.ts";
import { isWatched } from "./metrics.ts";

type Pair = readonly [zh: string, en: string];

/** By the shipped rule; `{subject}`, `{value}` and `{limit}` are filled in. */
const SENTENCES: Readonly<Record<string, Pair>> = {
  "database-away": [
    "{subject}已有 {value} 没有回答，超过 {limit}",
    "{subject} has not answered for {value}, more than {limit}",
  ],
  "process-gone": [
    "{subject}已有 {value} 没有消息，超过 {limit}",
    "{subject} has given no sign for {value}, more than {limit}",
  ],
  "media-node-gone": [
    "{subject}已有 {value} 没有消息，超过 {limit}",
    "{subject} has given no sign for {value}, more than {limit}",
  ],
  "http-failures": [
    "失败的请求占 {value}，超过 {limit}",
    "{value} of the requests failed, more than {limit}",
  ],
  "http-slow": [
    "最慢的 1% 请求用时 {value}，超过 {limit}",
    "The slowest 1 % of requests needed {value}, more than {limit}",
  ],
  "database-slow": [
    "一半的数据库查询用时 {value} 以上，超过 {limit}",
    "Half of the database queries needed {value}, more than {limit}",
  ],
  "event-loop": [
    "服务器进程被占住 {value}，超过 {limit}",
    "A process of the server was busy for {value} at a time, more than {limit}",
  ],
  memory: [
    "服务器进程占用内存 {value}，超过 {limit}",
    "A process of the server uses {value}, more than {limit}",
  ],
  "logins-refused": [
    "登录失败 {value} 次，超过按此前推算的 {limit} 次",
    "{value} logins were refused, more than the {limit} that the time before allows",
  ],
  "cores-vanish": [
    "在线浏览器只有 {value} 个，低于按此前推算的 {limit} 个",
    "Only {value} browsers are online, fewer than the {limit} that the time before allows",
  ],
  "core-restarts": ["后台服务重启了 {value} 次", "The worker restarted {value} times"],
  "sockets-lost": [
    "{subject}中断的浏览器占 {value}，超过 {limit}",
    "{value} of the browsers lost a connection ({subject}), more than {limit}",
  ],
  "errors-jump": [
    "平均每个浏览器出现 {value} 次{subject}，超过按此前推算的 {limit} 次",
    "{subject}: {value} times for each browser, more than the {limit} that the time before allows",
  ],
  "commands-slow": [
    "最慢的 1% 操作用时 {value}，超过 {limit}",
    "The slowest 1 % of commands needed {value}, more than {limit}",
  ],
  "outbox-waits": [
    "平均每个浏览器有 {value} 条消息等待发送，超过 {limit} 条",
    "{value} messages wait in each browser, more than {limit}",
  ],
};
export const HEADLINE_RULES: readonly string[] = Object.keys(SENTENCES);

/**
 * @param subject in words
 * @param rule as it is now; null: it is not known, or deleted
 */
export function headlineWords(
  alert: Pick<Alert, "rule" | "kind" | "metric" | "worst" | "limit">,
  subject: string,
  rule: Pick<AlertRule, "measure" | "per" | "above"> | null,
  language: AlertLanguage,
): string {
  const { kind, metric } = alert;
  const numbers = {
    rule: alert.rule,
    kind,
    metric,
    ...(rule === null ? {} : { per: rule.per, measure: rule.measure }),
  };
  const value = numberWords(numbers, alert.worst, language);
  const limit = numberWords(numbers, alert.limit, language);
  const zh = language === "zh";
  const sentence = SENTENCES[alert.rule];
  if (sentence !== undefined) {
    const values: Readonly<Record<string, string>> = { subject, value, limit };
    return (zh ? sentence[0] : sentence[1]).replaceAll(
      /\{(\w+)\}/g,
      (_all, name: string) => values[name] ?? "",
    );
  }
  if (kind === "absence" && !isWatched(metric)) {
    return zh
      ? `已有 ${value} 没有${subject}，超过 ${limit}`
      : `No ${subject} for ${value}, more than ${limit}`;
  }
  if (kind === "absence") {
    return zh
      ? `${subject}已有 ${value} 没有消息，超过 ${limit}`
      : `${subject} has given no sign for ${value}, more than ${limit}`;
  }
  const above = rule?.above ?? alert.worst >= alert.limit;
  const what =
    rule === null
      ? subject
      : quantityWords({ metric, measure: rule.measure, per: rule.per }, language, above);
  const said = zh
    ? `${what}为 ${value}，${above ? "超过" : "低于"} ${limit}`
    : `${what} is ${value}, ${above ? "above" : "below"} ${limit}`;
  return said.slice(0, 1).toUpperCase() + said.slice(1);
}
