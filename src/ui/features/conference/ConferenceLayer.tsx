/** Above all routes: shows that a conference continues while another page is open. */
import { Suspense } from "react";
import { lazyPart } from "../../loading/lazy-part.tsx";
import { useSlice } from "../../state/services.ts";

const ConferencePill = lazyPart(() => import("./ConferencePill.tsx"));

export function ConferenceLayer({ locked = false }: { readonly locked?: boolean }) {
  const { status } = useSlice("conference");
  // a group call stands on a conference, and has a window of its own
  const { status: groupCall } = useSlice("groupCall");
  if (status === "idle" || groupCall === "entering" || groupCall === "inCall") return null;
  return (
    <Suspense fallback={null}>
      <ConferencePill locked={locked} />
    </Suspense>
  );
}
