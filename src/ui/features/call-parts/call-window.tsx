/**
 * Whether this tab shows the call window large. Each tab has its own window state: the tab in which the person dialled or answered,
 * and later the owner of the media, opens it large; other tabs show a pill until the person opens it there.
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

/** What the person chose for a call or group call, by its id. */
export const useCallChoice = (): Chosen => useContext(Context);

/** Text key for a call that is not connected yet. */
export const stageText = (status: CallState) =>
  status === "sendRing"
    ? "call.calling"
    : status === "receivedRing"
      ? "call.ringing"
      : "call.joining";

export interface CallWindowState {
  readonly large: boolean;
  readonly setLarge: (large: boolean) => void;
  /** The call window covers the page, which is inert: the window is large, or a ring is incoming. */
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
