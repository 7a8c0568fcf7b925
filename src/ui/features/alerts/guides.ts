/** What to do about an alert of each shipped rule, for people of operations (docs/session.md#alerts-pages). */
import type { Guide } from "./guide-lines.ts";
import { COMPANY_GUIDES } from "./guides-of-companies.ts";
import { PLATFORM_GUIDES } from "./guides-of-platform.ts";

/** @returns null for a rule that somebody made */
export function guideOf(rule: string): Guide | null {
  return PLATFORM_GUIDES[rule] ?? COMPANY_GUIDES[rule] ?? null;
}
