/**
 * Whether this tab shows the call large. The window's state belongs to the tab: the tab in which the person dialled or answered,
 * and later the one that carries the media, opens it large; the others show a pill until the person opens it there.
 */
import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import type { CallState } from "../../../shared/domain/call-states.ts";
import { useCore, useSlice } from "../../state/services.ts";

interface Choice {
  readonly callId: string;
  readonly large: boolean;
}
interface Chosen {
  readonly choice: Choice | null;
  readonly choose: (choice: Choice) => void;
}

const Context = createContext<Chosen>({ choice: null, choose: () => undefined });

export function CallWindowProvider({ children }: { readonly children: ReactNode }) {
  const [choice, choose] = useState<Choice | null>(null);
  const value = useMemo(() => ({ choice, choose }), [choice]);
  return <Context value={value}>{children}</Context>;
}

/** Key of the text for a call that is not on yet. */
export const stageText = (status: CallState) =>
  status === "sendRing"
    ? "call.calling"
    : status === "receivedRing"
      ? "call.ringing"
      : "call.joining";

export interface CallWindowState {
  readonly large: boolean;
  readonly setLarge: (large: boolean) => void;
  /** The call takes the whole page, so that what lies beneath is out of reach: large, or an incoming ring. */
  readonly modal: boolean;
}

export function useCallWindow(): CallWindowState {
  const { tabId } = useCore();
  const { status, info, owner, gestureTab } = useSlice("call");
  const { choice, choose } = useContext(Context);
  const callId = info?.callId ?? "";
  const chosen = choice?.callId === callId ? choice.large : null;
  const large = chosen ?? (owner?.tabId ?? gestureTab) === tabId;
  return {
    large,
    setLarge: (next) => choose({ callId, large: next }),
    modal: status === "confirmRing" || (status !== "idle" && large),
  };
}
