/** Above all routes: shows that a conference continues while another page is open. */
import { lazyPart } from "../../loading/lazy-part.tsx";
import { useSlice } from "../../state/services.ts";
import { Part } from "../../components/Part.tsx";

const ControlledLayer = lazyPart(() => import("./ControlledLayer.tsx"));
const ConferencePill = lazyPart(() => import("./ConferencePill.tsx"));

export function ConferenceLayer({ locked = false }: { readonly locked?: boolean }) {
  const { status, control } = useSlice("conference");
  // a group call stands on a conference, and has a window of its own
  const { status: groupCall } = useSlice("groupCall");
  const hasPill = status !== "idle" && groupCall !== "entering" && groupCall !== "inCall";
  return (
    <>
      <Part>{control.screen.state !== "free" && <ControlledLayer locked={locked} />}</Part>
      <Part>{hasPill && <ConferencePill locked={locked} />}</Part>
    </>
  );
}
