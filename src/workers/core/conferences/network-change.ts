/**
 * Whether this machine's network changed (docs/conferences.md#another-network): the tab finds other addresses, or the server sees the
 * session come from another one. Only Chromium finds addresses.
 */
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import type { CoreEnv } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { OnQuality } from "./connection-reports.ts";
import type { Signals } from "./signals.ts";

/** An address that the server sees this soon after the tab found others belongs to the same change. */
const SAME_CHANGE_MILLIS = 5_000;

export interface NetworkChange {
  /** The tab found other addresses. @returns whether connections are built again */
  found(): boolean;
  /**
   * The session was entered.
   *
   * @param address of this machine as the server sees it
   * @returns whether it is another one than at the last enter, and connections are built again
   */
  entered(address: string | undefined): boolean;
  reset(): void;
}

const isVersion6 = (address: string): boolean => address.includes(":");
/** An IPv4 address as a socket for both versions shows it. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
/** A machine with both versions may use either for its next socket, so an address of the other version says nothing. */
const isOther = (before: string, now: string): boolean =>
  before !== now && isVersion6(before) === isVersion6(now);

export function createNetworkChange(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: Pick<ConferenceConfig, "rebuildPeerConnectionWhenNetworkChanaged">;
  readonly signals: Pick<Signals, "report">;
  readonly onQuality?: OnQuality | undefined;
}): NetworkChange {
  const { clock } = deps.env;
  let address: string | null = null;
  let saidAt = Number.NEGATIVE_INFINITY;

  const report = (): void => {
    saidAt = clock.now();
    deps.signals.report({ code: "NetworkChanaged" });
    deps.onQuality?.(QUALITY_EVENT.moved, null, "moved");
  };
  const rebuilds = (): boolean => deps.config.rebuildPeerConnectionWhenNetworkChanaged;

  return {
    found() {
      report();
      return rebuilds();
    },
    entered(seen) {
      if (seen === undefined) return false;
      const before = address;
      address = plain(seen);
      if (before === null || !isOther(before, address)) return false;
      if (clock.now() - saidAt >= SAME_CHANGE_MILLIS) report();
      return rebuilds();
    },
    reset() {
      address = null;
      saidAt = Number.NEGATIVE_INFINITY;
    },
  };
}
