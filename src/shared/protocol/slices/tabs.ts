/** The open tabs of the person. */
import { z } from "../../zod.ts";

export const tabEntrySchema = z.object({
  tabId: z.string(),
  visible: z.boolean(),
  focusedAt: z.number(),
  path: z.string(),
  connectedAt: z.number(),
  /** Number of ops that the tab has not acknowledged. */
  unacked: z.number().int(),
});
export const tabsSliceSchema = z.object({ byId: z.record(z.string(), tabEntrySchema) });
