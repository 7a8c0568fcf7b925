/** Validates commands from the core and drops those of another epoch. */
import { type MediaCommand, mediaCommandSchema } from "../../shared/protocol/media-port.ts";

export type OwnCommand = Extract<MediaCommand, { t: "own" }>;

/** The epochs that a tab knows. */
export interface KnownEpochs {
  /** The newest one; null for none, then only `own` is accepted. */
  readonly newest: number | null;
  /** Those of the media that the tab carries. */
  readonly carried: readonly number[];
}

/**
 * Reads a message from the core.
 *
 * @returns null when the message must be dropped; the reason went to `report`
 */
export function readCommand(
  data: unknown,
  { newest, carried }: KnownEpochs,
  report: (message: string) => void,
): MediaCommand | null {
  const parsed = mediaCommandSchema.safeParse(data);
  if (!parsed.success) {
    const where = parsed.error.issues.map((issue) => issue.path.join(".") || "message");
    report(`core.bad-message: media command not understood (${where.slice(0, 5).join(", ")})`);
    return null;
  }
  const command = parsed.data;
  const fits =
    command.t === "own"
      ? newest === null || command.epoch >= newest
      : command.epoch === newest || carried.includes(command.epoch);
  if (fits) return command;
  report(`media.stale-owner: ${command.t} of epoch ${command.epoch}, now ${newest ?? "none"}`);
  return null;
}
