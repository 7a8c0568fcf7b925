/** What people in a conference are told by notices, with the keys of other languages. */
import { CONFR_END } from "../../../shared/protocol/confr-signalling.ts";

interface Text {
  readonly text: string;
  readonly key: string;
}
/** Why publishing ended, by the end reason of op 107 (spec §4). */
export const PUBLISH_REFUSED: Readonly<Record<number, Text>> = {
  [CONFR_END.tooManyVideos]: {
    text: "会议的视频路数已满，未能发布画面",
    key: "conference.onPubVideoTooMuch",
  },
  [CONFR_END.tooManyDesktops]: {
    text: "会议的共享屏幕路数已满",
    key: "conference.onPubDesktopTooMuch",
  },
};
export const REQUEST_LOST: Text = {
  text: "请求未能送达",
  key: "conference.request-refused",
};
export const REQUEST_AGREED: Text = {
  text: "主持人已同意您的申请",
  key: "conference.request-agreed",
};
export const REQUEST_DENIED: Readonly<Record<"talker" | "admin", Text>> = {
  talker: { text: "主持人拒绝了您的发言申请", key: "conference.request-denied" },
  admin: { text: "主持人拒绝了您的申请", key: "conference.request-denied" },
};
