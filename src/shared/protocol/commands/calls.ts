/** Calls of two people and of groups. */
import { z } from "../../zod.ts";
import { callMediaSchema } from "../call-message.ts";
import { videoCodecsSchema } from "../confr-model.ts";
import { chatUserNameSchema } from "../rest/entities.ts";
import { GROUP_CALL_PEOPLE } from "../rest/group-calls.ts";
import { groupIdSchema } from "../group-model.ts";
import { command, done, none } from "./command.ts";

export const callCommands = {
  start: command(
    z.object({ userName: chatUserNameSchema, name: z.string(), media: callMediaSchema }),
    z.object({ callId: z.string() }),
  ),
  answer: command(z.object({ accept: z.boolean() }), done),
  /** Cancels, refuses or hangs up, whichever the state asks for. */
  hangup: command(none, done),
  setLocal: command(
    z.object({
      audioMuted: z.boolean().optional(),
      videoOff: z.boolean().optional(),
      /** The person turns a device on: open it (again if that failed before) and publish it. */
      publish: z.literal(true).optional(),
    }),
    done,
  ),
  /** Moves the media to the calling tab because the person asked for it. */
  bringHere: command(none, done),
  /** Goes on, in the calling tab, with the call that this person has on another device. */
  goOn: command(none, done),
} as const;

export const groupCallCommands = {
  /** Makes a group call and rings the people. */
  start: command(
    z.object({
      media: callMediaSchema,
      groupId: groupIdSchema.nullable().default(null),
      people: z.array(chatUserNameSchema).max(GROUP_CALL_PEOPLE),
      codecs: videoCodecsSchema.optional(),
    }),
    z.object({ callId: z.string() }),
  ),
  /** Adds people to the call of two that is on, which becomes a group call. */
  grow: command(
    z.object({ people: z.array(chatUserNameSchema).min(1).max(GROUP_CALL_PEOPLE) }),
    done,
  ),
  /** Joins a call that goes on. */
  join: command(
    z.object({ confrId: z.string().min(1).max(64), codecs: videoCodecsSchema.optional() }),
    done,
  ),
  answer: command(z.object({ accept: z.boolean(), codecs: videoCodecsSchema.optional() }), done),
  /** Lets more people in and rings them. */
  invite: command(
    z.object({ people: z.array(chatUserNameSchema).min(1).max(GROUP_CALL_PEOPLE) }),
    done,
  ),
  leave: command(none, done),
} as const;
