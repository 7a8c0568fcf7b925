/** What an edit is, for the records and for the edits. */
import { z } from "zod";
import type { Content } from "../wire/wire.ts";

/** What an edit changes. */
export interface Edit {
  readonly target: bigint;
  readonly contents: readonly Content[];
}
/** How often a message was edited, in the form that the SDK reads. */
export const editMarkSchema = z.object({
  count: z.number().int(),
  operator: z.string(),
  /** ms since the epoch */
  edit_time: z.number(),
  sender: z.string(),
  send_time: z.number(),
  chat_type: z.enum(["chat:user", "chat:group"]),
});
export type EditMark = z.infer<typeof editMarkSchema>;
