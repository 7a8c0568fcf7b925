/** What the chat connection (port.ts) asks of the provider besides sending messages. */
import type { ChatCustom, ChatKeeping, ChatPlace } from "../../../../shared/protocol/chat-parts.ts";
import type { CombinedPart } from "../../../../shared/protocol/state.ts";
import type { ReceivedMessage, Upload } from "./port-messages.ts";

/** Changes of groups, made at the provider. Each rejects with ChatFailure. */
export interface GroupCalls {
  /** @param group supplierId: the company that the person works in. @returns the new group's id */
  create(group: {
    readonly name: string;
    readonly description: string;
    readonly members: readonly string[];
    readonly supplierId: string | null;
  }): Promise<string>;
  invite(groupId: string, userNames: readonly string[]): Promise<void>;
  leave(groupId: string): Promise<void>;
  remove(groupId: string, userNames: readonly string[]): Promise<void>;
  dissolve(groupId: string): Promise<void>;
  /** What is left out stays. */
  modify(
    groupId: string,
    texts: { readonly name?: string | undefined; readonly description?: string | undefined },
  ): Promise<void>;
  announce(groupId: string, text: string): Promise<void>;
  setAdmin(groupId: string, userName: string, admin: boolean): Promise<void>;
  transfer(groupId: string, userName: string): Promise<void>;
  /** @param ms for how long; null ends it, -1 has no end */
  mute(groupId: string, userName: string, ms: number | null): Promise<void>;
  muteAll(groupId: string, muted: boolean): Promise<void>;
  /** Whether a member may write while the group is muted. */
  allow(groupId: string, userName: string, allowed: boolean): Promise<void>;
  /** @param self the own user name */
  answerInvitation(groupId: string, self: string, accept: boolean): Promise<void>;
  join(groupId: string, message: string): Promise<void>;
  answerApplication(groupId: string, userName: string, accept: boolean): Promise<void>;
  /** @param self the own user name; an empty card takes it away */
  setCard(groupId: string, self: string, card: string): Promise<void>;
  block(groupId: string, userName: string, blocked: boolean): Promise<void>;
  /** User names of those who have read an own message, as far as they say so. */
  readers(groupId: string, mid: string): Promise<string[]>;
  /** User names on the block list. */
  blocked(groupId: string): Promise<string[]>;
}

/** Something happened between this person and another. */
export interface ContactNews {
  /** `added`: the two are friends now. `ended`: they are no friends any more, or a request was taken back. */
  readonly kind: "asked" | "agreed" | "added" | "refused" | "ended";
  /** Who did it; oneself on another device. */
  readonly from: string;
  readonly to: string;
}
/** Friends and the block list, at the provider. Each rejects with ChatFailure. */
export interface ContactCalls {
  ask(userName: string, message: string): Promise<void>;
  /** Answers the request of a person. */
  answer(userName: string, accept: boolean): Promise<void>;
  /** Ends a friendship, or takes the own request back. */
  end(userName: string): Promise<void>;
  /** Sets what this person calls a contact; "" takes it away. */
  remark(userName: string, remark: string): Promise<void>;
  /** By the contacts' user names; "" without one. */
  remarks(): Promise<ReadonlyMap<string, string>>;
  block(userName: string, blocked: boolean): Promise<void>;
  /** User names on the block list. */
  blocked(): Promise<string[]>;
}

/** A file that a member shares with a group. */
export interface GroupFile {
  readonly id: string;
  readonly name: string;
  /** User name of who shared it. */
  readonly owner: string;
  /** bytes */
  readonly size: number;
  /** ms since the epoch */
  readonly at: number;
}
/** Files of groups, at the provider. Each rejects with ChatFailure. */
export interface GroupFileCalls {
  /** All of them, the newest first. */
  list(groupId: string): Promise<GroupFile[]>;
  /** Sends a large file in parts. @returns the id for `share`; null: it must go in one piece */
  sendParts(
    upload: Pick<Upload, "file" | "onProgress" | "signal" | "resume">,
  ): Promise<string | null>;
  /** @param upload.uploaded id of the file that the server has in parts; null: the file is sent now */
  share(
    groupId: string,
    upload: Pick<Upload, "name" | "file" | "onProgress" | "signal"> & {
      readonly uploaded: string | null;
    },
  ): Promise<void>;
  read(
    groupId: string,
    fileId: string,
    options: {
      /** @param total bytes of the file; null where the answer does not say it */
      readonly onReceived: (received: number, total: number | null) => void;
      readonly signal: AbortSignal;
    },
  ): Promise<Blob>;
  remove(groupId: string, fileId: string): Promise<void>;
}

/** A message that the server has. */
export interface StoredAt {
  readonly to: string;
  readonly mid: string;
}
/** Changes of messages that the server has. Each rejects with ChatFailure. */
export interface MessageCalls {
  /** Gives an own text message a new text. @returns how often it was edited */
  edit(message: StoredAt & { readonly text: string }): Promise<number>;
  /** Takes an own message back. */
  recall(message: StoredAt): Promise<void>;
  /** Adds this person's reaction, or takes it back. */
  react(mid: string, reaction: string, on: boolean): Promise<void>;
  /** Deletes messages from this person's own history. */
  erase(chatId: string, mids: readonly string[]): Promise<void>;
}

/** A message to be put into a combined one. */
export interface CombinedSource extends Omit<CombinedPart, "type"> {
  readonly mid: string;
  readonly to: string;
  readonly type: ReceivedMessage["type"];
  readonly place?: ChatPlace | undefined;
  readonly custom?: ChatCustom | undefined;
}
/** Files of combined messages (docs/chat.md#combined-messages). */
export interface CombinedCalls {
  /** The file that holds these messages. @throws ChatFailure */
  encode(messages: readonly CombinedSource[]): Blob;
  /** Reads the file at an address. Rejects with ChatFailure. */
  read(address: string): Promise<CombinedPart[]>;
}

/** A conversation as the provider has it. */
export interface ListedConversation {
  readonly chatId: string;
  /** Messages of others that the person has not read on any device. */
  readonly unread: number;
  /** The last message; its file has no address. Null: unknown. */
  readonly last: ReceivedMessage | null;
}

/** How the person keeps conversations, at the provider. Each rejects with ChatFailure. */
export interface KeepingCalls {
  read(): Promise<ChatKeeping>;
  /** The newest conversations, the last first. */
  list(): Promise<ListedConversation[]>;
  /** Takes a conversation out of the list until its next message. */
  forget(chatId: string): Promise<void>;
  pin(chatId: string, on: boolean): Promise<void>;
  /** @param chatId null: all conversations */
  mute(chatId: string | null, on: boolean): Promise<void>;
}
