/** The figures of an idle node. */
import type { NodeStats } from "./contracts.ts";

export const NO_STATS: NodeStats = {
  publishers: 0,
  subscribers: 0,
  forwarded: 0,
  packetsIn: 0,
  packetsOut: 0,
  resent: 0,
  bytesIn: 0,
  bytesOut: 0,
};
