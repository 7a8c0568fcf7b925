/** Opens the devices of a call while it rings in this tab, so that sound and picture are there when the person answers. */
import { subscribe } from "valtio";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { CountingMediaHost } from "../../../rtc-main/index.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";

type Ring = Pick<CallSlice, "status" | "ringTab" | "gestureTab" | "info">;

/** @returns the devices to open; "keep" while the answer given in this tab takes them over */
export function devicesWhile({ status, ringTab, gestureTab, info }: Ring, tabId: string) {
  if (status === "confirmRing" && ringTab === tabId) return info?.media ?? null;
  const answered = status === "sendAnswer" || status === "chat";
  return answered && gestureTab === tabId ? "keep" : null;
}

/** @returns a function that stops it */
export function openAhead(
  core: Pick<CoreClient, "state" | "tabId">,
  media: Pick<CountingMediaHost, "openAhead">,
): () => void {
  const { call } = core.state;
  let before: ReturnType<typeof devicesWhile> = null;
  const look = (): void => {
    const now = devicesWhile(call, core.tabId);
    if (now === before) return;
    before = now;
    if (now !== "keep") media.openAhead(now);
  };
  look();
  return subscribe(call, look);
}
