/** Whether the core can reach the platform. Every page shows an outage, so that a person knows why nothing changes. */
import { z } from "../zod.ts";

export const reachSliceSchema = z.object({
  /**
   * offline: the machine has no network. down: it has one, but the server does not answer. intercepted: a login page of the network or
   * a proxy answers in its place.
   */
  state: z.enum(["up", "down", "offline", "intercepted"]),
  /** When the state began, ms since the epoch. */
  since: z.number(),
});
export type ReachSlice = z.infer<typeof reachSliceSchema>;
