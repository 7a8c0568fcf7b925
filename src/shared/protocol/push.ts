/** What the server pushes to a browser without a tab, and what its service worker sends to a tab (docs/calls.md#web-push). */
import { z } from "../zod.ts";
import { callMediaSchema } from "./call-message.ts";
import { chatUserNameSchema } from "./rest/entities.ts";

export const pushLanguageSchema = z.enum(["zh", "en"]);

const base = z.object({
  callId: z.string().min(1).max(64),
  /** Chat user name and name of the caller. */
  from: chatUserNameSchema,
  name: z.string().max(200),
  media: callMediaSchema,
  language: pushLanguageSchema,
});

/** answered and refused: on another device of the person. */
export const RING_ENDS = ["answered", "refused", "missed"] as const;
export type RingEnd = (typeof RING_ENDS)[number];

export const pushPayloadSchema = z.discriminatedUnion("kind", [
  base.extend({
    kind: z.literal("ring"),
    /** Refuses the call once, without a login. */
    token: z.string().min(1).max(64),
  }),
  base.extend({ kind: z.literal("end"), how: z.enum(RING_ENDS) }),
]);
export type PushPayload = z.infer<typeof pushPayloadSchema>;

/** Names the notification of a ring; a later one of the same call replaces it. */
export const ringTag = (callId: string): string => `push-${callId}`;

/** What a notification keeps for the click on it. */
export const pushNoteSchema = z.object({
  callId: z.string(),
  from: chatUserNameSchema,
  /** Missing when a tab shows the ring. */
  token: z.string().optional(),
});
export type PushNote = z.infer<typeof pushNoteSchema>;

/** From the service worker to the tab that a click brought to the front. */
export const pushClickSchema = z.object({
  kind: z.literal("push-click"),
  callId: z.string(),
  from: chatUserNameSchema,
  /** Whether the person chose to answer. */
  answer: z.boolean(),
  /** Whether the person chose to refuse a ring that a tab shows; one that was pushed is refused by its token. */
  refuse: z.boolean().default(false),
});
export type PushClick = z.infer<typeof pushClickSchema>;

/** The page that a click opens. */
export const pushPath = (from: string): string => `/im/people?chat=${encodeURIComponent(from)}`;

/**
 * Where the service worker leaves a wish to answer for the tab that it opens. It is not in the address: a caller who knows the id
 * of the call could otherwise send a link that answers it.
 */
export const PUSH_STORE = { database: "hyzh-push", store: "clicks", key: "answer" } as const;
export const pushWishSchema = z.object({
  callId: z.string(),
  /** ms since the epoch, by this machine. */
  at: z.number(),
});
export type PushWish = z.infer<typeof pushWishSchema>;
/** ms for which the wish holds; no ring lasts longer. */
export const PUSH_WISH_MS = 60_000;
