/** Texts of the floating window. */
import { texts } from "../../i18n/texts.ts";

export const FLOATING_TEXTS = texts({
  open: ["画中画", "Picture-in-picture"],
  close: ["退出画中画", "Close picture-in-picture"],
  away: ["画面在画中画窗口中", "The picture is in the picture-in-picture window"],
  refused: ["浏览器无法打开画中画窗口", "The browser could not open a picture-in-picture window"],
  noVideo: ["当前没有可以显示的画面", "There is no picture to show"],
});
