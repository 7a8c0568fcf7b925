/** Whether the platform can send codes by SMS (docs/server.md#sms), so that a page says so before somebody fails. */
import { useEffect, useState } from "react";
import { useCore } from "../../state/services.ts";

/** @returns null while it is not known; a platform that does not answer counts as one that sends */
export function useSmsSender(): boolean | null {
  const { rest } = useCore().commands;
  const [available, setAvailable] = useState<boolean | null>(null);
  useEffect(() => {
    let over = false;
    rest.call({ call: "sms.state" }).then(
      (state) => {
        if (!over) setAvailable(state.available);
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
