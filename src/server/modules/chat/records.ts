/** Records that the parts of the gateway exchange. */

/** A checked message that is about to be stored. */
export interface Outgoing {
  readonly sender: string;
  readonly resource: string;
  readonly recipient: string;
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
  /** Encodes the Meta that is delivered. `sentAt` is in ms since the epoch. */
  build(id: bigint, sentAt: number): Uint8Array;
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
}

export interface InboxEntry {
  /** Position in the user's inbox. */
  readonly key: bigint;
  readonly meta: Uint8Array;
}

export interface StoredMessage {
  readonly id: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly kind: number;
  readonly sentAt: number;
  readonly recalled: boolean;
}

/** The key of a conversation. The names are sorted, so that both sides find the same history. User names never contain a "|". */
export function conversationOf(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}
