/** Texts of the contact book: friends, requests, blacklist, departments. */
import { AppError } from "../../../../shared/errors.ts";
import { texts, useTexts } from "../../../i18n/texts.ts";

export const FRIEND_TEXTS = texts({
  add: ["添加好友", "Add a friend"],
  fresh: ["新的朋友", "New friends"],
  friends: ["好友", "Friends"],
  blocked: ["黑名单", "Block list"],
  departments: ["部门", "Departments"],
  freshNone: ["没有待处理的好友申请", "No friend request is waiting"],
  friendsNone: ["还没有好友，点击右上角添加", "No friends yet. Add one above"],
  blockedNone: ["黑名单中没有人", "No one is blocked"],
  departmentsNone: ["没有部门", "There are no departments"],
  peopleNone: ["该部门没有可聊天的同事", "No one to chat with in this department"],
  noDepartment: ["未分配部门", "Without a department"],
  failed: ["好友列表加载失败", "The friends could not be loaded"],
  departmentsFailed: ["部门加载失败", "The departments could not be loaded"],
  waiting: ["等待对方验证", "Waiting for an answer"],
  words: ["附言：{{words}}", "Note: {{words}}"],
  accept: ["同意", "Accept"],
  acceptOf: ["同意{{name}}的好友申请", "Accept {{name}}'s request"],
  decline: ["拒绝", "Decline"],
  declineOf: ["拒绝{{name}}的好友申请", "Decline {{name}}'s request"],
  takeBack: ["撤回", "Withdraw"],
  takeBackOf: ["撤回给{{name}}的好友申请", "Withdraw the request to {{name}}"],
  actions: ["{{name}} 的好友操作", "Actions on {{name}}"],
  remark: ["设置备注", "Set a remark"],
  remarkOf: ["为{{name}}设置备注", "Remark for {{name}}"],
  remarkHint: ["仅自己可见，留空则显示对方姓名", "Only you see it. Empty shows the name"],
  remarkLabel: ["备注", "Remark"],
  remove: ["删除好友", "Remove friend"],
  removeAsk: [
    "删除后双方都不再是对方的好友，确定删除{{name}}吗？",
    "Neither of you will be the other's friend any more. Remove {{name}}?",
  ],
  block: ["加入黑名单", "Block"],
  blockAsk: [
    "加入黑名单后，{{name}}不能再给您发送消息、呼叫您或申请添加您为好友，确定吗？",
    "{{name}} will not be able to write to you, call you or ask to become your friend. Block them?",
  ],
  blockedNow: ["已将{{name}}加入黑名单", "{{name}} is blocked"],
  unblockedNow: ["已将{{name}}移出黑名单", "{{name}} is not blocked any more"],
  undo: ["撤销", "Undo"],
  cannotWrite: [
    "您已将对方加入黑名单，移出黑名单后才能发送消息和呼叫",
    "You block this person. Unblock them to write or call",
  ],
  unblock: ["移出黑名单", "Unblock"],
  unblockOf: ["将{{name}}移出黑名单", "Unblock {{name}}"],
  userName: ["用户名", "User name"],
  userNameHint: [
    "输入对方的用户名，或搜索同事的姓名",
    "A user name, or a colleague's name to search",
  ],
  found: ["搜索结果", "Search results"],
  badName: ["用户名格式不正确", "This is not a valid user name"],
  already: ["对方已是您的好友", "You are friends already"],
  message: ["附言", "Note"],
  send: ["发送申请", "Send the request"],
  sent: ["好友申请已发送，等待对方验证", "Your request was sent"],
  self: ["不能添加自己为好友", "You cannot add yourself"],
  gone: ["该好友申请已失效", "The friend request is gone"],
  full: [
    "好友申请或黑名单数量已达上限",
    "Too many open friend requests, or the block list is full",
  ],
  nowFriends: ["已添加{{name}}为好友", "{{name}} is your friend now"],
});

/** Refusals that have words of their own here, by the codes of docs/chat.md#friends-in-the-core. */
const REFUSALS = {
  "request.invalid": "self",
  "request.not-found": "gone",
  "request.conflict": "full",
} as const;

/** Gives the refusal of a command on friends its words; other errors stay. */
export function useFriendErrors(): (error: unknown) => AppError {
  const text = useTexts(FRIEND_TEXTS);
  return (error) => {
    const known = AppError.from(error);
    const key = Object.hasOwn(REFUSALS, known.code)
      ? REFUSALS[known.code as keyof typeof REFUSALS]
      : null;
    return key === null ? known : new AppError(known.code, { message: text(key) });
  };
}
