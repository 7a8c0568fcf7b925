/** What a message about an alert says, in the language of its channel (docs/server.md#sending-alerts). */
import {
  alertLevelWord,
  type AlertLanguage,
  alertMetricWord,
  alertNumberWord,
  alertRuleMeaning,
  alertRuleTitle,
  alertSubjectWord,
  alertTimeWord,
} from "../../../../shared/domain/alert-texts.ts";
import type { AlertNews, AlertRecord } from "../contracts.ts";

/** What a channel sends: an alert that began or ended, or the message of a test. */
export type Sent = AlertNews | { readonly event: "test" };

export interface AlertText {
  /** One line. */
  readonly title: string;
  /** Name and value, in the order in which they are read. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The meaning of a shipped rule, in one line; "" for an own rule. */
  readonly meaning: string;
  /** The address of the page of the alert; null when the address of the console is not known. */
  readonly link: string | null;
  readonly linkText: string;
}

/** Chinese and English. */
const WORDS = {
  began: ["告警", "Alert"],
  ended: ["已恢复", "Over"],
  test: ["测试消息", "Test message"],
  testMeaning: [
    "这是一条测试消息，告警将发送到这里。",
    "This is a test. Alerts will be sent here.",
  ],
  level: ["级别", "Level"],
  subject: ["对象", "Subject"],
  company: ["企业", "Company"],
  platform: ["平台", "Platform"],
  value: ["当前值", "Value"],
  worst: ["最差值", "Worst"],
  limit: ["阈值", "Limit"],
  since: ["开始时间", "Since"],
  lasted: ["持续时间", "Lasted"],
  people: ["相关人员", "People"],
  view: ["查看", "View"],
} as const;

const two = (n: number): string => String(n).padStart(2, "0");
/** The server's local time with its offset from UTC, since the reader may be in another time zone. */
function timeWord(ms: number): string {
  const date = new Date(ms);
  const minutes = -date.getTimezoneOffset();
  const [sign, away] = [minutes < 0 ? "-" : "+", Math.abs(minutes)];
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return `${day} ${time} (UTC${sign}${two(Math.floor(away / 60))}:${two(away % 60)})`;
}

function factsOf(
  { event, alert }: AlertNews,
  companyName: string,
  language: AlertLanguage,
): (readonly [string, string])[] {
  const word = (key: keyof typeof WORDS): string => WORDS[key][language === "zh" ? 0 : 1];
  const number = (value: number): string => alertNumberWord(alert, value, language);
  const { cores, endedAt } = alert;
  return [
    [word("level"), alertLevelWord(alert.level, language)],
    [word("subject"), alertSubjectWord(alert.subject, language)],
    [word("company"), alert.companyId === null ? word("platform") : companyName],
    // The figure of an absence is how long it has lasted, which the times already show.
    ...(alert.kind === "absence"
      ? []
      : ([
          [
            event === "began" ? word("value") : word("worst"),
            `${number(event === "began" ? alert.value : alert.worst)} (${alertMetricWord(alert.metric, language)})`,
          ],
          [word("limit"), number(alert.limit)],
        ] as const)),
    [word("since"), timeWord(alert.startedAt)],
    ...(endedAt === null
      ? []
      : ([[word("lasted"), alertTimeWord(endedAt - alert.startedAt, language)]] as const)),
    ...(cores.length === 0
      ? []
      : ([[word("people"), cores.map(({ name }) => name).join(", ")]] as const)),
  ];
}

/** The address of the page of an alert, by its key: it has no id until the database has stored it. */
export const alertLink = (console: string | undefined, alert: Pick<AlertRecord, "key">) =>
  console === undefined ? null : `${console}/monitor/alerts?alert=${alert.key}`;

export function alertText(
  sent: Sent,
  options: {
    readonly language: AlertLanguage;
    /** "" for an alert of the platform. */
    readonly companyName: string;
    /** CONSOLE_URL */
    readonly console: string | undefined;
  },
): AlertText {
  const { language, companyName, console } = options;
  const word = (key: keyof typeof WORDS): string => WORDS[key][language === "zh" ? 0 : 1];
  const linkText = word("view");
  if (sent.event === "test") {
    const link = console === undefined ? null : `${console}/monitor/alertChannels`;
    return { title: word("test"), facts: [], meaning: word("testMeaning"), link, linkText };
  }
  const { event, alert } = sent;
  const level = alertLevelWord(alert.level, language);
  const what = `${alertRuleTitle(alert, language)} · ${alertSubjectWord(alert.subject, language)}`;
  return {
    title: event === "began" ? `[${level}] ${what}` : `[${word("ended")}] ${what}`,
    facts: factsOf(sent, companyName, language),
    meaning: event === "began" ? alertRuleMeaning(alert.rule, language) : "",
    link: alertLink(console, alert),
    linkText,
  };
}

/** Lines of plain text, for chat, mail and robots without markup. */
export function plainText({ title, facts, meaning, link, linkText }: AlertText): string {
  return [
    title,
    ...(meaning === "" ? [] : [meaning]),
    ...facts.map(([name, value]) => `${name}: ${value}`),
    ...(link === null ? [] : [`${linkText}: ${link}`]),
  ].join("\n");
}

/** Names come from people, so markup in them is shown as text. */
const unmarked = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>#|~]/g, (sign) => `\\${sign}`).replaceAll(/\s+/g, " ");

/** Markdown, as the robots of DingTalk and WeCom show it. */
export function markdown({ title, facts, meaning, link, linkText }: AlertText): string {
  return [
    `### ${unmarked(title)}`,
    ...(meaning === "" ? [] : [unmarked(meaning)]),
    ...facts.map(([name, value]) => `> ${name}: ${unmarked(value)}`),
    ...(link === null ? [] : [`[${linkText}](${link})`]),
  ].join("\n\n");
}

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

/** Simple HTML, for a mail. */
export function html({ title, facts, meaning, link, linkText }: AlertText): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding-right:16px;color:#666">${escaped(name)}</td><td>${escaped(value)}</td></tr>`,
  );
  return [
    `<h3>${escaped(title)}</h3>`,
    ...(meaning === "" ? [] : [`<p>${escaped(meaning)}</p>`]),
    ...(rows.length === 0 ? [] : [`<table>${rows.join("")}</table>`]),
    ...(link === null ? [] : [`<p><a href="${escaped(link)}">${escaped(linkText)}</a></p>`]),
  ].join("\n");
}
