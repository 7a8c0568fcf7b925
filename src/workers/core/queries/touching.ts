/** Notices calls of the core that touch data, whichever module makes them: pages, imports, a bulk action. */
import { passes } from "../../../shared/domain/retries.ts";
import type { DataChange } from "../../../shared/protocol/data-tags.ts";
import { recordOf } from "../../../shared/protocol/rest/index.ts";
import type { Http } from "../contracts.ts";

/**
 * Wraps `http` so that `onTouched` is called after a call that touches data, with the company of the call. It is also called when
 * the answer was lost, because the server may have made the change.
 */
export function noticeTouches<H extends Pick<Http, "call">>(
  http: H,
  company: () => string | null,
  onTouched: (change: DataChange, company: string | null) => void,
): H {
  const call: Http["call"] = async (which, input, options) => {
    const { touches, steady = false } = which;
    if (touches === undefined) return http.call(which, input, options);
    const record = recordOf(which, input);
    const change = { tags: touches, records: record === null ? [] : [record], steady };
    const at = options?.supplierId === undefined ? company() : options.supplierId;
    try {
      const data = await http.call(which, input, options);
      onTouched(change, at);
      return data;
    } catch (error) {
      if (passes(error, true)) onTouched(change, at);
      throw error;
    }
  };
  return { ...http, call };
}
