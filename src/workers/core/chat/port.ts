/** The chat connection that this module needs. sdk.ts implements it with easemob-websdk, tests with a fake. */

export interface ConnectionOptions {
  /** org#app */
  readonly appKey: string;
  /** Address of the websocket; unused with isHttpDNS. */
  readonly url: string;
  readonly apiUrl: string;
  readonly isHttpDNS: boolean;
  readonly deviceId: string;
  readonly delivery: boolean;
  /** Number of the SDK's own reconnect attempts before it gives up. */
  readonly autoReconnectNumMax: number;
}

/** A failure of the connection: the SDK's type number and text, which can be cloned to a port. */
export class ChatFailure extends Error {
  readonly type: number;
  constructor(type: number, message: string) {
    super(message);
    this.name = "ChatFailure";
    this.type = type;
  }
}

export interface ReceivedMessage {
  /** Server id. */
  readonly mid: string;
  readonly from: string;
  readonly to: string;
  readonly type: "text" | "img" | "file" | "audio" | "video";
  readonly msg: string;
  /** The server's time, ms since the epoch. */
  readonly time: number;
  /** The sender's own id of the message, when the sender is a client of this product. */
  readonly localId: string | null;
  /** The server reports that the other side has read it. */
  readonly read: boolean;
}
export interface ReceivedCommand {
  readonly mid: string;
  readonly from: string;
  readonly to: string;
  readonly action: string;
  readonly ext: Readonly<Record<string, unknown>>;
  /** The server's time, ms since the epoch; 0 when unknown. */
  readonly time: number;
}
/** A receipt or recall: `from` reports something about a message. */
export interface Receipt {
  /** Server id of the message. */
  readonly mid: string;
  readonly from: string;
  readonly to: string;
  /** The server's time, ms since the epoch; 0 when unknown. */
  readonly time: number;
}
export interface PresenceEntry {
  readonly userName: string;
  /** null when the event is not reliable. */
  readonly online: boolean | null;
}

export type OutgoingMessage =
  | {
      readonly kind: "text";
      readonly id: string;
      readonly to: string;
      readonly text: string;
      /** Extension fields for the receiver; the connection adds `localId`. */
      readonly ext?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "command";
      readonly id: string;
      readonly to: string;
      readonly action: string;
      readonly ext: Readonly<Record<string, unknown>>;
    }
  /** Marks all messages from `to` as read. */
  | { readonly kind: "readAll"; readonly id: string; readonly to: string };

export interface ConnectionEvents {
  /** Logged in, also after the SDK's own reconnect. */
  connected(): void;
  /** The socket is lost, and the SDK reconnects by itself. */
  reconnecting(): void;
  /** The SDK gave up or logged out. */
  disconnected(reason: ChatFailure | null): void;
  error(failure: ChatFailure): void;
  tokenExpired(): void;
  message(message: ReceivedMessage): void;
  command(command: ReceivedCommand): void;
  delivered(receipt: Receipt): void;
  read(receipt: Receipt): void;
  /** All messages of the conversation up to `time` are read by `from`. */
  readAll(receipt: Omit<Receipt, "mid">): void;
  recalled(receipt: Receipt): void;
  presence(entries: readonly PresenceEntry[]): void;
  /** Something arrived that could not be parsed. */
  bad(what: string): void;
}

export type Login =
  | { readonly user: string; readonly pwd: string }
  | { readonly user: string; readonly accessToken: string };

export interface HistoryPage {
  readonly messages: readonly ReceivedMessage[];
  readonly isLast: boolean;
  /** For the page before this one; null when the server sent none. */
  readonly cursor: string | null;
}

export interface ChatConnection {
  /** Rejects with ChatFailure. */
  open(login: Login): Promise<void>;
  /** Closes permanently and cancels a running login. No event follows. */
  close(): void;
  /** The socket is open now. */
  isOpen(): boolean;
  /** Resolves on the server's acknowledgement. Rejects with ChatFailure. */
  send(message: OutgoingMessage): Promise<{ mid: string; time: number | null }>;
  /** @param cursor server id of the message before which to read, null for the newest */
  history(chatId: string, cursor: string | null, limit: number): Promise<HistoryPage>;
  /** @param expiry seconds */
  subscribePresence(userNames: readonly string[], expiry: number): Promise<PresenceEntry[]>;
  /** Probes the server; without an answer the SDK reconnects. */
  probe(): void;
}

export type CreateConnection = (
  options: ConnectionOptions,
  events: ConnectionEvents,
) => Promise<ChatConnection>;
