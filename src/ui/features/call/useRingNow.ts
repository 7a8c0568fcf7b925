/** What rings here, with the name that this person gave to the caller. */
import { useRemarks } from "../../state/remarks.ts";
import { useSlice } from "../../state/services.ts";
import { type Ring, ringOf } from "./rings.ts";

export function useRingNow(): Ring | null {
  const ring = ringOf(useSlice("call"), useSlice("groupCall"));
  const remark = useRemarks();
  return ring === null ? null : { ...ring, name: remark(ring.from, ring.name) };
}
