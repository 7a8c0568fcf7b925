/** Texts about what changes the own picture and sound. */
import { texts } from "../../i18n/texts.ts";

export const EFFECT_TEXTS = texts({
  open: ["设备与效果", "Devices and effects"],
  speaker: ["扬声器", "Speaker"],
  background: ["背景虚化", "Blur the background"],
  noise: ["降噪", "Suppress noise"],
  starting: ["正在启动…", "Starting…"],
  on: ["已生效", "On"],
  slow: ["设备性能不足，已自动关闭", "Off: this device is too slow for it"],
  failed: ["无法运行，已自动关闭", "Off: it could not run"],
  absent: [
    "当前浏览器不支持背景虚化和降噪",
    "This browser can neither blur the background nor suppress noise",
  ],
  backgroundSlow: [
    "设备性能不足，背景虚化已自动关闭，对方可以看到您的背景",
    "This device is too slow to blur the background. The blur is off, and others see your room.",
  ],
  backgroundFailed: [
    "背景虚化无法运行，已自动关闭，对方可以看到您的背景",
    "The background could not be blurred. The blur is off, and others see your room.",
  ],
  noiseSlow: [
    "设备性能不足，降噪已自动关闭",
    "This device is too slow to suppress noise. The suppression is off.",
  ],
  noiseFailed: [
    "降噪无法运行，已自动关闭",
    "Noise could not be suppressed. The suppression is off.",
  ],
});
