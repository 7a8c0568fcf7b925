/** The errors of a control of another member's camera, one per result (docs/conferences.md#remote-camera). */
import { type CatalogueEntry, entry } from "./error-entry.ts";

export const cameraErrors = {
  "camera.rejected": entry(0, "对方未允许他人控制摄像头"),
  "camera.busy": entry(0, "其他人正在控制该摄像头，请稍后再试", true),
  "camera.no-answer": entry(0, "对方的设备没有响应", true),
  "camera.not-allowed": entry(0, "对方的摄像头已关闭"),
  "camera.unsupported": entry(0, "对方的设备不支持此操作"),
  "camera.failed": entry(0, "未能控制对方的摄像头", true),
} as const satisfies Record<string, CatalogueEntry>;
