import { formatDuration } from "../../../shared/domain/format.ts";
import { useNow } from "../../state/services.ts";

/** Duration of the call by the wall clock; all tabs update at the same moment. */
export function CallTimer({ startedAt }: { readonly startedAt: number | null }) {
  const now = useNow(1000, startedAt ?? 0);
  return (
    <span className="call-timer tnum" translate="no" role="timer">
      {formatDuration(startedAt === null ? 0 : now - startedAt)}
    </span>
  );
}
