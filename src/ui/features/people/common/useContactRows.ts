/** The conversations, groups and people of a list. */
import { groupChatId, groupIdOf } from "../../../../shared/domain/group-chat.ts";
import type { Contact } from "../../../../shared/protocol/rest/entities.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useFrozenSlice } from "../../../state/services.ts";
import {
  lastMessage,
  newestFirst,
  pinnedFirst,
  recentConversations,
  type ConversationView,
} from "./conversations.ts";
import { useConversations } from "./conversations-now.ts";
import { useGroupName } from "./group-texts.ts";
import type { Contacts } from "../../contacts/useContacts.ts";

export type Person = Contact;

export interface ContactRow {
  /** Key of the conversation. */
  readonly chatId: string;
  readonly conversation: ConversationView | undefined;
  /** Null for a group. */
  readonly person: Person | null;
  readonly name: string;
  /** Members of a group; null for a person, and for a group that one has left. */
  readonly members: number | null;
}

/** First the conversations and groups, by the last message or the time of joining, newest first; then the people without messages. */
export function useContactRows(contacts: Contacts, keyword: string): readonly ContactRow[] {
  const conversations = useConversations();
  const { friends, groups, keeping } = useFrozenSlice("chat");
  const remark = useRemarks();
  const named = useGroupName();
  const word = keyword.trim().toLowerCase();
  const byName = new Map(contacts.list.map((c) => [c.userName, c]));
  const groupRow = (
    id: string,
    name: string,
    conversation: ContactRow["conversation"],
  ): ContactRow => ({
    chatId: groupChatId(id),
    conversation,
    person: null,
    name,
    members: groups[id]?.members ?? null,
  });
  const personRow = (person: Person, conversation: ContactRow["conversation"]): ContactRow => ({
    chatId: person.userName,
    conversation,
    person,
    name: remark(person.userName, person.name),
    members: null,
  });
  const recent = recentConversations<ConversationView>(conversations)
    .filter(
      (c) =>
        byName.has(c.chatId) || `${c.name}\n${remark(c.chatId, "")}`.toLowerCase().includes(word),
    )
    .map((c) => {
      const groupId = groupIdOf(c.chatId);
      if (groupId !== null) return groupRow(groupId, groups[groupId]?.name ?? named(c.name), c);
      return personRow(byName.get(c.chatId) ?? strangerOf(c.chatId, c.name), c);
    });
  const shown = new Set(recent.map((r) => r.chatId));
  const silent = Object.values(groups)
    .filter(({ id, name }) => !shown.has(groupChatId(id)) && name.toLowerCase().includes(word))
    .map(({ id, name }) => groupRow(id, name, conversations[groupChatId(id)]));
  // A group that this person has just entered is looked for at the top, also before its first message.
  const current = newestFirst([...recent, ...silent], ({ chatId, conversation }) =>
    Math.max(
      (conversation && lastMessage(conversation)?.time) ?? 0,
      groups[groupIdOf(chatId) ?? ""]?.joinedAt ?? 0,
    ),
  );
  // The server finds people by their names alone.
  const remarkable = friends.list
    .filter(({ userName, remark: own }) => {
      return word !== "" && own.toLowerCase().includes(word) && !byName.has(userName);
    })
    .map(({ userName, name, avatar }) => ({ ...strangerOf(userName, name), avatar }));
  const others = [...remarkable, ...contacts.list]
    .filter((c) => !shown.has(c.userName))
    .map((person) => personRow(person, conversations[person.userName]));
  return pinnedFirst([...current, ...others], keeping.pinned);
}

const strangerOf = (userName: string, name: string): Person => ({
  userName,
  name,
  avatar: "",
  department: null,
  position: null,
  online: false,
});
