/** Texts of the conversation list, in both languages. */
import { texts } from "../../../i18n/texts.ts";

export const LIST_TEXTS = texts({
  search: ["搜索", "Search"],
  filter: ["筛选会话", "Filter the conversations"],
  all: ["全部", "All"],
  unread: ["未读", "Unread"],
  mention: ["@我", "@Me"],
  groups: ["群聊", "Groups"],
  noneSuch: ["没有符合条件的会话", "No such conversations"],
  draft: ["[草稿] ", "[Draft] "],
  mentioned: ["[有人@我] ", "[You were mentioned] "],
  pinned: ["已置顶", "Pinned"],
  muted: ["已开启免打扰", "Muted"],
  actions: ["{{name}} 的会话操作", "Actions on the conversation with {{name}}"],
  pin: ["置顶会话", "Pin to the top"],
  unpin: ["取消置顶", "Unpin"],
  mute: ["消息免打扰", "Mute"],
  unmute: ["取消免打扰", "Unmute"],
  forget: ["删除会话", "Remove from the list"],
  found: ["聊天记录", "Messages"],
});
