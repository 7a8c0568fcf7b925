/**
 * Do-not-disturb for calls (docs/calls.md#do-not-disturb): a preference of the person, which the core reads when somebody rings. The
 * server reads it for a person without a tab.
 */
import { z } from "../zod.ts";

/** Key among the preferences of a person. */
export const QUIET_CALLS = "calls.quiet";
/** Characters of the own words for callers. */
export const QUIET_NOTE_MAX = 60;

const quietCallsSchema = z.object({
  on: z.boolean(),
  /** What callers read beside the refusal, such as when the person is back; "" is nothing. */
  note: z.string().max(QUIET_NOTE_MAX),
});
export type QuietCalls = z.infer<typeof quietCallsSchema>;
export const NOT_QUIET: QuietCalls = { on: false, note: "" };

/** @param kept the parsed value of the preference, or null */
export function readQuietCalls(kept: unknown): QuietCalls {
  const parsed = quietCallsSchema.safeParse(kept);
  return parsed.success ? parsed.data : NOT_QUIET;
}

/** @param text the preference's value as it is stored */
export function parseQuietCalls(text: string | undefined): QuietCalls {
  try {
    return readQuietCalls(text === undefined ? null : JSON.parse(text));
  } catch {
    return NOT_QUIET;
  }
}
