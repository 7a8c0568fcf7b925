/** What the windows of a call call the other side. */
import { useRemarks } from "../../state/remarks.ts";
import { useSlice } from "../../state/services.ts";

export function usePeerName(): string {
  const { peer } = useSlice("call");
  const remark = useRemarks();
  return peer === null ? "" : remark(peer.userName, peer.name);
}
