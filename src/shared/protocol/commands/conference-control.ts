/** Control of shared screens (docs/conferences.md#control-of-a-screen). The state is `control` of the slice of the conference. */
import { z } from "../../zod.ts";
import { MOST_ACTIONS } from "../../domain/remote-control.ts";
import { controlInputSchema } from "../remote-control.ts";
import { command, done, none } from "./command.ts";

const streamId = z.string().min(1).max(64);

export const conferenceControlCommands = {
  /** Asks for the control of another's shared screen. Resolves when the request is sent; the answer appears in the slice. */
  askControl: command(z.object({ streamId }), done),
  /** Sends input to the controlled screen, in this order. Input without a control is dropped. */
  sendControl: command(
    z.object({ streamId, actions: z.array(controlInputSchema).min(1).max(MOST_ACTIONS) }),
    done,
  ),
  /** Releases the controlled screen, or withdraws the request. */
  releaseControl: command(none, done),
  /** Answers the request to control the own screen. */
  answerControl: command(z.object({ id: z.string(), agree: z.boolean() }), done),
  /** Ends the control of the own screen. */
  stopControl: command(none, done),
} as const;
