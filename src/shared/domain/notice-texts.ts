/**
 * Texts that the core shows to people, except those of one-to-one calls (call-texts.ts), in both languages. The core sends the
 * Chinese text with its key and arguments; the console shows the text in the chosen language.
 */
import { CONTROL_NOTICES } from "./control-notices.ts";
import { CAMERA_NOTICE_TEXTS } from "./camera-notice-texts.ts";

export type NoticeArgs = Readonly<Record<string, string | number>>;
/** Key of a text that came from a server; it is shown unchanged. */
export const SERVER_WORDS = "server.words";
type NoticeText = string | ((args: NoticeArgs) => string);

const plural = (n: string | number | undefined, one: string): string =>
  `${Number(n ?? 0).toLocaleString("en")} ${one}${Number(n) === 1 ? "" : "s"}`;

/** Counts of an import: rows that were (or would be) created, updated and refused; zero updates and refusals are left out. */
const countsZh = ({ dry, created, updated, refused }: NoticeArgs): string =>
  [
    `${dry ? "可新增" : "新增"} ${created} 人`,
    ...(Number(updated) > 0 ? [`更新 ${updated} 人`] : []),
    ...(Number(refused) > 0 ? [`${dry ? "不能导入" : "未导入"} ${refused} 行`] : []),
  ].join("，");
const countsEn = ({ dry, created, updated, refused }: NoticeArgs): string =>
  [
    `${plural(created, "employee")} ${dry ? "would be created" : "created"}`,
    ...(Number(updated) > 0 ? [`${plural(updated, "employee")} updated`] : []),
    ...(Number(refused) > 0 ? [`${plural(refused, "row")} rejected`] : []),
  ].join(", ");

