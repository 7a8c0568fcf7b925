/** Words of the queue of uploads. */
import { texts } from "../../i18n/texts.ts";

export const UPLOADS_TEXTS = texts({
  title: ["文件上传", "Uploads"],
  going: ["{{count}} 个 · {{percent}}%", "{{count}} · {{percent}}%"],
  someFailed: ["{{count}} 个上传失败", "{{count}} failed"],
  failed: ["上传失败", "Failed"],
  allDone: ["上传完成", "Uploaded"],
  waiting: ["排队中", "Waiting"],
  running: ["正在上传", "Uploading"],
  paused: ["连接中断，恢复后自动继续", "The connection is lost; it goes on by itself"],
  done: ["已上传", "Uploaded"],
  progress: ["上传进度 {{name}}", "Progress of {{name}}"],
  cancel: ["取消上传 {{name}}", "Cancel {{name}}"],
  remove: ["移除记录 {{name}}", "Remove {{name}} from the list"],
  retry: ["重新上传 {{name}}", "Upload {{name}} again"],
  clear: ["清除已结束", "Clear finished"],
});
