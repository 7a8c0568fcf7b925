/** What is filled in when an employment ends: of one person, or of many at once. */
import { formatDate } from "../../../shared/domain/format.ts";
import { isDay } from "../../../shared/domain/validate.ts";
import type { FormField, FormValues } from "../../components/form/fields.ts";
import type { useTexts } from "../../i18n/texts.ts";
import type { LEAVE_TEXTS } from "./leave-texts.ts";

const REASON_MAX = 200;

/**
 * @param now ms since the epoch by the server's clock
 * @param hireDate of the one person; the last day is not before it
 */
export function leaveFields(
  text: ReturnType<typeof useTexts<typeof LEAVE_TEXTS>>,
  now: number,
  hireDate: string | null = null,
): { readonly fields: readonly FormField[]; readonly values: FormValues } {
  const today = formatDate(now, "{y}-{m}-{d}");
  const check = (day: string): string | null => {
    if (!isDay(day)) return text("date");
    if (day > today) return text("future");
    return hireDate !== null && day < hireDate ? text("early") : null;
  };
  return {
    fields: [
      { key: "dimissionDate", label: text("leaveDate"), input: "date", required: true, check },
      { key: "reason", label: text("leaveReason"), input: "area", max: REASON_MAX },
    ],
    values: { dimissionDate: today, reason: "" },
  };
}
