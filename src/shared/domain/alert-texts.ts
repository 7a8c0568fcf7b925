/**
 * The words of alerts, for messages and pages alike (docs/server.md#alerts): what a shipped rule is called and means, and how a metric,
 * its numbers and a subject read. Pure.
 */
import type { Alert } from "../protocol/rest/alerts.ts";
import {
  type AlertLevel,
  type RuleKind,
  type RuleMeasure,
  SHIPPED_RULES,
  type WatchedThing,
} from "./alert-rules.ts";
import { serverKind } from "./server-figures.ts";

export type AlertLanguage = "zh" | "en";
/** Chinese and English. */
type Pair = readonly [zh: string, en: string];
const inLanguage = ([zh, en]: Pair, language: AlertLanguage): string =>
  language === "zh" ? zh : en;

export const ALERT_LEVEL_TEXTS: Readonly<Record<AlertLevel, Pair>> = {
  notice: ["提示", "Notice"],
  warning: ["警告", "Warning"],
  critical: ["严重", "Critical"],
};

/** By the id of a shipped rule: its title, and in one line what it means. */
export const SHIPPED_RULE_TEXTS: Readonly<
  Record<string, { readonly title: Pair; readonly meaning: Pair }>
> = {
  "database-away": {
    title: ["数据库无法访问", "Database out of reach"],
    meaning: [
      "服务器连接不上数据库，登录、列表和保存都会失败",
      "The server does not reach its database: logins, lists and saving fail",
    ],
  },
  "process-gone": {
    title: ["服务器进程消失", "Server process gone"],
    meaning: [
      "一个服务器进程没有正常退出就不再运行，连接它的人会断线重连",
      "A process of the server ended without saying so; people connected to it lose their connection and return",
    ],
  },
  "media-node-gone": {
    title: ["媒体节点消失", "Media node gone"],
    meaning: [
      "转发会议声音和画面的节点无法使用，会议可能中断",
      "A node that forwards sound and pictures of conferences is away, so conferences may break",
    ],
  },
  "http-failures": {
    title: ["接口大量失败", "Many requests fail"],
    meaning: [
      "服务器对较多请求回答了内部错误，人们的操作不成功",
      "The server answers many requests with an error of its own, so what people do fails",
    ],
  },
  "http-slow": {
    title: ["接口变慢", "Requests are slow"],
    meaning: [
      "最慢的 1% 请求耗时过长，页面加载明显变慢",
      "The slowest 1 % of requests need too long, so pages load slowly",
    ],
  },
  "database-slow": {
    title: ["数据库变慢", "Database is slow"],
    meaning: [
      "数据库对最简单的查询也要较长时间才回答",
      "The database needs long for the simplest query",
    ],
  },
  "event-loop": {
    title: ["服务器繁忙", "Server is busy"],
    meaning: [
      "服务器进程被长时间的计算占住，所有请求都要等待",
      "Long work keeps a process of the server busy, so every request waits",
    ],
  },
  memory: {
    title: ["服务器内存过高", "Server uses much memory"],
    meaning: [
      "服务器进程占用的内存过多，可能被系统终止",
      "A process of the server uses so much memory that the system may end it",
    ],
  },
  "logins-refused": {
    title: ["登录失败激增", "Many logins refused"],
    meaning: [
      "失败的登录比平时多很多，可能有人在猜密码，也可能登录有故障",
      "Many more logins fail than before: somebody may guess passwords, or the login is broken",
    ],
  },
  "cores-vanish": {
    title: ["在线浏览器骤减", "Browsers vanish"],
    meaning: [
      "在线的浏览器突然少了很多，可能是网络或服务器有故障",
      "Many fewer browsers are online than just before: the network or the server may have failed",
    ],
  },
  "core-restarts": {
    title: ["后台服务重启", "Restarts of the worker"],
    meaning: [
      "有浏览器的后台服务中断后重新启动",
      "The worker of a browser ended and started again",
    ],
  },
  "sockets-lost": {
    title: ["连接频繁中断", "Connections break"],
    meaning: [
      "较多浏览器与服务器的连接中断，聊天和通话会受影响",
      "Many browsers lose their connection to the server, which disturbs chat and calls",
    ],
  },
  "errors-jump": {
    title: ["错误激增", "Errors jump"],
    meaning: [
      "同一种错误比平时多很多，可能是新版本或某个服务有故障",
      "One error happens many times as often as before: a new build or a service may be broken",
    ],
  },
  "commands-slow": {
    title: ["操作变慢", "Commands are slow"],
    meaning: [
      "最慢的 1% 操作耗时过长，人们要等待",
      "The slowest 1 % of what people do needs too long, so they wait",
    ],
  },
  "outbox-waits": {
    title: ["消息积压", "Messages wait"],
    meaning: [
      "许多消息发不出去，停留在浏览器中等待",
      "Many messages wait in browsers and are not sent",
    ],
  },
};

