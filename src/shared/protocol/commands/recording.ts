/** Commands of the own recording in a conference (docs/conferences.md#recording). */
import { z } from "../../zod.ts";
import { command, done, none } from "./command.ts";

export const recordingCommands = {
  /** Records the whole conference, or one stream. Resolves when the server has announced it to all members. */
  record: command(
    z.object({ streamId: z.string().min(1).max(64).optional() }),
    z.object({ id: z.string() }),
  ),
  pauseRecording: command(z.object({ on: z.boolean() }), done),
  /** Resolves when the last part is stored. The file is made by `Recordings` of rtc-main. */
  stopRecording: command(none, z.object({ id: z.string() })),
} as const;
