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
  /** MessageBody type. */
  readonly kind: number;
  readonly roams: boolean;
  /** Never queued: only devices that are connected now receive it. */
  readonly onlineOnly: boolean;
  /** Whether the sender's other devices get a copy. */
  readonly carbon: boolean;
  /** What this receipt marks as read: one message by its server id, or all that the recipient has sent so far. */
  readonly reads: bigint | "all" | null;
  /** Server id of the message that this one recalls. */
  readonly recalls: bigint | null;
  /** Builds the Meta that is delivered. */
  build(id: bigint, sentAt: number): Uint8Array;
}

export interface Written {
  readonly outgoing: Outgoing;
  readonly id: bigint;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  /** The message had been stored before, and is not delivered a second time. */
  readonly duplicate: boolean;
  readonly meta: Uint8Array;
}

export interface InboxEntry {
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