/** Its title in the language; of a rule that somebody made its name. */
export function alertRuleTitle(
  { rule, ruleName }: Pick<Alert, "rule" | "ruleName">,
  language: AlertLanguage,
): string {
  const shipped = SHIPPED_RULE_TEXTS[rule];
  return shipped === undefined ? ruleName || rule : inLanguage(shipped.title, language);
}

/** What a shipped rule means in one line; empty for a rule that somebody made. */
export function alertRuleMeaning(rule: string, language: AlertLanguage): string {
  const shipped = SHIPPED_RULE_TEXTS[rule];
  return shipped === undefined ? "" : inLanguage(shipped.meaning, language);
}

export const alertLevelWord = (level: AlertLevel, language: AlertLanguage): string =>
  inLanguage(ALERT_LEVEL_TEXTS[level], language);

const WATCHED_TEXTS: Readonly<Record<WatchedThing, Pair>> = {
  process: ["服务器进程", "Process of the server"],
  "media-node": ["媒体节点", "Media node"],
  database: ["数据库", "Database"],
};

/** Metrics that pages and rules name, those of cores and those of the server. */
export const METRIC_TEXTS: Readonly<Record<string, Pair>> = {
  ...WATCHED_TEXTS,
  cores: ["在线浏览器", "Browsers online"],
  tabs: ["标签页", "Tabs"],
  visible: ["可见标签页", "Visible tabs"],
  ports: ["端口", "Ports"],
  unacked: ["未确认的更新", "Updates not yet confirmed"],
  outbox: ["待发消息", "Messages waiting"],
  uploads: ["上传", "Uploads"],
  downloads: ["下载", "Downloads"],
  imports: ["导入", "Imports"],
  quality: ["待上报的质量记录", "Quality records waiting"],
  memory: ["标签页内存", "Memory of tabs"],
  commands: ["操作耗时", "Time of commands"],
  "fan-out": ["更新到达标签页的耗时", "Time until tabs have an update"],
  "long-tasks": ["页面卡顿", "Blocked pages"],
  restarts: ["后台服务重启", "Restarts of the worker"],
  refreshes: ["登录续期", "Renewals of logins"],
  takeovers: ["通话接管", "Takeovers of calls"],
  imported: ["导入的行", "Rows imported"],
  reports: ["浏览器上报", "Reports of browsers"],
  failed: ["失败的操作", "Failed commands"],
  errors: ["错误", "Errors"],
  lost: ["连接中断", "Connections lost"],
  ops: ["状态更新", "Updates of state"],
  "server.requests": ["请求", "Requests"],
  "server.failures": ["失败的请求", "Failed requests"],
  "server.http": ["接口耗时", "Time to answer"],
  "server.connections": ["连接", "Connections"],
  "server.refused": ["被拒绝的连接", "Connections refused"],
  "server.logins": ["登录成功", "Logins"],
  "server.logins-refused": ["登录失败", "Logins refused"],
  "server.cpu": ["处理器时间", "Processor time"],
  "server.memory": ["进程内存", "Memory of the process"],
  "server.heap": ["脚本内存", "Memory of scripts"],
  "server.lag": ["事件循环延迟", "Delay of the event loop"],
  "server.fleet-sockets": ["上报连接", "Sockets of reports"],
  "server.chat-sockets": ["聊天连接", "Chat sockets"],
  "server.chat-messages": ["聊天消息", "Chat messages"],
  "server.signalling-sockets": ["信令连接", "Signalling sockets"],
  "server.conference-members": ["会议中的人", "People in conferences"],
  "server.import-rows": ["导入的行", "Rows imported"],
  "server.streams-in": ["发布的媒体流", "Streams published"],
  "server.streams-out": ["转发的媒体流", "Streams forwarded"],
  "server.media-in": ["接收的媒体流量", "Media received"],
  "server.media-out": ["发送的媒体流量", "Media sent"],
  "server.media-resent": ["补发的媒体包", "Media packets sent again"],
  "server.media-restarts": ["媒体进程重启", "Restarts of the media process"],
  "server.database": ["数据库查询耗时", "Time of a database query"],
};

