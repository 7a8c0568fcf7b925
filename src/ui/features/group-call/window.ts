/** Whether this tab shows the group call large; the other tabs show a pill. The login loads this file, so it needs little. */
import { useCallChoice } from "../call-parts/call-window.tsx";
import { useCore, useSlice } from "../../state/services.ts";

export function useGroupCallWindow(): {
  readonly large: boolean;
  readonly setLarge: (large: boolean) => void;
  /** The call covers the page, which is inert. */
  readonly modal: boolean;
} {
  const { tabId } = useCore();
  const { status, info, gestureTab } = useSlice("groupCall");
  const { owner } = useSlice("conference");
  const { choice, choose } = useCallChoice();
  const callId = info?.callId ?? "";
  const chosen = choice?.callId === callId ? choice.large : null;
  const large = chosen ?? (owner?.tabId ?? gestureTab) === tabId;
  return {
    large,
    setLarge: (next) => choose({ callId, large: next }),
    modal: status === "ringing" || (status !== "idle" && large),
  };
}
