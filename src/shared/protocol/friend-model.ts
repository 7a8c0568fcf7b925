/** Friends, their requests and the blacklist, for calls, slices and screens (docs/chat.md#contacts). */
import { z } from "../zod.ts";
import { chatUserNameSchema } from "./rest/entities.ts";

/** Characters that may be written with a request. */
export const FRIEND_REASON_MAX = 100;
/** Characters of what a person calls a friend. */
export const FRIEND_REMARK_MAX = 50;

/** Somebody who asks the caller to become friends (`received`), or whom the caller asks (`sent`). */
export const friendRequestSchema = z.object({
  kind: z.enum(["received", "sent"]),
  userName: chatUserNameSchema,
  /** The user name of a stranger whom the caller asks. */
  name: z.string(),
  avatar: z.string(),
  /** What was written with the request. */
  message: z.string(),
  /** ms since the epoch */
  at: z.number(),
});
export type FriendRequest = z.infer<typeof friendRequestSchema>;

/** What a person has with others outside conversations. */
export const chatFriendsSchema = z.object({
  /** `failed`: the last reading failed, and is tried again; what is shown may be out of date. */
  state: z.enum(["loading", "ready", "failed"]),
  /** By name. */
  list: z.array(
    z.object({
      userName: chatUserNameSchema,
      name: z.string(),
      avatar: z.string(),
      /** What this person calls the friend; "" without it. */
      remark: z.string(),
    }),
  ),
  /** Those that wait for an answer, the newest first. */
  requests: z.array(friendRequestSchema),
  /** Whom this person blocks; the user name stands for a name that is not known. */
  blocked: z.array(z.object({ userName: z.string(), name: z.string() })),
});
export type ChatFriends = z.infer<typeof chatFriendsSchema>;
