/** What the provider answers to uploads, as failures of the chat. */
import { z } from "../../../../shared/zod.ts";
import { FAILURE } from "./failures.ts";
import { ChatFailure } from "./port.ts";

const refusalSchema = z.object({ error: z.string() }).catch({ error: "" });

/** @returns null when the text is no JSON */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The failure that an answer other than 200 means. */
export function failureOf(status: number, body: unknown): ChatFailure {
  const { error } = refusalSchema.parse(body);
  // a token that has just ended is replaced by the connection itself
  if (status === 401 || status === 408) return new ChatFailure(FAILURE.disconnected, error);
  if (status === 403) return new ChatFailure(FAILURE.notAllowed, error);
  if (status === 413) return new ChatFailure(FAILURE.fileRefused, error);
  if (status === 429) return new ChatFailure(FAILURE.busy, error);
  if (status === 0 || status >= 500) return new ChatFailure(FAILURE.disconnected, error);
  return new ChatFailure(FAILURE.runtime, error === "" ? `status ${status}` : error);
}
