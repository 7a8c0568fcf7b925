/** What a command of the core is made of (core-rpc.ts). */
import { z } from "../../zod.ts";
import { hasVisibleText } from "../../domain/chat-limits.ts";

export interface Command<I extends z.ZodType, O extends z.ZodType> {
  readonly input: I;
  readonly output: O;
  /** The command acts in a company. The core refuses it when the session has since switched away from the company that the tab showed. */
  readonly inCompany?: true;
}
export const command = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
): Command<I, O> => ({
  input,
  output,
});

/** Marks a command that acts in a company. */
export const inCompany = <C extends Command<z.ZodType, z.ZodType>>(
  base: C,
): C & { inCompany: true } => ({
  ...base,
  inCompany: true,
});

/** The command needs no input. */
export const none = z.object({});
/** The command answers nothing. */
export const done = z.null();
/** Text of a message: not empty, and not made of invisible characters only. */
export const messageText = (max: number) => z.string().max(max).refine(hasVisibleText);
export const page = z.object({
  cursor: z.number().int().min(1).default(1),
  limit: z.number().int().min(1).max(1000).default(20),
  keyword: z.string().max(100).optional(),
});
