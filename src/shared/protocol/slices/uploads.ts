import { z } from "../../zod.ts";

/** Files on their way to the company's (docs/session.md#files), by the key of the tab that sends them. */
export const uploadsSliceSchema = z.object({
  byKey: z.record(
    z.string(),
    z.object({
      name: z.string(),
      /** bytes sent, of all */
      sent: z.number(),
      size: z.number(),
    }),
  ),
});
