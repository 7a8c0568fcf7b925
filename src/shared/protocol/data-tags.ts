/**
 * Tags name what a REST call shows or touches (docs/session.md#live-data). When a call touches a tag, the core repeats each watched
 * read that shows it. A tag exists because a call shows it.
 */
import { z } from "../zod.ts";
import { DATA_TAGS } from "./data-tags.generated.ts";

// The server alone touches "memberships": no read shows it, but core and chat act upon it.
export const dataTagSchema = z.enum([...DATA_TAGS, "memberships"]);
export type DataTag = z.infer<typeof dataTagSchema>;

/** What one or more calls changed. */
export interface DataChange {
  readonly tags: readonly DataTag[];
  /** The only records that changed, as `tag:id`. Any record of a tag that none of them names may have changed. */
  readonly records?: readonly string[];
  /** One of the many changes of a long work (an import). Reads follow every few seconds. */
  readonly steady?: boolean;
  /** The receiver has left the company of the change. */
  readonly left?: boolean;
  /** ms in which the reads of all viewers are spread at random. Left out: at once. */
  readonly spread?: number;
}
