/** Names and texts of the platform's tasks. */
import type { TaskId } from "../../../shared/protocol/rest/tasks.ts";
import { texts } from "../../i18n/texts.ts";

/** What each task does. */
export const TASK_NAMES = texts({
  sessions: ["清理过期登录", "Remove expired logins"],
  "sign-ins": ["清理登录日志", "Remove old sign-ins"],
  "client-errors": ["清理错误日志", "Remove old errors"],
  quality: ["清理质量记录", "Remove old quality records"],
  files: ["清理无引用文件", "Remove unused files"],
  chat: ["清理聊天收件箱", "Remove old entries of chat inboxes"],
  "chat-files": ["清理过期聊天文件", "Remove old files of chats"],
  licences: ["清理营业执照图片", "Remove old licence pictures"],
  "task-runs": ["清理任务日志", "Remove old runs of tasks"],
} satisfies Record<TaskId, readonly [string, string]>);

export const TASK_TEXTS = texts({
  title: ["定时任务", "Scheduled tasks"],
  total: ["共 {{count}} 个任务", "{{count}} {count|task|tasks}"],
  failed: ["定时任务未能加载", "The tasks could not be loaded"],
  empty: ["服务器的定时任务会显示在这里。", "The server's scheduled tasks appear here."],
  logTitle: ["任务日志", "Task log"],
  logTotal: ["共 {{count}} 次执行", "{{count}} {count|run|runs}"],
  logFailed: ["任务日志未能加载", "The task log could not be loaded"],
  logEmpty: ["定时任务每次运行都会记录在这里。", "Each run of a task is recorded here."],
  name: ["任务名称", "Task"],
  state: ["状态", "State"],
  waiting: ["正常", "Active"],
  running: ["执行中", "Running"],
  paused: ["已暂停", "Paused"],
  every: ["执行周期", "Interval"],
  hours: ["每 {{count}} 小时", "Every {{count}} h"],
  minutes: ["每 {{count}} 分钟", "Every {{count}} min"],
  started: ["开始时间", "Started"],
  last: ["上次执行", "Last run"],
  took: ["耗时", "Duration"],
  ms: ["{{count}} 毫秒", "{{count}} ms"],
  result: ["结果", "Result"],
  success: ["成功", "Success"],
  failure: ["失败", "Failure"],
  removed: ["清理数量", "Removed"],
  error: ["错误信息", "Error"],
  next: ["下次执行", "Next run"],
  by: ["触发人", "Started by"],
  automatic: ["系统", "The platform"],
  run: ["执行一次", "Run now"],
  runAsk: ["确定要立即执行“{{name}}”吗？", "Run “{{name}}” now?"],
  ran: ["执行成功，清理 {{count}} 项", "Done, {{count}} removed"],
  runFailed: ["执行失败：{{error}}", "The run failed: {{error}}"],
  pause: ["暂停", "Pause"],
  pauseAsk: [
    "暂停后“{{name}}”不再自动执行，确定要暂停吗？",
    "“{{name}}” will not run by itself until it is resumed. Pause it?",
  ],
  pausedDone: ["已暂停", "Paused"],
  resume: ["恢复", "Resume"],
  resumed: ["已恢复", "Resumed"],
});
