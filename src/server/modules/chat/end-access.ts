/** What the gateway ends for people who lose access (docs/server.md#end-of-access). */
import { dataChangedExt } from "../../../shared/protocol/data-changed.ts";
import type { AccessEnd } from "../../base/cluster/access.ts";
import type { ChangesMessage } from "./data-changes.ts";
import type { GroupDelivery } from "./delivery/group-delivery.ts";
import type { Hub } from "./delivery/hub.ts";
import type { Presence } from "./delivery/presence.ts";

/** @returns what to do at an end of access, and when some may have been missed; the ends of logins are then looked up */
export function createEndAccess(deps: {
  readonly message: ChangesMessage;
  readonly hub: Pick<Hub, "endSession" | "isHere">;
  readonly presence: Pick<Presence, "changed">;
  readonly groupDelivery: Pick<GroupDelivery, "forgetMembers">;
  readonly forgetMayTalk: () => void;
}): { readonly end: (end: AccessEnd) => void; readonly missed: () => void } {
  const { hub } = deps;
  /** Makes a core ask for its rights, so that it learns why its login has ended. */
  const farewell = (userName: string): Uint8Array =>
    deps.message(userName, dataChangedExt({ supplierId: null, tags: ["menus"] }, 1));
  function endAccess(end: AccessEnd): void {
    if (end.of === "login") {
      // A device that logs out knows it, and must not ask whether to log in again.
      hub.endSession(end.sessionId, end.why === "logout" ? undefined : farewell);
    }
    // Nobody may write to a disabled account, in any company.
    if (end.of === "company" || (end.of === "login" && end.why === "disabled")) {
      deps.forgetMayTalk();
    }
    if (end.of !== "company") return;
    deps.groupDelivery.forgetMembers();
    // Who may see the person no more reads that the person is offline.
    if (hub.isHere(end.userName)) deps.presence.changed(end.userName);
  }
  return {
    end: endAccess,
    missed() {
      deps.forgetMayTalk();
      deps.groupDelivery.forgetMembers();
    },
  };
}
