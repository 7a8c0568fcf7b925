/**
 * Decisions about the application of a company (docs/session.md#registration). An approval is final. The applicant corrects a refused one
 * and sends it again; it is pending then.
 */
import type { ApplyStatus } from "../protocol/rest/registration.ts";

/** What an application may become, by what it is. */
export const APPLY_DECISIONS = {
  pending: ["approved", "refused"],
  refused: ["approved"],
  approved: [],
} as const satisfies Readonly<Record<ApplyStatus, readonly ApplyStatus[]>>;

export const mayBecome = (from: ApplyStatus, to: ApplyStatus): boolean =>
  (APPLY_DECISIONS[from] as readonly ApplyStatus[]).includes(to);
