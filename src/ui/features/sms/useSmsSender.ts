/** Whether the platform can send codes by SMS (docs/server.md#sms), so that a page says so before somebody fails. */
import { useEffect, useState } from "react";
import { useCore } from "../../state/services.ts";
import { readLocal, writeLocal } from "../../storage.ts";

/** That there was no sender last time: a notice about it stands there at once then, and moves nothing when the answer comes. */
const MISSING = "smsMissing";

/** @returns null while it is not known, and was not missing before; a platform that does not answer counts as one that sends */
export function useSmsSender(): boolean | null {
  const { rest } = useCore().commands;
  const [available, setAvailable] = useState<boolean | null>(() =>
    readLocal(MISSING) === true ? false : null,
  );
  useEffect(() => {
    let over = false;
    rest.call({ call: "sms.state" }).then(
      (state) => {
        if (over) return;
        writeLocal(MISSING, !state.available);
        setAvailable(state.available);
      },
      () => {
        if (!over) setAvailable(true);
      },
    );
    return () => {
      over = true;
    };
  }, [rest]);
  return available;
}
