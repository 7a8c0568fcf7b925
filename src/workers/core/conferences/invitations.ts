/** Invitations to a conference: texts of the chat, to people and to a group (docs/conferences.md#invitations). */
import { groupChatId } from "../../../shared/domain/group-chat.ts";
import { showMeetingNumber } from "../../../shared/domain/meeting-number.ts";
import type { CommandInput } from "../../../shared/protocol/core-rpc.ts";
import type { KeptConference } from "./kept.ts";

/** Sends an invitation as a chat text to a conversation; `ext` becomes the extension fields of that message. */
export type Invite = (
  chatId: string,
  text: string,
  ext: {
    readonly conferenceId: string;
    readonly password: string;
    readonly msg_extension: { readonly inviter: string; readonly group_id: string };
  },
) => Promise<void>;

/**
 * Sends one text to the group, and one to each of the people.
 *
 * @param home where the console is
 * @throws AppError for the first text that cannot be put into the outbox
 */
export async function sendInvitations(
  send: Invite,
  home: string,
  { confrId, password, nickName, name, me: inviter }: KeptConference,
  { userNames = [], groupId }: CommandInput<"conference", "invite">,
): Promise<void> {
  const link = `${home}/im/conference?id=${confrId}`;
  const secret = password === "" ? "" : `，密码：${password}`;
  const text = `${nickName}邀请您参加会议“${name}”，会议号：${showMeetingNumber(confrId)}${secret}\n${link}`;
  const invite = (chatId: string, group_id: string): Promise<void> => {
    const ext = { conferenceId: confrId, password, msg_extension: { inviter, group_id } };
    return send(chatId, text, ext);
  };
  if (groupId !== undefined) await invite(groupChatId(groupId), groupId);
  for (const userName of userNames) await invite(userName, "");
}
