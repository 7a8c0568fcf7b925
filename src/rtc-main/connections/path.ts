/**
 * Notices that ICE of a connection falls back to another path by itself, without a restart. A browser at the other end follows. A media
 * node may go on by the path of the highest priority for 30 s (docs/media-node.md#transport), so its packets would be lost.
 */
import type { Tally } from "../tally.ts";

/** The part of a pair that decides which one both sides should use. */
interface Path {
  readonly local: string | null;
  readonly low: number;
  readonly high: number;
}

function pathOf(transport: RTCIceTransport): Path | null {
  const { local, remote } = transport.getSelectedCandidatePair() ?? {};
  if (typeof local?.priority !== "number" || typeof remote?.priority !== "number") return null;
  return {
    local: local.usernameFragment,
    low: Math.min(local.priority, remote.priority),
    high: Math.max(local.priority, remote.priority),
  };
}

/** RFC 8445 §6.1.2.3. Paths of different negotiations do not compare. */
const isBelow = (one: Path, other: Path): boolean =>
  one.local === other.local &&
  (one.low < other.low || (one.low === other.low && one.high < other.high));

/**
 * @param fell called each time that the path falls below the best one of its negotiation
 * @returns a function that ends it. A browser without RTCIceTransport never calls `fell`
 */
export function watchPath(pc: RTCPeerConnection, tally: Tally, fell: () => void): () => void {
  let best: Path | null = null;
  let unlisten: (() => void) | null = null;

  const look = (transport: RTCIceTransport): void => {
    const now = pathOf(transport);
    if (now === null) return;
    if (best !== null && isBelow(now, best)) fell();
    else best = now;
  };
  // All sections share one transport, which is there once a description is set.
  const attach = (): void => {
    if (unlisten !== null) return;
    const [section] = pc.getTransceivers();
    const ice = section?.sender.transport?.iceTransport;
    if (ice?.getSelectedCandidatePair === undefined) return;
    unlisten = tally.listen(ice, "selectedcandidatepairchange", () => look(ice));
    look(ice);
  };
  const end = tally.listen(pc, "iceconnectionstatechange", attach);
  return () => {
    end();
    unlisten?.();
  };
}
