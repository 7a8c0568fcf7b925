/** What the causes of shared/domain/core-causes.ts are in words, with what to do. */
import type { CoreCauseKey } from "../../../shared/domain/core-causes.ts";
import { textOf, texts } from "../../i18n/texts.ts";

const CAUSE_TEXTS = texts({
  silent: [
    "已 {{seconds}} 秒没有上报：电脑可能睡眠了，或者网络断开了。",
    "No report for {{seconds}} s: the machine sleeps, or has no network.",
  ],
  restarted: [
    "后台服务刚重启过 {{count}} 次：重启后各标签页要重新连接，会卡一下。反复出现时，请查看错误日志。",
    "The worker restarted {{count}} {count|time|times}: tabs connect again, which takes a moment. If it goes on, see the error log.",
  ],
  blocked: [
    "页面被占用：{{percent}}% 的时间无法响应，最长一次 {{ms}} 毫秒，共 {{count}} 次。请关闭不用的标签页和浏览器扩展。",
    "Pages are blocked {{percent}} % of the time, {{ms}} ms at the longest, {{count}} {count|time|times}. Close tabs and extensions that are not needed.",
  ],
  memory: [
    "最大的标签页占用 {{mib}} MiB 内存。请刷新该标签页，或关闭其他程序。",
    "The largest tab has {{mib}} MiB of memory. Reload it, or close other programs.",
  ],
  slowCommands: [
    "操作慢：{{name}} 最慢需要 {{ms}} 毫秒。只有一个人慢时多为其网络，许多人都慢时请看服务器。",
    "Commands are slow: {{name}} needs up to {{ms}} ms. For one person it is mostly their network; for many, look at the server.",
  ],
  failedCommands: [
    "有 {{count}} 次操作失败，最多的是 {{name}}。",
    "{{count}} {count|command|commands} failed, most of them {{name}}.",
  ],
  fanOut: [
    "更新到达标签页要 {{ms}} 毫秒：浏览器很忙，或者电脑性能不足。",
    "A change needs {{ms}} ms to a tab and back: the browser is busy, or the machine is slow.",
  ],
  lagging: [
    "有标签页积压了 {{count}} 条更新：该标签页卡住了，刷新即可恢复。",
    "A tab has {{count}} changes to take in: it hangs. Reload it.",
  ],
  disconnected: [
    "连接“{{name}}”断开，已重试 {{count}} 次。请检查网络、代理和防火墙。",
    "The connection “{{name}}” is down after {{count}} {count|attempt|attempts}. See network, proxy and firewall.",
  ],
  unsteady: [
    "连接时断时续：中断 {{count}} 次，最多的是“{{name}}”，原因是“{{why}}”。请检查无线网络。",
    "Connections come and go: lost {{count}} {count|time|times}, mostly “{{name}}”, because of: {{why}}. See the wireless network.",
  ],
  outbox: [
    "有 {{count}} 条消息没有发出：聊天连接不稳定，或者附件很大。",
    "{{count}} {count|message waits|messages wait} to be sent: chat is unsteady, or files are large.",
  ],
  manyTabs: [
    "打开了 {{count}} 个标签页，每个都占用内存。请关闭不用的标签页。",
    "{{count}} tabs are open, and each needs memory. Close those that are not needed.",
  ],
  importing: [
    "正在导入员工（已发送 {{count}} 行），期间列表会慢一些。",
    "An import is under way ({{count}} {count|row|rows} sent); lists are slower meanwhile.",
  ],
  transfers: [
    "有 {{count}} 个文件正在上传或下载，占用网络。",
    "{{count}} files are being sent or fetched, which needs the network.",
  ],
  errors: [
    "出现 {{count}} 次错误，最多的是“{{name}}”。",
    "{{count}} {count|error|errors}, most of them “{{name}}”.",
  ],
  hidden: [
    "{{count}} 个标签页都在后台，浏览器会放慢它们。",
    "{{count}} {count|tab|tabs}, all hidden: the browser slows hidden tabs.",
  ],
  otherBuild: [
    "运行的版本（{{build}}）与您的（{{ownBuild}}）不同。刷新页面即可更新。",
    "It runs the build {{build}}, and you {{ownBuild}}. A reload brings the new one.",
  ],
} satisfies Record<CoreCauseKey, readonly [string, string]>);

type Loose = Readonly<Record<CoreCauseKey, readonly [zh: `{{${string}}}`, en: `{{${string}}}`]>>;

/** A cause in the language chosen. Its values have the names of the placeholders (cause-texts.test.ts). */
export const causeWords = (
  key: CoreCauseKey,
  values: Readonly<Record<string, string | number>>,
): string => textOf<Loose, CoreCauseKey>(CAUSE_TEXTS as never, key, values);
