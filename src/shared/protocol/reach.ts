/** Whether the platform can be reached, as the core finds it: shown on every page, since a person must know why nothing moves. */
import { z } from "../zod.ts";

export const reachSliceSchema = z.object({
  /** offline: the machine has no network; down: it has one, and the server does not answer. */
  state: z.enum(["up", "down", "offline"]),
  /** When the state began, ms since the epoch. */
  since: z.number(),
});
export type ReachSlice = z.infer<typeof reachSliceSchema>;
