/** Texts of what one member does to another's camera. */
import { texts } from "../../i18n/texts.ts";

export const CAMERA_TEXTS = texts({
  menu: ["控制{{name}}的摄像头", "Control the camera of {{name}}"],
  zoomIn: ["放大画面", "Zoom in"],
  zoomOut: ["缩小画面", "Zoom out"],
  torchOn: ["打开补光灯", "Turn the light on"],
  torchOff: ["关闭补光灯", "Turn the light off"],
  freeze: ["定格画面", "Freeze the picture"],
  unfreeze: ["恢复画面", "Unfreeze the picture"],
  capture: ["拍照并保存", "Take a picture"],
  focus: ["点按对焦", "Focus by a click"],
  switch: ["切换摄像头", "Next camera"],
  focusHint: [
    "点按画面中要对焦的位置，回车对焦中央，Esc 取消",
    "Click where to focus. Enter focuses the middle, Esc cancels",
  ],
  focused: ["已对焦", "Focused"],
  saved: ["照片已保存", "The picture was saved"],
  switched: ["已切换到下一个摄像头", "Switched to the next camera"],
  fileName: ["{{name}}的摄像头", "Camera of {{name}}"],
  frozen: ["已定格", "Frozen"],
  lit: ["补光灯已开", "Light on"],
  zoomed: ["{{zoom}} 倍", "{{zoom}}x"],
  restore: ["恢复我的画面", "Restore my picture"],
  allow: ["允许他人控制我的摄像头", "Let others control my camera"],
});
