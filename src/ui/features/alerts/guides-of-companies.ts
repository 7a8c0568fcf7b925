/** What to do about the shipped rules of each company. */
import { type Guide, line } from "./guide-lines.ts";

export const COMPANY_GUIDES: Readonly<Record<string, Guide>> = {
  "core-restarts": {
    look: [
      line(
        "哪些浏览器重启过，它们的版本和内存。",
        "Which browsers restarted, their build and memory.",
        "cores",
      ),
      line("重启前的错误。", "The errors before the restart.", "errors"),
      line(
        "是否刚发布新版本：更新页面也会重启一次。",
        "Was a new build just published? Renewing the page restarts it once.",
      ),
    ],
    act: [
      line(
        "偶尔一次不需要处理：后台服务会恢复聊天、通话和未发送的消息。",
        "Once in a while nothing is to be done: the worker restores chat, calls and messages that were not sent.",
      ),
      line(
        "同一人反复重启：请其更新浏览器，关闭多余的标签页。",
        "If it is one person again and again: ask for a newer browser and fewer tabs.",
      ),
      line(
        "同一版本很多人重启：退回上一个版本。",
        "If many people of one build restart: go back to the build before.",
      ),
    ],
  },
  "sockets-lost": {
    look: [
      line(
        "断过连接的浏览器，以及各自的中断原因。",
        "The browsers that lost a connection, and why.",
        "cores",
      ),
      line("中断是同时发生，还是分散发生。", "Did they break at once, or one by one?", "fleet"),
      line(
        "服务器进程是否重启，连接是否达到上限。",
        "Did a process of the server restart, or are connections at their limit?",
        "processes",
      ),
    ],
    act: [
      line(
        "原因是“网络断开”且同时发生：检查该企业的网络出口、VPN 和代理的超时。",
        "If the reason is the network and all broke at once: look at the company's line, VPN, and the timeouts of the proxy.",
      ),
      line(
        "原因是“服务器停止”：查看服务器进程的日志。",
        "If the reason is the server: read the log of its process.",
      ),
      line(
        "反复的“长时间没有响应”：让代理允许 WebSocket 空闲 60 秒以上。",
        "If it is silence again and again: let the proxy keep idle WebSockets for more than 60 s.",
      ),
      line(
        "通话受影响时，查看同一时间的通话质量。",
        "If calls suffered, look at their quality in the same time.",
        "calls",
      ),
    ],
  },
  "errors-jump": {
    look: [
      line(
        "出过这种错误的浏览器：是同一版本，还是同一家企业。",
        "The browsers with this error: one build, or one company?",
        "cores",
      ),
      line("错误日志中的堆栈和页面。", "Stack and page in the error log.", "errors"),
      line("同一时间接口是否失败。", "Did requests fail in the same time?", "http"),
    ],
    act: [
      line(
        "只有新版本出错：退回上一个版本。",
        "If a new build alone has it: go back to the build before.",
      ),
      line(
        "是某个服务的错误（短信、媒体、AI）：检查该服务和它的密钥。",
        "If it is an error of a service (SMS, media, AI): look at the service and its keys.",
      ),
      line(
        "是网络类错误：按“连接频繁中断”处理。",
        "If it is about the network: go on as for “Connections break”.",
      ),
    ],
  },
  "commands-slow": {
    look: [
      line("最慢的操作是哪些，次数多少。", "Which commands are slowest, and how many.", "fleet"),
      line(
        "现在操作慢的浏览器，详情中有原因。",
        "The browsers that are slow now; their details say why.",
        "cores",
      ),
      line("服务器接口是否同时变慢。", "Are the server's routes slow as well?", "http"),
    ],
    act: [
      line(
        "接口也慢：问题在服务器，按“接口变慢”处理。",
        "If routes are slow too: the server is the cause, go on as for “Requests are slow”.",
      ),
      line(
        "只有少数人慢：按详情中的原因处理，如网络、内存不足、标签页过多。",
        "If few people are slow: go by the causes in their details, as network, memory, or too many tabs.",
      ),
      line(
        "正在导入大文件的人会变慢，导入结束后自行恢复。",
        "People who import a large file are slow until it ends.",
      ),
    ],
  },
  "outbox-waits": {
    look: [
      line(
        "有待发消息的浏览器，聊天连接是否打开。",
        "The browsers with messages waiting, and whether their chat connection is open.",
        "cores",
      ),
      line(
        "从发送到服务器确认的时间，聊天连接数。",
        "The time until the server has a message, and the number of chat sockets.",
        "chat",
      ),
      line("使用环信时，查看其服务状态页。", "With Easemob's cloud, its page of states."),
    ],
    act: [
      line(
        "聊天连接断开：先恢复连接，消息会按顺序自动发出，不需要重新输入。",
        "If chat connections are down: bring them back; messages go out in their order by themselves.",
      ),
      line(
        "服务器拒绝（人数、文件大小上限）：请本人删除或缩小那条消息。",
        "If the server refuses one (a limit of people or file size): its writer deletes or shortens it.",
      ),
      line(
        "一直积压时重启处理聊天的服务器进程，待发消息保存在浏览器中，不会丢失。",
        "If they wait on, restart the process that serves chat; messages are kept in the browsers and not lost.",
      ),
    ],
  },
};
