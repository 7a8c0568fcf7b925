/** What a rule of alerts says, as a sentence in both languages (docs/session.md#alerts-pages). Pure. */
import type { AlertRule } from "../../../shared/domain/alert-rules.ts";
import {
  type AlertLanguage,
  type AlertNumbers,
  alertMetricWord,
  alertNumberWord,
} from "../../../shared/domain/alert-texts.ts";
import { isShare, isWatched, metricKind } from "./metrics.ts";

/** The parts of a rule that its sentence needs. */
export type Condition = Pick<
  AlertRule,
  | "id"
  | "kind"
  | "metric"
  | "measure"
  | "per"
  | "above"
  | "value"
  | "window"
  | "before"
  | "lasting"
  | "least"
>;
type Quantity = Pick<Condition, "metric" | "measure" | "per">;

const UNITS: readonly (readonly [seconds: number, zh: string, one: string, many: string])[] = [
  [86_400, "天", "day", "days"],
  [3600, "小时", "hour", "hours"],
  [60, "分钟", "minute", "minutes"],
  [1, "秒", "second", "seconds"],
];

/** A length of time in all its units: "1 小时 30 分钟", "1 hour 30 minutes". @param seconds whole */
export function spanWords(seconds: number, language: AlertLanguage): string {
  const parts: string[] = [];
  let left = Math.max(0, Math.round(seconds));
  for (const [size, zh, one, many] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count} ${language === "zh" ? zh : count === 1 ? one : many}`);
  }
  if (parts.length === 0) return language === "zh" ? "0 秒" : "0 seconds";
  return parts.join(" ");
}

/** What is measured, without the time: "最慢 1% 的接口耗时". */
export function quantityWords(
  { metric, measure, per }: Quantity,
  language: AlertLanguage,
  above = true,
): string {
  const zh = language === "zh";
  const thing = zh ? alertMetricWord(metric, language) : `“${alertMetricWord(metric, language)}”`;
  const each = metric.endsWith(".*") ? (zh ? "任一种" : "any one of ") : "";
  const what = each + thing;
  if (per !== null) {
    const whole = alertMetricWord(per, language);
    if (isShare(metric, per)) {
      return zh ? `${what}占${whole}的比例` : `${what} as a share of “${whole}”`;
    }
    return zh ? `平均每个${whole}的${what}` : `${what} for each of “${whole}”`;
  }
  switch (measure) {
    case "sum":
      return zh ? `${what}的总数` : `the number of ${what}`;
    case "mean":
      return zh ? `${what}的平均值` : `the mean of ${what}`;
    case "most":
      return zh ? `${what}的最大值` : `the greatest value of ${what}`;
    case "p50":
      return zh ? `${what}的中位数` : `the median of ${what}`;
    case "p99":
      if (above) return zh ? `最慢 1% 的${what}` : `the slowest 1 % of ${what}`;
      return zh ? `99% 的${what}` : `99 % of ${what}`;
  }
}

/** A number of a rule or an alert with its unit. */
export function numberWords(numbers: AlertNumbers, value: number, language: AlertLanguage): string {
  const word = alertNumberWord(numbers, value, language);
  return language === "zh" ? word.replace(/ %$/, "%") : word;
}

/** Two numbers of one unit, which is written once: "412 / 200 ms". */
export function pairWords(value: string, limit: string): string {
  const [, count, unit] = /^(\S+) (\S+)$/.exec(value) ?? [];
  const same = count !== undefined && limit.endsWith(` ${unit}`) && limit.split(" ").length === 2;
  return `${same ? count : value} / ${limit}`;
}

/** At least so much must have been there. */
function leastWords({ metric, least }: Condition, language: AlertLanguage): string {
  const zh = language === "zh";
  const count = grouped(least);
  if (metricKind(metric) === "latency") {
    return zh ? `且次数不少于 ${count}` : `with at least ${count} of them`;
  }
  const thing = alertMetricWord(metric, language);
  return zh ? `且${thing}不少于 ${count}` : `with at least ${count} of “${thing}”`;
}

const grouped = (value: number): string => value.toLocaleString("en-US");

function mainWords(rule: Condition, language: AlertLanguage): string {
  const { kind, above, value, window, before, metric, measure, per } = rule;
  const zh = language === "zh";
  const time = spanWords(window, language);
  if (kind === "absence") {
    const thing = alertMetricWord(metric, language);
    if (isWatched(metric)) {
      return zh ? `${thing}超过 ${time}没有消息` : `${thing}: no sign for more than ${time}`;
    }
    return zh ? `超过 ${time}没有${thing}` : `No “${thing}” for more than ${time}`;
  }
  const what = quantityWords(rule, language, above);
  const begin = zh ? `${time}内，` : `Within ${time}, `;
  if (kind === "change") {
    const past = spanWords(before, language).replace(/^1 (?=[a-z])/, "");
    if (above) {
      return zh
        ? `${begin}${what}超过此前 ${past}平均水平的 ${grouped(value)} 倍`
        : `${begin}${what} is more than ${grouped(value)} times the usual of the ${past} before`;
    }
    const part = value === 2 ? (zh ? "一半" : "half of") : `1/${grouped(value)}${zh ? "" : " of"}`;
    return zh
      ? `${begin}${what}降到此前 ${past}平均水平的${part.startsWith("1") ? ` ${part} ` : part}以下`
      : `${begin}${what} falls below ${part} the usual of the ${past} before`;
  }
  // counts are whole
  const happens = measure === "sum" && per === null && above && value < 1;
  if (happens) {
    const thing = alertMetricWord(metric, language);
    return zh ? `${time}内，出现${thing}` : `Within ${time}, at least one of “${thing}”`;
  }
  const limit = numberWords({ rule: rule.id, kind, metric, per, measure }, value, language);
  return zh
    ? `${begin}${what}${above ? "超过" : "低于"} ${limit}`
    : `${begin}${what} is ${above ? "above" : "below"} ${limit}`;
}

/** The condition of a rule as one sentence without its full stop. */
export function conditionWords(rule: Condition, language: AlertLanguage): string {
  const zh = language === "zh";
  const { least, lasting, kind } = rule;
  const parts = [mainWords(rule, language)];
  if (least > 0 && (kind !== "absence" || !isWatched(rule.metric))) {
    parts.push(leastWords(rule, language));
  }
  if (lasting > 0) {
    const time = spanWords(lasting, language);
    parts.push(zh ? `并持续 ${time}` : `and it lasts for ${time}`);
  }
  return parts.join(zh ? "，" : ", ");
}
