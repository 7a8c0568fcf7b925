/**
 * Annotations on the socket of a conference (docs/conferences.md#annotations), op 312, ours. A client changes the marks of a stream; the
 * server orders the changes of all and sends them to the members that declare the op in `res.ops`.
 */
import { z } from "../zod.ts";
import {
  type BoardChange,
  type BoardCopy,
  MARK_LIMITS,
  MARK_TOOLS,
  type MarkChange,
  type MarkTool,
} from "../domain/annotations.ts";
import { PICTURE_SCALE } from "../domain/remote-control.ts";

const markId = z.string().regex(/^[\w-]{1,32}$/);
const streamId = z.string().min(1).max(64);
/** Chat user name. */
const by = z.string().min(1).max(64);
const seq = z.number().int().nonnegative();
const pointsUpTo = (count: number) =>
  z
    .array(z.number().int().min(0).max(PICTURE_SCALE))
    .min(2)
    .max(2 * count)
    .refine((numbers) => numbers.length % 2 === 0, "not pairs");
const POINTS_OF: Readonly<Record<MarkTool, number | null>> = {
  pen: null,
  line: 2,
  arrow: 2,
  rectangle: 2,
  ellipse: 2,
  text: 1,
};

const look = {
  id: markId,
  tool: z.enum(MARK_TOOLS),
  colour: z.string().regex(/^#[0-9a-f]{6}$/),
  /** Width of the line, in parts of the picture's height. */
  size: z.number().int().min(1).max(1000),
};
/** Of the tool text alone: one line. It is painted, never markup. */
const text = z
  .string()
  .min(1)
  .max(MARK_LIMITS.text)
  // oxlint-disable-next-line no-control-regex -- control characters have no shape
  .regex(/^[^\u0000-\u001f\u007f]*$/)
  .optional();

const add = z.object({
  t: z.literal("add"),
  ...look,
  points: pointsUpTo(MARK_LIMITS.changePoints),
  text,
});
const extend = z.object({
  t: z.literal("extend"),
  id: markId,
  /** How many points the mark has before these. */
  from: z.number().int().min(1).max(MARK_LIMITS.points),
  points: pointsUpTo(MARK_LIMITS.changePoints),
});
const erase = z.object({
  t: z.literal("erase"),
  ids: z.array(markId).min(1).max(MARK_LIMITS.marks),
});
const clear = z.object({ t: z.literal("clear") });
const lock = z.object({ t: z.literal("lock"), on: z.boolean() });

const fits = ({ tool, points, text: words }: z.infer<typeof add>): boolean =>
  (POINTS_OF[tool] === null || points.length === 2 * POINTS_OF[tool]) &&
  (tool === "text") === (words !== undefined);

/** A change as a client sends it. */
export const markChangeSchema = z.union([
  add.refine(fits, "points or text do not suit the tool"),
  extend,
  erase,
  clear,
  lock,
]) satisfies z.ZodType<MarkChange>;
export const markChangesSchema = z.array(markChangeSchema).min(1).max(MARK_LIMITS.changes);

/** A change as the server sends it: with the person who made it. */
export const boardChangeSchema = z.discriminatedUnion("t", [
  add.extend({ by }),
  extend.extend({ by }),
  erase.extend({ by }),
  clear.extend({ by }),
  lock.extend({ by }),
]) satisfies z.ZodType<BoardChange>;

/** The marks of a stream as a whole. */
export const boardCopySchema = z.object({
  streamId,
  /** The number of the last change in it. */
  seq,
  locked: z.boolean(),
  marks: z.array(z.object({ ...look, by, points: pointsUpTo(MARK_LIMITS.points), text })),
}) satisfies z.ZodType<BoardCopy>;

/** What the client's op 312 carries beside its head. */
export const annotateFields = { streamId, changes: markChangesSchema };
/** What the server's op 312 carries: `seq` is the number of the last of the changes. */
export const annotatedFields = { streamId, seq, changes: z.array(boardChangeSchema).min(1) };
/** In the answer to op 312, and in the answers to enter and copy of clients that declare it. */
export const annotationAnswer = {
  seq: seq.optional(),
  /** Of a refusal: ms after which the client may send the same again. */
  wait: z.number().int().positive().optional(),
  annotations: z.array(boardCopySchema).optional(),
};
