/** The chat connection that this module needs. sdk.ts implements it with easemob-websdk, tests with a fake. */
import type {
  CombinedCalls,
  ContactCalls,
  ContactNews,
  GroupCalls,
  GroupFileCalls,
  KeepingCalls,
  MessageCalls,
} from "./port-calls.ts";
import type {
  OutgoingMessage,
  PresenceEntry,
  ReactionNews,
  Receipt,
  ReceivedCommand,
  ReceivedMessage,
  Upload,
  UploadedFile,
} from "./port-messages.ts";

export type * from "./port-calls.ts";
export type * from "./port-messages.ts";

export interface ConnectionOptions {
  /** org#app */
  readonly appKey: string;
  /** Address of the websocket; unused with isHttpDNS. */
  readonly url: string;
  readonly apiUrl: string;
  readonly isHttpDNS: boolean;
  /** Whether the server takes large files in parts. */
  readonly resumableUploads: boolean;
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

/** Something happened to a group. */
export interface GroupNews {
  readonly groupId: string;
  /** The SDK's name of it. */
  readonly operation: string;
  /** Who did it; "" where the provider does not say. */
  readonly from: string;
  /** The group's name; "" where the provider does not say. */
  readonly name: string;
}
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
  /** A member of a group has read an own message. */
  readBy(receipt: Receipt & { readonly count: number }): void;
  /** All messages of the conversation up to `time` are read by `from`. */
  readAll(receipt: Omit<Receipt, "mid">): void;
  recalled(receipt: Receipt): void;
  /** @param message with its new text */
  edited(message: ReceivedMessage): void;
  reacted(news: ReactionNews): void;
  /** Another device of this person took a conversation out of the list. */
  forgotten(chatId: string): void;
  /** Another device of this person deleted messages of this conversation; the provider does not say which. */
  erased(chatId: string): void;
  /** Another device of this person keeps conversations differently now. */
  kept(): void;
  presence(entries: readonly PresenceEntry[]): void;
  group(news: GroupNews): void;
  contact(news: ContactNews): void;
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
  /** Rejects with ChatFailure. */
  upload(upload: Upload): Promise<UploadedFile>;
  /**
   * @param cursor server id of the message before or after which to read; null for the newest
   * @param direction older than the cursor by default
   */
  history(
    chatId: string,
    cursor: string | null,
    limit: number,
    direction?: "older" | "newer",
  ): Promise<HistoryPage>;
  /** @param expiry seconds */
  subscribePresence(userNames: readonly string[], expiry: number): Promise<PresenceEntry[]>;
  readonly groups: GroupCalls;
  readonly groupFiles: GroupFileCalls;
  readonly contacts: ContactCalls;
  readonly messages: MessageCalls;
  readonly combined: CombinedCalls;
  readonly keeping: KeepingCalls;
  /** Groups of this person: the SDK's receipts and recalls do not say whether they are about a person or a group. */
  knowGroups(groupIds: readonly string[]): void;
  /** Probes the server; without an answer the SDK reconnects. */
  probe(): void;
}

export type CreateConnection = (
  options: ConnectionOptions,
  events: ConnectionEvents,
  /** ms since the epoch by the server's clock. */
  serverNow: () => number,
) => Promise<ChatConnection>;
