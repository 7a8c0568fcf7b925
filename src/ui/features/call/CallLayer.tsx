/** The call above all routes in every tab: incoming ring, outgoing ring, call window, or pill. */
import { lazy, Suspense, useEffect } from "react";
import { useLocked, useSlice } from "../../state/services.ts";
import { useCallWindow } from "../call-parts/call-window.tsx";
import { useRing } from "./useRing.ts";
import { lazyAhead } from "../../loading/lazy-ahead.ts";
import { retrying } from "../../state/retrying.ts";
import { Part } from "../../components/Part.tsx";

const CallWindow = lazyAhead(() => retrying(() => import("./CallWindow.tsx")));
const CallPill = lazyAhead(() => retrying(() => import("./CallPill.tsx")));
const RingDialog = lazyAhead(() => retrying(() => import("./RingDialog.tsx")));
/** The code of the windows is loaded before the first ring needs it. */
const WINDOWS = [RingDialog, CallWindow, CallPill];

const ElsewhereBar = lazy(() => retrying(() => import("./ElsewhereBar.tsx")));
const PushListener = lazy(() => retrying(() => import("./PushListener.tsx")));

export function CallLayer() {
  const { status, elsewhere } = useSlice("call");
  const group = useSlice("groupCall");
  const locked = useLocked();
  const offered = elsewhere != null && status === "idle" && group.status === "idle" && !locked;
  const { modal } = useCallWindow();
  useRing();
  useEffect(() => {
    const load = (): void => void Promise.allSettled(WINDOWS.map((window) => window.loadAhead()));
    const timer = setTimeout(load, 3000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Part>
        <PushListener />
      </Part>
      {offered && (
        <Part>
          <ElsewhereBar />
        </Part>
      )}
      {status !== "idle" && (
        <Suspense fallback={null}>
          {!modal ? <CallPill /> : status === "chat" ? <CallWindow /> : <RingDialog />}
        </Suspense>
      )}
    </>
  );
}
