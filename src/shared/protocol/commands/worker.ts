/** The core itself, and what only the core of the conferencing library has. */
import { z } from "../../zod.ts";
import { chatUserNameSchema } from "../rest/entities.ts";
import { command, done } from "./command.ts";

export const libraryCommands = {
  /** Sets the participant. Only the core of the conferencing library has this command; the console's core has a login instead. */
  identify: command(
    z.object({ memName: chatUserNameSchema, token: z.string().min(1).max(8192) }),
    done,
  ),
} as const;

export const workerCommands = {
  /** For measurements and tests: answers with the core's clock. */
  echo: command(
    z.object({ payload: z.string().max(100_000) }),
    z.object({ at: z.number(), payload: z.string() }),
  ),
  /** For measurements: sends one op of about `bytes` bytes to every tab, in the probe slice. */
  fanOut: command(z.object({ bytes: z.number().int().min(1).max(100_000) }), done),
  /** Asks the server for the deployed build, because code of this one is missing there. All tabs learn the answer. */
  checkBuild: command(z.object({}), done),
  /** What the core does for all tabs. A hidden tab does not get all of its state. */
  busy: command(
    z.object({}),
    z.object({
      inCall: z.boolean(),
      /** An import is being sent. */
      importing: z.boolean(),
      /** A file or message is on its way. */
      sending: z.boolean(),
    }),
  ),
  /** What a tab measured of itself since its last report (docs/server.md#reports-of-cores). */
  pageVitals: command(
    z.object({
      /** Bytes; null: the browser does not say it. */
      memory: z.number().nonnegative().max(1e12).nullable(),
      /** ms of each piece of work that blocked the tab. */
      longTasks: z.array(z.number().nonnegative().max(1e7)).max(200),
    }),
    done,
  ),
  /** Reports an uncaught error of a tab, for the operations page and the error log. */
  reportError: command(
    z.object({
      message: z.string().max(2000),
      stack: z.string().max(20_000).default(""),
      /** Of the page that was shown. */
      path: z.string().max(2000).default(""),
    }),
    done,
  ),
} as const;
