/**
 * Each method of the chat provider's SDK that the gateway serves has a test that calls it on the unmodified SDK, and one in which it
 * is refused, if it can be. The table in docs/chat.md is drawn from the tests; UPDATE_DOCS=1 redraws it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = "src/server/modules/chat";
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
  "rejectGroupInvite",
  "rejectGroupJoinRequest",
  "removeGroupAdmin",
  "unmuteGroupMember",
  "enableSendGroupMsg",
  "blockGroupMembers",
  "unblockGroupMember",
  "unblockGroupMembers",
  "removeGroupAllowlistMember",
  "getGroupAllowlist",
  "isInGroupAllowlist",
  "fetchGroupAnnouncement",
  "getGroupMembersAttributes",
  "listGroupMembers",
  "getGroupMembers",
  "getGroupAdmin",
  "getGroupMuteList",
  "deleteReaction",
] as const;
/** Served. The call concerns the own entry only. */
const OWN = [
  "getServerConversationsByFilter",
  "getServerPinnedConversations",
  "pinConversation",
  "removeConversationMark",
  "deleteAllMessagesAndConversations",
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
  "blockGroupMessages",
] as const;

interface Case {
  readonly title: string;
  readonly body: string;
}
/** The tests of a file. What stands between two of them, such as a helper, belongs to neither. */
function casesOf(text: string): Case[] {
  return text
    .split(/^(?= *(?:it(?:\.each)?|describe(?:\.each)?)\()/m)
    .filter((part) => /^ *it/.test(part))
    .map((part) => {
      const indent = /^ */.exec(part)?.[0] ?? "";
      const end = new RegExp(`^${indent}(?:\\}(?:, [\\d_]+)?)?\\);$`, "m").exec(part)?.index;
      return part.slice(0, end);
    })
    .map((body) => ({ title: /it(?:\.each[^]*?\)\()?\(?\s*"([^"]+)"/.exec(body)?.[1] ?? "", body }))
    .filter(({ title }) => title !== "");
}
/** The tests of the files that load the unmodified SDK. */
function cases(): Case[] {
  return readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .toSorted()
    .flatMap((name) => {
      const text = readFileSync(join(ROOT, FOLDER, name), "utf8");
      return /sdk-people\.harness|cast\.harness|sdk\.harness/.test(text) ? casesOf(text) : [];
    });
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
/** The call is made and answered. */
const performs = (method: string, { body }: Case): boolean =>
  new RegExp(`\\bcall\\([^;"]{0,40}"${method}"|conn\\["${method}"\\]`).test(body);
/** A statement that says which refusal it expects, or that it expects one. */
const expectsRefusal = (statement: string): boolean =>
  /expect/.test(statement) &&
  (!statement.includes('"not refused"') ||
    statement.includes('.not.toBe("not refused")') ||
    /\b\d{2,4}\b/.test(statement));
const refuses = (method: string, { body }: Case): boolean =>
  body
    .split(";")
    .some(
      (statement) =>
        (expectsRefusal(statement) &&
          (new RegExp(`refus\\w*\\([^;]{0,40}"${method}"`).test(statement) ||
            (REFUSALS[method]?.test(statement) ?? false))) ||
        new RegExp(`"${method}"[^;]*(rejects|\\(error)`).test(statement),
    );

const found = cases();
const titleOf = (one: Case | undefined): string =>
  one?.title.replace(/ \([^)]*%s\)$/, "").replaceAll("|", "\\|") ?? "";

it.each([...REFUSABLE, ...OWN])("%s has a test with the unmodified SDK", (method) => {
  expect(found.some((one) => calls(method, one))).toBe(true);
});

it.each(REFUSABLE)("%s has a test in which it is refused", (method) => {
  expect(found.some((one) => refuses(method, one))).toBe(true);
});

it("The table of methods in docs/chat.md is up to date", () => {
  const rows = [...REFUSABLE, ...OWN].map((method) => {
    const done =
      found.find((one) => performs(method, one) && !refuses(method, one)) ??
      found.find((one) => performs(method, one)) ??
      found.find((one) => calls(method, one) && !refuses(method, one));
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
