/** What the next core needs in order to continue a group call: its slice, whom this side rings, and whose confirmation it awaits. */
import { z } from "../../../shared/zod.ts";
import { GROUP_PERSON_STATES } from "../../../shared/domain/group-call-person.ts";
import { groupCallSliceSchema } from "../../../shared/protocol/state.ts";
import type { CoreEnv } from "../contracts.ts";
import { createKeptState, type KeptState } from "../kept-state.ts";

export const GROUP_CALL_KEY = "group-call";

export const rungSchema = z.object({
  state: z.enum(GROUP_PERSON_STATES),
  /** ms since the epoch when the state began. */
  at: z.number(),
  /** When the ring ends, ms since the epoch. */
  deadline: z.number().nullable(),
  /** The device that answered. */
  device: z.string(),
});
export type Rung = z.infer<typeof rungSchema>;

const keptSchema = z.object({
  version: z.literal(1),
  accountId: z.string(),
  slice: groupCallSliceSchema,
  /** The person who rang this one, with the device; null for an own call. */
  caller: z.object({ userName: z.string(), device: z.string() }).nullable(),
  awaitsConfirm: z.boolean(),
  rung: z.record(z.string(), rungSchema),
});
export type KeptGroupCall = z.infer<typeof keptSchema>;

export const createGroupCallKeeper = (
  env: Pick<CoreEnv, "kv" | "clock" | "log">,
): KeptState<KeptGroupCall> =>
  createKeptState(env, {
    key: GROUP_CALL_KEY,
    scope: "calls",
    what: "the group call",
    read: (stored) => {
      const parsed = keptSchema.safeParse(stored);
      return parsed.success ? parsed.data : null;
    },
  });
