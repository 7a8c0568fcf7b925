/**
 * The pages of the server's own figures (docs/session.md#servers), each one declaration: its charts, and of each the metrics, how they are
 * read and what they are called. A new page is a row here.
 */
import { DATABASE_FIGURE, type ServerMetric } from "../../../shared/domain/server-figures.ts";
import type { ChartColour } from "../../components/charts/contracts.ts";
import { texts } from "../../i18n/texts.ts";

export const SERVER_TEXTS = texts({
  title: ["服务器", "Servers"],
  subtitle: [
    "服务器自身的运行情况，每 10 秒记录一次；多个进程的数字相加。",
    "How the server itself runs, recorded every 10 s; figures of several processes are added up.",
  ],
  failed: ["服务器数据未能加载", "The figures could not be loaded"],
  page: ["页面", "Page"],
  processes: ["进程", "Processes"],
  http: ["接口", "HTTP"],
  logins: ["登录", "Logins"],
  chat: ["聊天", "Chat"],
  imports: ["导入", "Imports"],
  media: ["会议与媒体节点", "Conferences and media nodes"],
  database: ["数据库", "Database"],
  cpu: ["处理器", "Processor"],
  cpuOf: ["占用的核心", "Share of a core"],
  memory: ["内存", "Memory"],
  resident: ["进程", "Process"],
  heap: ["其中脚本", "Script"],
  lag: ["事件循环延迟", "Delay of the event loop"],
  connections: ["连接", "Connections"],
  open: ["已打开", "Open"],
  refused: ["被拒绝", "Refused"],
  requests: ["请求", "Requests"],
  answered: ["每秒请求", "Per second"],
  failures: ["每秒失败", "Failures per second"],
  answerTime: ["回答耗时", "Time to answer"],
  routes: ["最慢的接口", "Slowest routes"],
  half: ["一半不超过", "Half within"],
  most: ["99% 不超过", "99 % within"],
  loginsChart: ["登录", "Logins"],
  succeeded: ["成功", "Succeeded"],
  wrong: ["失败", "Refused"],
  sockets: ["在线连接", "Connections"],
  messages: ["消息", "Messages"],
  perSecond: ["每秒", "Per second"],
  delivery: ["从发送到服务器确认", "From sending until the server has it"],
  rows: ["导入的行", "Rows imported"],
  chunk: ["浏览器发送的行", "Rows that browsers sent"],
  members: ["会议中的人", "People in conferences"],
  signalling: ["信令连接", "Signalling connections"],
  streams: ["媒体流", "Streams"],
  published: ["发布", "Published"],
  forwarded: ["转发", "Forwarded"],
  traffic: ["流量", "Traffic"],
  received: ["接收", "In"],
  sent: ["发送", "Out"],
  repairs: ["修复", "Repairs"],
  resent: ["补发的包（每秒）", "Packets sent again per second"],
  restarts: ["媒体进程重启", "Restarts of the media process"],
  ping: ["查询耗时", "Time of a query"],
  route: ["接口", "Route"],
  count: ["次数", "Times"],
  loading: ["加载中", "Loading"],
  none: ["这段时间没有请求", "No requests in this time"],
});
type Word = keyof typeof SERVER_TEXTS;

export interface SeriesSpec {
  readonly metric: ServerMetric | "command.chat.send" | "imported";
  /** Of durations p50 or p99; of counters how often a second, or in each step; of levels the value. */
  readonly read: "p50" | "p99" | "rate" | "value";
  readonly words: Word;
  readonly colour: ChartColour;
  readonly unit?: string;
  /** What the number is multiplied by. */
  readonly times?: number;
}
export interface ChartSpec {
  readonly title: Word;
  /** At most three. */
  readonly series: readonly SeriesSpec[];
}
export interface ServerPage {
  readonly key: Word;
  readonly charts: readonly ChartSpec[];
  /** A table of parts below the charts. */
  readonly parts?: "routes";
}

const times = (metric: SeriesSpec["metric"]): SeriesSpec[] => [
  { metric, read: "p50", words: "half", colour: "blue", unit: " ms" },
  { metric, read: "p99", words: "most", colour: "amber", unit: " ms" },
];

export const SERVER_PAGES: readonly ServerPage[] = [
  {
    key: "processes",
    charts: [
      {
        title: "cpu",
        series: [
          {
            metric: "server.cpu",
            read: "rate",
            words: "cpuOf",
            colour: "blue",
            unit: "%",
            times: 100,
          },
        ],
      },
      {
        title: "memory",
        series: [
          {
            metric: "server.memory",
            read: "value",
            words: "resident",
            colour: "blue",
            unit: " MiB",
          },
          { metric: "server.heap", read: "value", words: "heap", colour: "teal", unit: " MiB" },
        ],
      },
      { title: "lag", series: times("server.lag") },
      {
        title: "connections",
        series: [
          { metric: "server.connections", read: "value", words: "open", colour: "blue" },
          { metric: "server.refused", read: "value", words: "refused", colour: "red" },
        ],
      },
    ],
  },
  {
    key: "http",
    parts: "routes",
    charts: [
      {
        title: "requests",
        series: [
          { metric: "server.requests", read: "rate", words: "answered", colour: "blue" },
          { metric: "server.failures", read: "rate", words: "failures", colour: "red" },
        ],
      },
      { title: "answerTime", series: times("server.http") },
    ],
  },
  {
    key: "logins",
    charts: [
      {
        title: "loginsChart",
        series: [
          { metric: "server.logins", read: "value", words: "succeeded", colour: "green" },
          { metric: "server.logins-refused", read: "value", words: "wrong", colour: "red" },
        ],
      },
    ],
  },
  {
    key: "chat",
    charts: [
      { title: "delivery", series: times("command.chat.send") },
      {
        title: "messages",
        series: [
          { metric: "server.chat-messages", read: "rate", words: "perSecond", colour: "blue" },
        ],
      },
      {
        title: "sockets",
        series: [{ metric: "server.chat-sockets", read: "value", words: "open", colour: "green" }],
      },
    ],
  },
  {
    key: "imports",
    charts: [
      {
        title: "rows",
        series: [
          { metric: "server.import-rows", read: "rate", words: "perSecond", colour: "blue" },
          { metric: "imported", read: "rate", words: "chunk", colour: "teal" },
        ],
      },
    ],
  },
  {
    key: "media",
    charts: [
      {
        title: "members",
        series: [
          { metric: "server.conference-members", read: "value", words: "members", colour: "blue" },
          {
            metric: "server.signalling-sockets",
            read: "value",
            words: "signalling",
            colour: "teal",
          },
        ],
      },
      {
        title: "streams",
        series: [
          { metric: "server.streams-in", read: "value", words: "published", colour: "blue" },
          { metric: "server.streams-out", read: "value", words: "forwarded", colour: "green" },
        ],
      },
      {
        title: "traffic",
        series: [
          {
            metric: "server.media-in",
            read: "rate",
            words: "received",
            colour: "blue",
            unit: " MiB/s",
          },
          {
            metric: "server.media-out",
            read: "rate",
            words: "sent",
            colour: "green",
            unit: " MiB/s",
          },
        ],
      },
      {
        title: "repairs",
        series: [
          { metric: "server.media-resent", read: "rate", words: "resent", colour: "amber" },
          { metric: "server.media-restarts", read: "value", words: "restarts", colour: "red" },
        ],
      },
    ],
  },
  { key: "database", charts: [{ title: "ping", series: times(DATABASE_FIGURE) }] },
];
