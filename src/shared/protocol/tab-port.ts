/**
 * How a tab connects to the core. The tab first takes the Web Lock `tabLock(tabId)` and keeps it for life; its hello carries three
 * ports: commands (Comlink), state, media. The core queues on the tab's lock: getting it means that the tab is gone. The core holds
 * the lock named in its welcome: a tab that gets it knows that the core is gone. See ARCHITECTURE.md, "Liveness".
 */
import { z } from "../zod.ts";
import { languageSchema } from "./language.ts";
import { wireErrorSchema } from "./wire-error.ts";

export * from "./port-names.ts";

/** Sent by a tab that carries the call's media to a newly started core. */
export const claimSchema = z.object({
  callId: z.string(),
  ownerEpoch: z.number().int(),
  rtcIds: z.array(z.string()),
});
export type Claim = z.infer<typeof claimSchema>;

export const helloSchema = z.object({
  t: z.literal("hello"),
  protocol: z.number().int(),
  build: z.string(),
  tabId: z.string().min(1).max(64),
  visible: z.boolean(),
  /** When the tab last had the focus, ms since the epoch; 0 for never. */
  focusedAt: z.number(),
  path: z.string().max(500),
  language: languageSchema.optional(),
  claim: claimSchema.nullable(),
});
export type Hello = z.infer<typeof helloSchema>;

export const helloAnswerSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("welcome"), coreId: z.string(), startedAt: z.number() }),
  z.object({ t: z.literal("refused"), error: wireErrorSchema }),
]);
export type HelloAnswer = z.infer<typeof helloAnswerSchema>;

/** BroadcastChannel on which a newer core asks an older one to hand over, and on which tabs learn of it. */
export const BUILD_CHANNEL = "core-builds";
export const buildMessageSchema = z.discriminatedUnion("t", [
  z.object({ t: z.literal("retire"), build: z.string(), protocol: z.number().int() }),
  /** A login, logout or refusal happened in one core: cores of other builds must read the shared storage again. */
  z.object({ t: z.literal("session") }),
]);
