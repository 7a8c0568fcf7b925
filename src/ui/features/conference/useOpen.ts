/** The conferences of the company that are open now, read again after an outage, a company switch and a refresh. */
import { useCallback, useEffect, useState } from "react";
import type { CommandOutput } from "../../../shared/protocol/core-rpc.ts";
import { keepTrying } from "../../state/recover.ts";
import { useCore, useOutage, useSlice } from "../../state/services.ts";

type Open = CommandOutput<"conference", "open">;

export function useOpen() {
  const core = useCore();
  const { conference } = core.commands;
  const outage = useOutage();
  const { supplierId } = useSlice("session");
  const [list, setList] = useState<Open | null>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (outage !== null) return undefined;
    let live = true;
    const end = keepTrying(
      async () => {
        const found = await conference.open({});
        if (!live) return;
        setList(found);
        setFailed(false);
      },
      () => setFailed(true),
      () => core.state.session.status === "anonymous",
    );
    return () => {
      live = false;
      end();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a refresh or another company repeats the request
  }, [core, conference, outage, supplierId, attempt]);
  return {
    list,
    failed: failed && outage === null,
    again: useCallback(() => setAttempt((n) => n + 1), []),
  };
}
