/** What a person does with the notices of alerts (docs/server.md#sending-alerts). */
import { z } from "../../zod.ts";
import { command, done } from "./command.ts";

export const alertsCommands = {
  /** The person closed the notice of an alert: no tab shows it any more. */
  dismiss: command(z.object({ key: z.string().min(1).max(64) }), done),
} as const;
