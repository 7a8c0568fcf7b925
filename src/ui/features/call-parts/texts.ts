/** Texts of the windows of a call that came later than those of the common catalogue. */
import { texts } from "../../i18n/texts.ts";

export const CALL_WINDOW_TEXTS = texts({
  microphoneOn: ["打开麦克风", "Turn on microphone"],
  chooseDevice: ["选择设备", "Choose device"],
  peerOffline: [
    "对方不在线，正在等待对方上线…",
    "Not online. Waiting for the other person to come online…",
  ],
});