export const NOTICE_TEXTS = {
  "company.switched": {
    zh: ({ company }) => `已切换到企业[${company}]，原企业的页面已关闭`,
    en: ({ company }) => `Switched to [${company}]; the former company's pages were closed`,
  },
  "call-missed-in-conference": {
    zh: ({ name }) => `${name} 来电：您正在会议中，已回复忙碌`,
    en: ({ name }) => `${name} called while you are in a conference and got a busy reply`,
  },
  "call-quiet": {
    zh: ({ name }) => `${name} 来电：您已开启来电勿扰，已告知对方`,
    en: ({ name }) => `${name} called. Do not disturb is on, and they were notified`,
  },
  "call-peer-quiet": {
    zh: ({ note }) => `对方已开启勿扰，暂时无法接听：${note}`,
    en: ({ note }) => `The other person does not want to be disturbed right now: ${note}`,
  },
  "call-grown": {
    zh: ({ name }) => `${name}添加了成员，已转为群通话`,
    en: ({ name }) => `${name} added people: this is a group call now`,
  },
  "group.direct-joined": {
    zh: ({ group, person }) => `${person}邀请您加入了群组“${group}”`,
    en: ({ group, person }) => `${person} added you to the group “${group}”`,
  },
  "group.invited": {
    zh: ({ group, person }) => `${person}邀请您加入群组“${group}”，请在群通知中处理`,
    en: ({ group, person }) => `${person} invites you to the group “${group}”`,
  },
  "group.invite-rejected": {
    zh: ({ group, person }) => `${person}拒绝了加入群组“${group}”的邀请`,
    en: ({ group, person }) => `${person} declined the invitation to the group “${group}”`,
  },
  "group.applied": {
    zh: ({ group, person }) => `${person}申请加入群组“${group}”，请在群通知中处理`,
    en: ({ group, person }) => `${person} asks to join the group “${group}”`,
  },
  "group.accepted": {
    zh: ({ group }) => `您已加入群组“${group}”`,
    en: ({ group }) => `You are now in the group “${group}”`,
  },
  "group.declined": {
    zh: ({ group }) => `您加入群组“${group}”的申请被拒绝`,
    en: ({ group }) => `Your request to join the group “${group}” was declined`,
  },
  "group.dissolved": {
    zh: ({ group }) => `群组“${group}”已解散`,
    en: ({ group }) => `The group “${group}” was dissolved`,
  },
  "group.removed": {
    zh: ({ group }) => `您已被移出群组“${group}”`,
    en: ({ group }) => `You were removed from the group “${group}”`,
  },
  // the platform's English, to the letter
  "group.rejected": { zh: "已拒绝加入群组", en: "Rejected joining the group" },
  "friend.asked": {
    zh: ({ person }) => `${person}申请添加您为好友`,
    en: ({ person }) => `${person} asks to become your friend`,
  },
  "friend.agreed": {
    zh: ({ person }) => `${person}已同意您的好友申请`,
    en: ({ person }) => `${person} accepted your friend request`,
  },
  "friend.refused": {
    zh: ({ person }) => `${person}拒绝了您的好友申请`,
    en: ({ person }) => `${person} declined your friend request`,
  },
  // why publishing ended, by the end reason of op 107 (docs/conferences.md#end-reasons)
  ...CAMERA_NOTICE_TEXTS,
  "conference.too-many-videos": {
    zh: "会议的视频路数已满，未能发布画面",
    en: "The conference has reached its limit of videos; yours was not sent",
  },
  "conference.too-many-desktops": {
    zh: "会议的共享屏幕路数已满",
    en: "The conference has reached its limit of shared screens",
  },
  "conference.may-talk": {
    zh: "您现在可以发言：需要时请打开麦克风或摄像头",
    en: "You may speak now. Turn on your microphone or camera when you are ready",
  },
  "conference.demoted": {
    zh: "主持人已将您设为观众：您可以观看和收听，需要发言时请举手",
    en: "An admin moved you to the audience: you can watch and listen. Raise your hand to speak",
  },
  "conference.not-admin": {
    zh: "您不再是主持人",
    en: "You are no longer an admin of the conference",
  },
  "conference.now-admin": {
    zh: "您已成为会议主持人",
    en: "You are now an admin of the conference",
  },
  "conference.one-muted": {
    zh: "主持人已将您静音",
    en: "An admin muted you",
  },
  "conference.all-muted": {
    zh: "主持人已开启全员静音，您的麦克风已关闭；需要发言时请举手",
    en: "An admin muted everyone; your microphone is off. Raise your hand to speak",
  },
  "conference.all-hushed": {
    zh: "主持人已将全员静音，您可以自行解除静音",
    en: "An admin muted everyone; you may unmute yourself",
  },
  "conference.screen-ended": {
    zh: "共享屏幕的标签页已关闭或不再使用，共享已停止；需要时请重新共享",
    en: "The tab that shared the screen was closed or is no longer in use, so sharing ended. Share again if you want to",
  },
  "conference.mixed-desktop": {
    zh: "该会议不允许共享带声音的屏幕",
    en: "This conference does not allow a shared screen with sound",
  },
  "conference.pub-failed": {
    zh: "音视频发送失败，正在重试",
    en: "Your sound and picture are not getting through. Trying again",
  },
  "conference.sub-failed": {
    zh: "对方的音视频接收失败，正在重试",
    en: "The other person's sound and picture are not getting through. Trying again",
  },
  "conference.codec": {
    zh: "对方视频的编码不受支持",
    en: "This browser does not support the codec of the other person's video",
  },
  "conference.muted": {
    zh: "主持人已将您静音，暂不能打开麦克风；需要发言时请举手",
    en: "An admin muted you; your microphone stays off. Raise your hand to speak",
  },
  "conference.not-closed": {
    zh: "会议未能为所有人结束，请重新进入后再试",
    en: "The conference could not be ended for everyone. Join again and retry",
  },
  "conference.recording-failed": {
    zh: "录制已中断，已录制的内容可在会议页保存",
    en: "The recording was interrupted. What was recorded can be saved on the page of conferences",
  },
  "conference.request-lost": { zh: "请求未能送达", en: "The request did not get through" },
  "conference.request-late": {
    zh: "主持人没有回应，您可以再次申请",
    en: "No admin has answered; you may ask again",
  },
  "conference.request-agreed": {
    zh: "主持人已同意您的申请",
    en: "An admin accepted your request",
  },
  "conference.talker-denied": {
    zh: "主持人拒绝了您的发言申请",
    en: "An admin declined your request to speak",
  },
  "conference.admin-denied": {
    zh: "主持人拒绝了您的申请",
    en: "An admin declined your request",
  },
  "import.done": {
    zh: (a) => `${a["dry"] ? "试运行" : "导入"}完成：${countsZh(a)}（${a["file"]}）`,
    en: (a) => `${a["dry"] ? "Dry run" : "Import"} done: ${countsEn(a)} (${a["file"]})`,
  },
  "import.already": {
    zh: (a) => `该文件此前已导入，没有重复导入（${a["file"]}）`,
    en: (a) => `This file had been imported before; nothing was imported twice (${a["file"]})`,
  },
  "import.cancelled": {
    zh: (a) => `导入已取消：${a["dry"] ? "" : "已"}${countsZh(a)}，其余未导入（${a["file"]}）`,
    en: (a) => `Import cancelled: ${countsEn(a)}, the rest was not imported (${a["file"]})`,
  },
  "import.failed": {
    zh: (a) => `导入失败：${a["why"]}（${a["file"]}）`,
    en: (a) => `Import failed: ${a["why"]} (${a["file"]})`,
  },
  ...CONTROL_NOTICES,
} as const satisfies Readonly<Record<string, { readonly zh: NoticeText; readonly en: NoticeText }>>;
export type NoticeKey = keyof typeof NOTICE_TEXTS;

const isKey = (key: string): key is NoticeKey => Object.hasOwn(NOTICE_TEXTS, key);

/** The text of a key in a language; null for an unknown key. */
export function noticeIn(language: "zh" | "en", key: string, args: NoticeArgs = {}): string | null {
  if (!isKey(key)) return null;
  const text: NoticeText = NOTICE_TEXTS[key][language];
  return typeof text === "string" ? text : text(args);
}

/** Builds what the core sends for a key: the Chinese text, the key and its arguments. */
export const noticeFields = (
  key: NoticeKey,
  args?: NoticeArgs,
): { text: string; key: NoticeKey; args?: NoticeArgs } => ({
  text: noticeIn("zh", key, args) ?? "",
  key,
  ...(args === undefined ? {} : { args }),
});
