/** Above all routes: shows that a conference continues while another page is open. */
import { lazy, Suspense } from "react";
import { useSlice } from "../../state/services.ts";
import { retrying } from "../../state/retrying.ts";

const ConferencePill = lazy(() => retrying(() => import("./ConferencePill.tsx")));

export function ConferenceLayer() {
  const { status } = useSlice("conference");
  if (status === "idle") return null;
  return (
    <Suspense fallback={null}>
      <ConferencePill />
    </Suspense>
  );
}
