/**
 * Each method of the chat provider's SDK that the gateway serves has a test that calls it on the unmodified SDK, and one in which it
 * is refused, if it can be. The table in docs/chat.md is drawn from the tests; UPDATE_DOCS=1 redraws it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDERS = ["src/server/modules/chat", "src/server/modules/chat/groups"];
const FILE = join(ROOT, "docs/chat.md");
const MARKS = ["<!-- methods:begin -->", "<!-- methods:end -->"] as const;

/** Served, and refused in some cases. */
const REFUSABLE = [
  "send",
  "recallMessage",
  "modifyMessage",
  "getHistoryMessages",
  "removeHistoryMessages",
  "getServerConversations",
  "addConversationMark",
  "deleteConversation",
  "addReaction",
  "pinMessage",
  "unpinMessage",
  "getServerPinnedMessages",
  "reportMessage",
  "addContact",
  "acceptContactInvite",
  "declineContactInvite",
  "setContactRemark",
  "addUsersToBlocklist",
  "subscribePresence",
  "updateUserInfo",
  "updateCurrentUserNick",
  "createGroup",
  "createGroupVNext",
  "modifyGroup",
  "changeGroupOwner",
  "destroyGroup",
  "leaveGroup",
  "getGroupInfo",
  "inviteUsersToGroup",
  "acceptGroupInvite",
  "joinGroup",
  "acceptGroupJoinRequest",
  "removeGroupMember",
  "removeGroupMembers",
  "setGroupAdmin",
  "muteGroupMember",
  "isInGroupMutelist",
  "disableSendGroupMsg",
  "blockGroupMember",
  "getGroupBlocklist",
  "addUsersToGroupAllowlist",
  "blockGroupMessage",
  "unblockGroupMessage",
  "updateGroupAnnouncement",
  "setGroupMemberAttributes",
  "getGroupMsgReadUser",
  "getGroupSharedFilelist",
  "uploadGroupSharedFile",
  "downloadGroupSharedFile",
  "deleteGroupSharedFile",
] as const;
/** Served. The call concerns the own entry only, or any reader of the group may read it. */
const OWN = [
  "getServerConversationsByFilter",
  "getServerPinnedConversations",
  "pinConversation",
  "removeConversationMark",
  "deleteAllMessagesAndConversations",
  "deleteReaction",
  "getReactionlist",
  "getReactionDetail",
  "deleteContact",
  "getContacts",
  "getAllContacts",
  "getContactsWithCursor",
  "removeUserFromBlocklist",
  "getBlocklist",
  "publishPresence",
  "getPresenceStatus",
  "unsubscribePresence",
  "getSubscribedPresencelist",
  "fetchUserInfoById",
  "uploadPushToken",
  "getSelfIdsOnOtherPlatform",
  "setSilentModeForAll",
  "getSilentModeForAll",
  "setSilentModeForConversation",
  "clearRemindTypeForConversation",
  "getSilentModeForConversation",
  "getSilentModeForConversations",
  "getSilentModeRemindTypeConversations",
  "getJoinedGroups",
  "getJoinedGroupsCount",
  "getPublicGroups",
  "getGroupMembers",
  "listGroupMembers",
  "rejectGroupInvite",
  "rejectGroupJoinRequest",
  "removeGroupAdmin",
  "getGroupAdmin",
  "unmuteGroupMember",
  "getGroupMuteList",
  "enableSendGroupMsg",
  "blockGroupMembers",
  "unblockGroupMember",
  "unblockGroupMembers",
  "blockGroupMessages",
  "removeGroupAllowlistMember",
  "getGroupAllowlist",
  "isInGroupAllowlist",
  "fetchGroupAnnouncement",
  "getGroupMembersAttributes",
] as const;

interface Case {
  readonly title: string;
  readonly body: string;
}
/** The tests of the files that load the unmodified SDK. */
function cases(): Case[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".test.ts"))
      .flatMap((name) => {
        const text = readFileSync(join(ROOT, folder, name), "utf8");
        if (!/sdk-people\.harness|cast\.harness|sdk\.harness/.test(text)) return [];
        return text
          .split(/^(?= *it(?:\.each)?\()/m)
          .slice(1)
          .map((body) => ({ title: /it\(\s*"([^"]+)"/.exec(body)?.[1] ?? "", body }))
          .filter(({ title }) => title !== "");
      }),
  );
}

/** Ways in which the harnesses send, edit and recall. */
const SHORT: Readonly<Record<string, RegExp>> = {
  send: /\.(sendText|sends|refusedSend)\(|refusedText\(/,
  modifyMessage: /\.edit\(|refusedEdit\(/,
};
const REFUSALS: Readonly<Record<string, RegExp>> = {
  send: /refusedSend\(|refusedText\(/,
  modifyMessage: /refusedEdit\(/,
};
const calls = (method: string, { body }: Case): boolean =>
  body.includes(`"${method}"`) || (SHORT[method]?.test(body) ?? false);
const refuses = (method: string, { body }: Case): boolean =>
  new RegExp(`refus\\w*\\([^;]{0,40}"${method}"`).test(body) ||
  (REFUSALS[method]?.test(body) ?? false) ||
  new RegExp(`"${method}"[^;]*(rejects|\\(error)`).test(body);

const found = cases();
const titleOf = (one: Case | undefined): string => one?.title.replaceAll("|", "\\|") ?? "";

it.each([...REFUSABLE, ...OWN])("%s has a test with the unmodified SDK", (method) => {
  expect(found.some((one) => calls(method, one))).toBe(true);
});

it.each(REFUSABLE)("%s has a test in which it is refused", (method) => {
  expect(found.some((one) => refuses(method, one))).toBe(true);
});

it("The table of methods in docs/chat.md is up to date", () => {
  const rows = [...REFUSABLE, ...OWN].map((method) => {
    const done = found.find((one) => calls(method, one) && !refuses(method, one));
    const refused = found.find((one) => refuses(method, one));
    return `| \`${method}\` | ${titleOf(done ?? refused)} | ${titleOf(refused) || "–"} |`;
  });
  const table = ["| method | shown by | refused in |", "| --- | --- | --- |", ...rows].join("\n");
  const before = readFileSync(FILE, "utf8");
  const [begin, end] = MARKS;
  const from = before.indexOf(begin) + begin.length;
  const fresh = `${before.slice(0, from)}\n\n${table}\n\n${before.slice(before.indexOf(end))}`;
  const plain = (text: string): string => text.replaceAll(/[ -]+/g, " ");
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(FILE, fresh);
  else expect(plain(before)).toBe(plain(fresh));
});
