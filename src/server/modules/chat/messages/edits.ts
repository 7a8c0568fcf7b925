/**
 * Edits of texts (docs/chat.md#edits): who may edit what, and how a stored message changes. History and inboxes give the newest text;
 * who has the message already learns of the edit by a message of its own.
 */
import { eq, inArray } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { CHAT_EDITS_MAX, hasVisibleText } from "../../../../shared/domain/chat-limits.ts";
import { chatMessage } from "../../../base/database/schema/chat.ts";
import { type Edit, type EditMark, editMarkSchema } from "./edit-mark.ts";
import { jsonObject } from "../wire/json-object.ts";
import { conversationOf, type Written } from "../wire/records.ts";
import {
  BODY,
  CONTENT,
  type Content,
  MessageBodyCodec,
  MetaCodec,
  STATUS,
  type MessageBody,
  type Status,
} from "../wire/wire.ts";

type Tx = Pick<NodePgDatabase, "select" | "update">;

export interface Editable {
  readonly sender: string;
  readonly recipient: string;
  readonly kind: number;
  readonly recalled: boolean;
  readonly edits: number;
  readonly meta: Uint8Array;
}

const bodyOf = (meta: Uint8Array): MessageBody =>
  MessageBodyCodec.decode(MetaCodec.decode(meta).payload ?? new Uint8Array());

/** The edit mark of a stored message, or of a stored edit; null for one that was never edited. */
export function editMarkOf(meta: Uint8Array): EditMark | null {
  const mark = editMarkSchema.safeParse(jsonObject(bodyOf(meta).meta)["edit_msg"]);
  return mark.success ? mark.data : null;
}

/** The server id of the message that an edit is about; 0 for what cannot be one. */
export function editTarget(body: MessageBody): bigint {
  const id = BigInt(body.editMessageId ?? "0");
  return id < 1n << 63n ? id : 0n;
}

/** @param recipient as the store names it. @returns why the edit is refused; the SDK recognises the text */
export function editRefusal(
  sender: string,
  recipient: string,
  body: MessageBody,
  message: Editable | undefined,
): Status | null {
  const fail = (reason: string): Status => ({ errorCode: STATUS.fail, reason });
  const isHere =
    message !== undefined &&
    conversationOf(message.sender, message.recipient) === conversationOf(sender, recipient);
  if (!isHere || message.recalled) return fail("Sorry, message does not exist");
  if (message.sender !== sender) return fail("Sorry, You do not have permission");
  const isMessage = message.kind === BODY.chat || message.kind === BODY.groupChat;
  const isText = (contents: readonly Content[] | undefined): boolean =>
    contents?.length === 1 && contents[0]?.type === CONTENT.text;
  if (!isMessage || !isText(bodyOf(message.meta).contents) || !isText(body.contents)) {
    return fail("Sorry, edit is not available");
  }
  if (!hasVisibleText(body.contents?.[0]?.text ?? "")) return fail("Sorry, edit fail");
  return message.edits >= CHAT_EDITS_MAX ? fail("Sorry, edit limit reached") : null;
}

/** The state of edited messages while a batch is written. */
export interface Edits {
  /** The mark of an edit of this message that is written next. */
  next(target: bigint, operator: string, at: number): EditMark | undefined;
  /** Whether the message was recalled meanwhile. The edit is then not sent. */
  isRecalled(target: bigint): boolean;
  /** Stores the new texts of the messages. */
  apply(written: readonly Written[]): Promise<void>;
}

/** Locks the messages that a batch edits, so that edits of two devices are counted one after the other. */
export async function lockEdited(tx: Tx, targets: readonly bigint[]): Promise<Edits> {
  const rows =
    targets.length === 0
      ? []
      : await tx
          .select({
            id: chatMessage.id,
            sender: chatMessage.sender,
            recipient: chatMessage.recipient,
            sentAt: chatMessage.sentAt,
            recalled: chatMessage.recalled,
            edits: chatMessage.edits,
            meta: chatMessage.meta,
          })
          .from(chatMessage)
          .where(inArray(chatMessage.id, [...new Set(targets)]))
          .orderBy(chatMessage.id)
          .for("update");
  const found = new Map(rows.map((row) => [row.id, row]));
  const counts = new Map(rows.map((row) => [row.id, row.edits]));
  return {
    next(target, operator, at) {
      const row = found.get(target);
      if (row === undefined) return undefined;
      const count = (counts.get(target) ?? 0) + 1;
      counts.set(target, count);
      return {
        count,
        operator,
        edit_time: at,
        sender: row.sender,
        send_time: row.sentAt,
        chat_type: row.recipient.startsWith("#") ? "chat:group" : "chat:user",
      };
    },
    isRecalled: (target) => found.get(target)?.recalled ?? true,
    async apply(written) {
      for (const { outgoing, duplicate, meta } of written) {
        const edit = outgoing.edit ?? null;
        const mark = edit === null || duplicate ? null : editMarkOf(meta);
        if (edit === null || mark === null) continue;
        const row = found.get(edit.target);
        if (row === undefined) continue;
        row.meta = edited(row.meta, edit, mark);
        await tx
          .update(chatMessage)
          .set({ edits: mark.count, meta: row.meta })
          .where(eq(chatMessage.id, edit.target));
      }
    },
  };
}

/** A stored message with its new text and mark. */
function edited(stored: Uint8Array, edit: Edit, mark: EditMark): Uint8Array {
  const meta = MetaCodec.decode(stored);
  const body = MessageBodyCodec.decode(meta.payload ?? new Uint8Array());
  const marks = JSON.stringify({ ...jsonObject(body.meta), edit_msg: mark });
  const payload = { ...body, contents: [...edit.contents], meta: marks };
  return MetaCodec.encode({ ...meta, payload: MessageBodyCodec.encode(payload) });
}
