/** The call above all routes in every tab: incoming ring, outgoing ring, call window, or pill. */
import { lazy, Suspense, useEffect } from "react";
import { useLocked, useSlice } from "../../state/services.ts";
import { useCallWindow } from "../call-parts/call-window.tsx";
import { useRing } from "./useRing.ts";
import { retrying } from "../../state/retrying.ts";
import { Part } from "../../components/Part.tsx";

const CallWindow = lazy(() => retrying(() => import("./CallWindow.tsx")));
const CallPill = lazy(() => retrying(() => import("./CallPill.tsx")));
const RingDialog = lazy(() => retrying(() => import("./RingDialog.tsx")));

const ElsewhereBar = lazy(() => retrying(() => import("./ElsewhereBar.tsx")));
const PushListener = lazy(() => retrying(() => import("./PushListener.tsx")));

export function CallLayer() {
  const { status, elsewhere } = useSlice("call");
  const group = useSlice("groupCall");
  const locked = useLocked();
  const offered = elsewhere != null && status === "idle" && group.status === "idle" && !locked;
  const { modal } = useCallWindow();
  useRing();
  // load the code of the windows before the first ring needs it
  useEffect(() => {
    const timer = setTimeout(() => {
      const windows = [
        import("./RingDialog.tsx"),
        import("./CallWindow.tsx"),
        import("./CallPill.tsx"),
      ];
      void Promise.allSettled(windows);
    }, 3000);
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
