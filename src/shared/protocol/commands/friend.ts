import { z } from "../../zod.ts";
import { FRIEND_REASON_MAX, FRIEND_REMARK_MAX } from "../friend-model.ts";
import { chatUserNameSchema } from "../rest/entities.ts";
import { command, done, none } from "./command.ts";

const person = z.object({ userName: chatUserNameSchema });

/** Friends and the blacklist (docs/chat.md#contacts). Each returns once the chat slice shows the change. */
export const friendCommands = {
  /** Sends a friend request, or accepts the one that this person has sent. The answer does not say whether the name exists. */
  add: command(person.extend({ message: z.string().trim().max(FRIEND_REASON_MAX) }), done),
  accept: command(person, done),
  decline: command(person, done),
  /** Ends a friendship, or takes the own request back. */
  remove: command(person, done),
  block: command(person, done),
  unblock: command(person, done),
  /** Sets what this person calls a friend; "" takes it away. */
  remark: command(person.extend({ remark: z.string().trim().max(FRIEND_REMARK_MAX) }), done),
  /** Reads all of it again. */
  refresh: command(none, done),
} as const;
