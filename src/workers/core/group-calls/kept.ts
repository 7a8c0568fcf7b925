/** What the next core needs in order to continue a group call: its slice, whom this side rings, and whose confirmation it awaits. */
import { z } from "../../../shared/zod.ts";
import { GROUP_PERSON_STATES } from "../../../shared/domain/group-call-person.ts";
import { groupCallSliceSchema } from "../../../shared/protocol/state.ts";
import type { CoreEnv } from "../contracts.ts";

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

export interface GroupCallKeeper {
  load(): Promise<KeptGroupCall | null>;
  /** Writes the latest state, one write at a time. */
  save(kept: KeptGroupCall | null): void;
}

export function createGroupCallKeeper(env: Pick<CoreEnv, "kv" | "log">): GroupCallKeeper {
  let next: KeptGroupCall | null | undefined;
  let writing = false;
  const write = async (): Promise<void> => {
    writing = true;
    while (next !== undefined) {
      const value = next;
      next = undefined;
      try {
        if (value === null) await env.kv.del(GROUP_CALL_KEY);
        else await env.kv.set(GROUP_CALL_KEY, value);
      } catch (error) {
        env.log(
          "calls",
          "error",
          `the group call could not be stored (${error instanceof Error ? error.name : "?"})`,
        );
      }
    }
    writing = false;
  };
  return {
    async load() {
      const raw = await env.kv.get(GROUP_CALL_KEY).catch(() => undefined);
      const parsed = keptSchema.safeParse(raw);
      return parsed.success ? parsed.data : null;
    },
    save(kept) {
      next = kept === null ? null : structuredClone(kept);
      if (!writing) void write();
    },
  };
}
