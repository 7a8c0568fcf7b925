/** Records that the parts of the gateway exchange. */
import type { CallCommand } from "../call-commands.ts";
import type { Edit, EditMark } from "../messages/edit-mark.ts";

/** A checked message that is about to be stored. */
export interface Outgoing {
  readonly sender: string;
  readonly resource: string;
  readonly recipient: string;
  /** Whose inboxes it enters. Left out: the recipient's. */
  readonly audience?: readonly string[];
  /**
   * It is stored once for all members of the group that is its recipient, in the inbox of the group. Then `audience` is empty, and the
   * sender's other devices read it there.
   */
  readonly inGroup?: boolean;
  /** The members of a group whom this message names, so that others have not seen it. */
  readonly directed?: readonly string[];
  /** The sender's message id (uint64 as decimal). */
  readonly clientId: string;
  /** Digest of the content. Together with the sender's id it distinguishes a resend from a chance collision. */
  readonly digest: string;
  /** MessageBody type, one of BODY. */
  readonly kind: number;
  /** Whether the history returns it. */
  readonly roams: boolean;
  /** Never queued: only devices that are connected now receive it. */
  readonly onlineOnly: boolean;
  /** Whether the sender's other devices get a copy. */
  readonly carbon: boolean;
  /** What this receipt marks as read: one message by its server id, or all that the recipient has sent so far. */
  readonly reads: bigint | "all" | null;
  /** Server id of the message that this one recalls. */
  readonly recalls: bigint | null;
  /** What it changes of another message. */
  readonly edit?: Edit | null;
  /** The message of a call that it is. */
  readonly call?: CallCommand | null;
  /** Encodes the Meta that is delivered. `sentAt` is in ms since the epoch; an edit gets its mark. */
  build(id: bigint, sentAt: number, mark?: EditMark): Uint8Array;
}

/** An outgoing message after its transaction. */
export interface Written {
  readonly outgoing: Outgoing;
  /** Server id. */
  readonly id: bigint;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** The message was stored by an earlier write, so it is not delivered again. */
  readonly duplicate: boolean;
  readonly meta: Uint8Array;
  /** The inbox entries that it got. */
  readonly places: readonly InboxPlace[];
  /** The version of the group's members (im_groups.roster) when it entered the group's inbox. Left out for any other. */
  readonly roster?: number;
}

export interface InboxPlace {
  /** Whose inbox it is: a user name, or the key of a group. */
  readonly owner: string;
  /** Position in the inbox. */
  readonly key: bigint;
  /** Server id of the message. */
  readonly id: bigint;
  readonly sender: string;
  /** The sender's device that does not get it: it sent the message. */
  readonly exceptResource: string | null;
}

export type InboxEntry = Pick<InboxPlace, "owner" | "key" | "id"> & { readonly meta: Uint8Array };

/** A position in each inbox, by its owner: how far a device has read. An inbox that is left out has not been read. */
export type InboxPlaces = ReadonlyMap<string, bigint>;

export interface StoredMessage {
  readonly id: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly kind: number;
  readonly sentAt: number;
  readonly recalled: boolean;
  /** The members of a group whom it names; null for all. */
  readonly directed: readonly string[] | null;
}

/** How a group stands where a user name may stand. User names never contain a "#". */
export const groupKey = (groupId: string): string => `#${groupId}`;

/** The id of a group by its key. */
export const groupIdOf = (key: string): string => key.slice(1);

/** The inboxes that a message enters, beside the sender's own. */
export const audienceOf = (outgoing: Outgoing): readonly string[] =>
  outgoing.audience ?? [outgoing.recipient];

/** The key of a conversation: of a group its own key. The names are sorted, so that both sides find the same history. User names never contain a "|". */
export function conversationOf(a: string, b: string): string {
  if (b.startsWith("#")) return b;
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}
