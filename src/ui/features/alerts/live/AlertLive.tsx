/**
 * Alerts that begin while the person works: a notice in each visible tab until it ends, the person closes it or has
 * had the time to read it (docs/server.md#sending-alerts). What shows them is loaded with the first one.
 */
import { lazy, useState } from "react";
import { retrying } from "../../../state/retrying.ts";
import { useFrozenSlice } from "../../../state/services.ts";
import { Part } from "../../../components/Part.tsx";

const AlertNotices = lazy(() => retrying(() => import("./AlertNotices.tsx")));

export function AlertLive() {
  const keys = Object.keys(useFrozenSlice("alerts").byKey);
  // What stood there when the page opened was shown before; the number in the header stays.
  const [before] = useState(keys);
  const [needed, setNeeded] = useState(false);
  if (!needed && keys.some((key) => !before.includes(key))) setNeeded(true);
  return (
    needed && (
      <Part>
        <AlertNotices before={before} />
      </Part>
    )
  );
}
