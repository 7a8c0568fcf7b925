/** The errors of microphone, camera and screen in the catalogue. src/shared/domain/device-errors.ts has the words for each device. */
import { type CatalogueEntry, entry } from "./error-entry.ts";

export const mediaErrors = {
  "media.no-device": entry(0, "没有可用的麦克风或摄像头"),
  "media.permission-denied": entry(
    0,
    "浏览器未允许使用麦克风或摄像头，请在地址栏左侧打开权限后重试",
  ),
  "media.system-denied": entry(
    0,
    "系统未允许浏览器使用麦克风或摄像头，请在系统的隐私设置中允许后重试",
    true,
  ),
  "media.insecure": entry(0, "此页面不是安全连接 (https)，不能使用麦克风和摄像头"),
  "media.unsupported": entry(
    0,
    "此浏览器不能使用麦克风或摄像头，请换用新版 Chrome、Edge、Firefox 或 Safari",
  ),
  "media.device-busy": entry(0, "麦克风或摄像头被其他程序占用", true),
  "media.device-unfit": entry(0, "所选的麦克风或摄像头不可用，请更换设备", true),
  "media.aborted": entry(0, "打开麦克风或摄像头时被中断，请重试", true),
  "media.inactive": entry(0, "页面不在前台，未能打开麦克风或摄像头，请回到本页面后重试", true),
  "media.open-failed": entry(0, "打开麦克风或摄像头失败", true),
  "media.system-muted": entry(0, "麦克风或摄像头已被系统关闭"),
} as const satisfies Record<string, CatalogueEntry>;

export type MediaErrorCode = keyof typeof mediaErrors;
