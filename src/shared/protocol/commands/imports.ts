/** Batch imports, and what their pages read. */
import { z } from "../../zod.ts";
import { importContextSchema, importTakenCall } from "../rest/imports.ts";
import { command, done, inCompany, none } from "./command.ts";

const importKey = z.object({ key: z.string().regex(/^[0-9a-f]{64}$/) });

export const importsCommands = {
  /** Sends a job that the import worker has staged; a job that is already known continues. */
  start: inCompany(command(importKey, done)),
  pause: inCompany(command(importKey, done)),
  resume: inCompany(command(importKey, done)),
  /** Stops sending; rows that the server has stored stay there. */
  cancel: inCompany(command(importKey, done)),
  /** Removes a finished job from the list, with its staged rows. */
  dismiss: inCompany(command(importKey, done)),
  context: inCompany(command(none, importContextSchema)),
  taken: inCompany(command(importTakenCall.body, importTakenCall.data)),
} as const;
