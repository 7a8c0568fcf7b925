/** The messages of the chat connection (port.ts), received and sent, with their files. */
import type { FileKind } from "../../../../shared/domain/chat-files.ts";
import type {
  ChatCombined,
  ChatCustom,
  ChatPlace,
  ChatQuote,
  ChatReaction,
} from "../../../../shared/protocol/chat-parts.ts";
import type { ChatFile } from "../../../../shared/protocol/state.ts";
import type { ResumePoint } from "../../parts/index.ts";

/** A file as a message names it. */
export interface MessageFile {
  readonly name: string;
  /** bytes */
  readonly size: number;
  /** px; null when unknown */
  readonly width: number | null;
  readonly height: number | null;
  /** seconds; null when unknown */
  readonly length: number | null;
}
/** An uploaded file: the secret opens it at the address. */
export interface UploadedFile {
  readonly url: string;
  readonly secret: string;
}
export interface Upload {
  readonly to: string;
  readonly name: string;
  readonly file: Blob;
  /** A smaller picture, which the server gives to those who ask for one. */
  readonly thumb: Blob | null;
  /** @param share 0 to 1 */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
  /** Where an upload that broke off goes on; it outlives this core. */
  readonly resume: ResumePoint;
}

export interface ReceivedMessage {
  /** Server id. */
  readonly mid: string;
  readonly from: string;
  /** A user name, or the key of a group (domain/group-chat.ts), as everywhere here. */
  readonly to: string;
  readonly type: "text" | "combined" | "location" | "card" | "custom" | FileKind;
  readonly msg: string;
  /** The server's time, ms since the epoch. */
  readonly time: number;
  /** The sender's own id of the message, when the sender is a client of this product. */
  readonly localId: string | null;
  /** The server reports that the other side has read it. */
  readonly read: boolean;
  /** Null for all but pictures, files, sounds and films. */
  readonly file: ChatFile | null;
  /** Of a combined message alone. */
  readonly combined?: ChatCombined;
  /** Of a place alone. */
  readonly place?: ChatPlace;
  /** Of a card and a custom message alone. */
  readonly custom?: ChatCustom;
  /** The message that it answers. */
  readonly quote: ChatQuote | null;
  /** Chat user names of those to whom it is written by name; "ALL": everybody in the group. */
  readonly mentions: readonly string[] | "ALL";
  /** The members of the group are asked to say that they have read it. */
  readonly asksReaders: boolean;
  /** How often it was edited. */
  readonly edits: number;
  readonly reactions: readonly ChatReaction[];
}
/** Somebody reacted to a message, or took a reaction back. */
export interface ReactionNews extends Pick<Receipt, "mid" | "from" | "to"> {
  /** All reactions of the message. A count of 0 means that the last person has withdrawn this reaction. */
  readonly reactions: readonly (Omit<ChatReaction, "bySelf"> & {
    /** What was changed. */
    readonly changes: readonly { readonly by: string; readonly on: boolean }[];
  })[];
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
      readonly quote?: ChatQuote;
      /** Asks the members of the group to say that they have read it. */
      readonly asksReaders?: boolean;
    }
  /** An uploaded file. */
  | {
      readonly kind: FileKind;
      readonly id: string;
      readonly to: string;
      readonly file: MessageFile & UploadedFile;
      readonly asksReaders?: boolean;
    }
  /** Messages that were uploaded as one file. */
  | {
      readonly kind: "combined";
      readonly id: string;
      readonly to: string;
      readonly title: string;
      readonly summary: string;
      readonly level: number;
      /** What clients show that know no combined messages. */
      readonly text: string;
      readonly uploaded: UploadedFile;
      readonly asksReaders?: boolean;
    }
  | {
      readonly kind: "location";
      readonly id: string;
      readonly to: string;
      readonly place: ChatPlace;
      readonly asksReaders?: boolean;
    }
  /** A card of a person, or another custom message. */
  | {
      readonly kind: "custom";
      readonly id: string;
      readonly to: string;
      readonly custom: ChatCustom;
      readonly asksReaders?: boolean;
    }
  | {
      readonly kind: "command";
      readonly id: string;
      readonly to: string;
      readonly action: string;
      readonly ext: Readonly<Record<string, unknown>>;
    }
  /** Tells the sender of a message in a group that this person has read it. */
  | { readonly kind: "groupRead"; readonly id: string; readonly to: string; readonly mid: string }
  /** Marks all messages from `to` as read. */
  | { readonly kind: "readAll"; readonly id: string; readonly to: string };
