/** What passes between the rooms of the gateway. */

/** A checked message on its way into the store. */
export interface Outgoing {
  readonly sender: string;
  readonly resource: string;
  readonly recipient: string;
  /** The sender's id (uint64, decimal). */
  readonly clientId: string;
  /** Digest of the content: with the sender's id it tells a resend from a chance collision. */
  readonly digest: string;
  /** MessageBody type. */
  readonly kind: number;
  readonly roams: boolean;
  /** Never queued: reaches only devices that are connected now. */
  readonly onlineOnly: boolean;
  /** Whether the sender's other devices get a copy. */
  readonly carbon: boolean;
  /** What this receipt says was read: one message by its server id, or all that the recipient has sent so far. */
  readonly reads: bigint | "all" | null;
  /** Server id of a message this one recalls. */
  readonly recalls: bigint | null;
  /** The Meta as it goes out. */
  build(id: bigint, sentAt: number): Uint8Array;
}

export interface Written {
  readonly outgoing: Outgoing;
  readonly id: bigint;
  /** ms since the epoch */
  readonly sentAt: number;
  /** The message had been stored before: nothing was delivered a second time. */
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

/** Names sorted, so that both sides find the same history. User names never hold a |. */
export function conversationOf(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}
