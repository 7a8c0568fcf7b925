/** When a past call began. A row of the list shows day and time, of another year only the date; the details have all of it. */
import { formatDate } from "../../../shared/domain/format.ts";
import { serverNow, useCore } from "../../state/services.ts";
import "./call-quality.css";

/** @param props.at ms since the epoch */
export function CallTime({ at }: { readonly at: number }) {
  const now = serverNow(useCore());
  const isThisYear = formatDate(at, "{y}") === formatDate(now, "{y}");
  return (
    <span title={formatDate(at)}>
      <span className={isThisYear ? "call-time-rest" : undefined}>{formatDate(at, "{y}-")}</span>
      {formatDate(at, "{m}-{d}")}
      <span className={isThisYear ? undefined : "call-time-rest"}>
        {formatDate(at, " {h}:{i}")}
      </span>
      <span className="call-time-rest">{formatDate(at, ":{s}")}</span>
    </span>
  );
}
