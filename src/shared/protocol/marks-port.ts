/** Messages of the port over which a tab watches the marks over the streams of a conference (docs/conferences.md#annotations). */
import { annotatedFields, boardCopySchema } from "./confr-annotations.ts";
import { z } from "../zod.ts";

export const marksEventSchema = z.discriminatedUnion("t", [
  /** Replaces everything. */
  z.object({ t: z.literal("boards"), boards: z.array(boardCopySchema) }),
  z.object({ t: z.literal("changes"), ...annotatedFields }),
  /** The stream has ended. */
  z.object({ t: z.literal("gone"), streamId: z.string() }),
  /** The core does not serve this port any more. */
  z.object({ t: z.literal("ended") }),
]);
export type MarksEvent = z.infer<typeof marksEventSchema>;

/** The tab does not watch any more; it closes the port. */
export const marksRequestSchema = z.object({ t: z.literal("end") });
export type MarksRequest = z.infer<typeof marksRequestSchema>;
