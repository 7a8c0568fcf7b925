/** Validates commands from the core and drops those of another epoch. */
import { type MediaCommand, mediaCommandSchema } from "../../shared/protocol/media-port.ts";

export type OwnCommand = Extract<MediaCommand, { t: "own" }>;

/**
 * Reads a message from the core.
 *
 * @param current the epoch that this tab knows; null for none, then only `own` is accepted
 * @returns null when the message must be dropped; the reason went to `report`
 */
export function readCommand(
  data: unknown,
  current: number | null,
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
      ? current === null || command.epoch >= current
      : current !== null && command.epoch === current;
  if (fits) return command;
  report(`media.stale-owner: ${command.t} of epoch ${command.epoch}, now ${current ?? "none"}`);
  return null;
}
