/** Combined messages (docs/chat.md#combined-messages): which messages they hold, and how those are stored until they are uploaded. */
import { CHAT_COMBINED_LEVEL_MAX } from "../../../../shared/domain/chat-limits.ts";
import { AppError } from "../../../../shared/errors.ts";
import { chatMessageSchema } from "../../../../shared/protocol/slices/message.ts";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { z } from "../../../../shared/zod.ts";
import { FAILURE } from "../provider/failures.ts";
import { ChatFailure, type CombinedSource } from "../provider/port.ts";

const sourcesSchema = z.array(
  chatMessageSchema
    .pick({
      from: true,
      time: true,
      type: true,
      file: true,
      combined: true,
      place: true,
      custom: true,
    })
    .extend({ mid: z.string(), to: z.string(), name: z.string().nullable(), text: z.string() }),
);

/** The level of a message that holds these. @throws AppError when it would be too high */
export function levelOver(messages: readonly Pick<ChatMessage, "combined">[]): number {
  const level = 1 + Math.max(0, ...messages.map(({ combined }) => combined?.level ?? 0));
  if (level > CHAT_COMBINED_LEVEL_MAX) throw new AppError("chat.combined-limit");
  return level;
}

/**
 * The contents of an outbox entry that is to hold these messages. The connection makes the file of them, and there may be none now.
 *
 * @param nameOf what a writer is called; null while unknown
 */
export function toContents(
  messages: readonly (ChatMessage & { readonly mid: string })[],
  me: string,
  nameOf: (userName: string) => string | null,
): Blob {
  const sources = messages.map((message): CombinedSource => {
    const { mid, chatId, from, time, type, msg: text, file, combined, place, custom } = message;
    const to = message.bySelf || chatId.startsWith("#") ? chatId : me;
    return {
      mid,
      to,
      from,
      name: nameOf(from),
      time,
      type,
      text,
      ...(file === undefined ? {} : { file }),
      ...(combined === undefined ? {} : { combined }),
      ...(place === undefined ? {} : { place }),
      ...(custom === undefined ? {} : { custom }),
    };
  });
  return new Blob([JSON.stringify(sources)], { type: "application/json" });
}

/** The messages in such contents. @throws ChatFailure */
export async function sourcesIn(contents: Blob): Promise<CombinedSource[]> {
  const parsed = sourcesSchema.safeParse(JSON.parse(await contents.text()));
  if (!parsed.success) throw new ChatFailure(FAILURE.fileGone, "the messages are gone");
  return parsed.data;
}
