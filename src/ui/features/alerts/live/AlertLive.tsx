/**
 * Alerts that begin while the person works: a notice in each visible tab until it ends or the person closes it
 * (docs/server.md#sending-alerts). What shows them is loaded with the first one.
 */
import { lazy, Suspense, useState } from "react";
import { retrying } from "../../../state/retrying.ts";
import { useFrozenSlice, useLocked, useSlice } from "../../../state/services.ts";
import { noticesToShow } from "./notices.ts";

const AlertNotices = lazy(() => retrying(() => import("./AlertNotices.tsx")));

export function AlertLive() {
  const { byKey } = useFrozenSlice("alerts");
  const { supplierId } = useSlice("session");
  const locked = useLocked();
  // What stood there when the page opened was shown before; the number in the header stays.
  const [before] = useState(() => new Set(Object.keys(byKey)));
  const shown = locked ? [] : noticesToShow(Object.values(byKey), supplierId, before);
  const [needed, setNeeded] = useState(false);
  if (!needed && shown.length > 0) setNeeded(true);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <AlertNotices alerts={shown} />
    </Suspense>
  );
}
