/** Words of the list of uploads and downloads. */
import { texts } from "../../i18n/texts.ts";

export const TRANSFER_TEXTS = texts({
  uploads: ["文件上传", "Uploads"],
  downloads: ["文件下载", "Downloads"],
  both: ["文件传输", "Transfers"],
  going: ["{{count}} 个 · {{share}}", "{{count}} · {{share}}"],
  someFailed: ["{{count}} 个失败", "{{count}} failed"],
  allDone: ["已完成", "Done"],
  waiting: ["排队中", "Waiting"],
  paused: ["连接中断，恢复后自动继续", "The connection is lost; it goes on by itself"],
  failed: ["失败", "Failed"],
  uploading: ["正在上传", "Uploading"],
  uploaded: ["已上传", "Uploaded"],
  downloading: ["正在下载", "Downloading"],
  downloaded: ["已下载", "Downloaded"],
  progress: ["上传进度 {{name}}", "Upload of {{name}}"],
  progressDown: ["下载进度 {{name}}", "Download of {{name}}"],
  cancel: ["取消上传 {{name}}", "Cancel {{name}}"],
  cancelDown: ["取消下载 {{name}}", "Cancel {{name}}"],
  remove: ["移除记录 {{name}}", "Remove {{name}} from the list"],
  retry: ["重新上传 {{name}}", "Upload {{name}} again"],
  retryDown: ["重新下载 {{name}}", "Download {{name}} again"],
  clear: ["清除已结束", "Clear finished"],
});
