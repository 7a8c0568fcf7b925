/** Which alerts a tab shows. Pure. */
import type { AlertNotice } from "../../../../shared/protocol/alert-message.ts";

type ShownAlert = { readonly [K in keyof AlertNotice]: Readonly<AlertNotice[K]> };

/** Notices at a time; of further alerts one notice says the number. */
export const NOTICES_MAX = 3;

/** @param before keys of alerts that this tab does not show, because they were open when the tab opened */
export const noticesToShow = (
  alerts: readonly ShownAlert[],
  supplierId: string | null,
  before: readonly string[],
): ShownAlert[] =>
  supplierId === null
    ? []
    : alerts.filter(
        ({ key, companies }) => !before.includes(key) && companies.includes(supplierId),
      );
