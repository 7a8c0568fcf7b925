/** Texts of the green room. */
import { texts } from "../../i18n/texts.ts";

export const GREEN_ROOM_TEXTS = texts({
  title: ["准备加入会议", "Ready to join?"],
  number: ["会议号 {{number}}", "Meeting number {{number}}"],
  by: ["{{name}} 发起 · {{count}} 人在会", "By {{name}} · {{count}} {count|person|people} inside"],
  unseen: [
    "未在本公司进行中的会议里找到该会议。如果会议号正确，仍可以加入。",
    "This conference is not among the open ones of your company. You can still join if the number is right.",
  ],
  preview: ["我的画面预览", "Preview of my picture"],
  cameraOff: ["摄像头已关闭", "The camera is off"],
  noPicture: ["没有画面", "No picture"],
  turnMicrophoneOn: ["打开麦克风", "Turn the microphone on"],
  turnMicrophoneOff: ["关闭麦克风", "Turn the microphone off"],
  turnCameraOn: ["打开摄像头", "Turn the camera on"],
  turnCameraOff: ["关闭摄像头", "Turn the camera off"],
  level: ["麦克风音量", "Microphone level"],
  join: ["加入会议", "Join"],
  back: ["返回会议大厅", "Back to the lobby"],
  check: ["检查设备和网络", "Check devices and network"],
  inCall: ["通话结束后才能加入会议", "You can join when your call has ended"],
});
