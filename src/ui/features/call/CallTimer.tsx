import { formatDuration } from "../../../shared/domain/format.ts";
import { useNow } from "../../state/services.ts";

/** Length of the call by the wall clock; turns over in all tabs at the same instant. */
export function CallTimer({ startedAt }: { readonly startedAt: number | null }) {
  const now = useNow(1000, startedAt ?? 0);
  return (
    <span className="call-timer tnum" role="timer">
      {formatDuration(startedAt === null ? 0 : now - startedAt)}
    </span>
  );
}
