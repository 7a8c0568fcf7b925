/** The group call above all routes in every tab: a ring, the call's window, or a pill. */
import { lazy, Suspense } from "react";
import { retrying } from "../../state/retrying.ts";
import { useSlice } from "../../state/services.ts";
import { useGroupCallWindow } from "./window.ts";

const GroupRing = lazy(() => retrying(() => import("./GroupRing.tsx")));
const GroupCallWindow = lazy(() => retrying(() => import("./GroupCallWindow.tsx")));
const GroupCallPill = lazy(() => retrying(() => import("./GroupCallPill.tsx")));

export function GroupCallLayer() {
  const { status } = useSlice("groupCall");
  const { large } = useGroupCallWindow();
  const call = useSlice("call");
  if (status === "idle") return null;
  // Until the call of two has become this one, its pill stands there.
  if (call.status !== "idle" && !large) return null;
  return (
    <Suspense fallback={null}>
      {status === "ringing" ? <GroupRing /> : large ? <GroupCallWindow /> : <GroupCallPill />}
    </Suspense>
  );
}
