/** What the server processes tell each other about changed data (docs/session.md#live-data). */
import { z } from "zod";
import { dataTagSchema } from "../../../shared/protocol/data-tags.ts";

export const DATA_CHANGES = "data:changed";
export const dataChangesSchema = z.object({
  /** The company; null when rows of the platform changed, which every company shows. */
  supplierId: z.string().nullable(),
  tags: z.array(dataTagSchema).min(1),
  /** The only records that changed (DataChange). */
  records: z.array(z.string().max(80)).optional(),
  /** All of it belongs to a long work (DataChange). */
  steady: z.boolean().optional(),
  /** The people concerned have left the company (DataChange). */
  left: z.boolean().optional(),
  /** The login that made all of the changes: its own core knows of them. null: several did. */
  except: z.string().nullable(),
  /** Account of the one person whom the change concerns, who may be no member any more; null: every member. */
  only: z.string().nullable().default(null),
  /** Chat user names of the people whom the change concerns, whatever their companies. Left out: the fields above say. */
  people: z.array(z.string()).nullish(),
});
export type DataChanges = z.infer<typeof dataChangesSchema>;