/** Metrics that name something: what stands before their name, and the words around it. */
const NAMED: readonly (readonly [begin: string, zh: string, en: string])[] = [
  ["errors.", "错误", "Error"],
  ["command.", "操作", "Command"],
  ["failed.", "失败的操作", "Failed command"],
  ["route.", "接口", "Route"],
  ["lost.", "中断的连接", "Lost connection"],
  ["socket.", "连接", "Connection"],
];

/** Also for `errors.*` and the like, each part of which is watched by itself. */
export function alertMetricWord(metric: string, language: AlertLanguage): string {
  const known = METRIC_TEXTS[metric.replace(/\.\*$/, "")];
  if (known !== undefined) return inLanguage(known, language);
  const named = NAMED.find(([begin]) => metric.startsWith(begin));
  if (named === undefined) return metric;
  const [begin, zh, en] = named;
  return `${language === "zh" ? zh : en} ${metric.slice(begin.length)}`;
}

const SUBJECT_TEXTS: Readonly<Record<Alert["subject"]["kind"], Pair>> = {
  platform: ["平台", "Platform"],
  process: ["服务器进程", "Process"],
  "media-node": ["媒体节点", "Media node"],
  database: ["数据库", "Database"],
  socket: ["连接", "Connection"],
  error: ["错误", "Error"],
  route: ["接口", "Route"],
  metric: ["指标", "Figure"],
};

/** What kind of thing it is and its name. A metric is named in words. */
export function alertSubjectWord(
  { kind, name }: Alert["subject"],
  language: AlertLanguage,
): string {
  const words = inLanguage(SUBJECT_TEXTS[kind], language);
  if (kind === "metric") return name === "" ? words : alertMetricWord(name, language);
  return name === "" || name === words ? words : `${words} ${name}`;
}

export type MetricUnit = "ms" | "s" | "MiB" | "";
const LATENCIES = /^(commands|fan-out|long-tasks|command\..+)$/;

/** The unit in which a metric is measured; none for what is counted. */
export function metricUnit(metric: string): MetricUnit {
  if (serverKind(metric) === "latency" || LATENCIES.test(metric)) return "ms";
  if (/^(memory|server\.(memory|heap|media-in|media-out))$/.test(metric)) return "MiB";
  return metric === "server.cpu" ? "s" : "";
}

/** With so many digits behind the point, and two of a value that would have none or one. What is smaller than a millionth is 0. */
function short(value: number, digits: number): string {
  const isSmall = Math.abs(value) < 10 ** (1 - digits);
  const kept = isSmall ? Number(value.toPrecision(2)) : Number(value.toFixed(digits));
  return String(Math.abs(kept) < 1e-6 ? 0 : kept);
}

/** A length of time, such as "3 分 20 秒" or "3 min 20 s": two units at most. */
export function alertTimeWord(ms: number, language: AlertLanguage): string {
  const [d, h, m, s] = language === "zh" ? ["天", "小时", "分", "秒"] : ["d", "h", "min", "s"];
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [
    [Math.floor(seconds / 86_400), d],
    [Math.floor(seconds / 3600) % 24, h],
    [Math.floor(seconds / 60) % 60, m],
    [seconds % 60, s],
  ] as const;
  const first = parts.findIndex(([n]) => n > 0);
  if (first === -1) return `0 ${s}`;
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(" ");
}

/** What says how a number of an alert reads. `per`: of a rule that somebody made, as its row says; a shipped rule's is known. */
export interface AlertNumbers {
  readonly rule: string;
  readonly kind: RuleKind;
  readonly metric: string;
  readonly per?: string | null;
  readonly measure?: RuleMeasure;
}

/** A figure, limit or worst value of an alert with its unit: "35 %", "1.2 s", "3,000 MiB" or "12". */
export function alertNumberWord(
  { rule, kind, metric, per }: AlertNumbers,
  value: number,
  language: AlertLanguage,
): string {
  if (kind === "absence") return alertTimeWord(value * 1000, language);
  const dividedBy = per === undefined ? SHIPPED_RULES.find(({ id }) => id === rule)?.per : per;
  const unit = metricUnit(metric);
  // A part of its whole reads as a share; so many of one thing for each of another does not.
  if (dividedBy != null && unit === "") {
    const share = dividedBy.startsWith("server.") || metric.startsWith("lost");
    return share ? `${short(value * 100, 1)} %` : short(value, 2);
  }
  if (unit === "ms") return value >= 1000 ? `${short(value / 1000, 2)} s` : `${short(value, 0)} ms`;
  return unit === "" ? short(value, 2) : `${short(value, 1)} ${unit}`;
}
