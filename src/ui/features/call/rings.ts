/** What rings here: a call of two or a group call. One at a time, since a ring beside a call is answered as busy. Pure. */
import type { CallSlice } from "../../../shared/protocol/slices/call.ts";
import type { GroupCallSlice } from "../../../shared/protocol/slices/group-call.ts";

export interface Ring {
  readonly kind: "call" | "group";
  readonly callId: string;
  /** Chat user name and name of the caller. */
  readonly from: string;
  readonly name: string;
  readonly media: "voice" | "video";
  /** The tab that shows the system's notification. */
  readonly ringTab: string | null;
}

type Call = Pick<CallSlice, "status" | "info" | "peer" | "ringTab">;
type GroupCall = Pick<GroupCallSlice, "status" | "info" | "ringTab">;

export function ringOf(call: Call, group: GroupCall): Ring | null {
  if (call.status === "confirmRing" && call.info !== null) {
    const { callId, media, fromUser: from } = call.info;
    return {
      kind: "call",
      callId,
      media,
      from,
      name: call.peer?.name ?? from,
      ringTab: call.ringTab,
    };
  }
  if (group.status === "ringing" && group.info !== null) {
    const { callId, media, fromUser: from, fromName: name } = group.info;
    return { kind: "group", callId, media, from, name, ringTab: group.ringTab };
  }
  return null;
}
