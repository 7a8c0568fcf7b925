/** What a connection has carried, per track, for media-transmission monitoring (docs/conferences.md#sound-meter). */
import type { TransmissionCount } from "../contracts.ts";

/** Parts of `RTCStats` that count. */
interface Counting {
  readonly type: string;
  readonly kind?: string;
  readonly id: string;
  readonly mid?: string;
  readonly trackIdentifier?: string;
  readonly bytesSent?: number;
  readonly bytesReceived?: number;
  readonly packetsSent?: number;
  readonly packetsReceived?: number;
  readonly packetsLost?: number;
  readonly remoteId?: string;
}

/** Layers of one picture count together. */
export function transmissionOf(report: RTCStatsReport): TransmissionCount[] {
  const all = [...(report.values() as Iterable<Counting>)];
  const found = new Map<string, TransmissionCount>();
  for (const one of all) {
    if (one.type !== "inbound-rtp" && one.type !== "outbound-rtp") continue;
    if (one.kind !== "audio" && one.kind !== "video") continue;
    const trackId = one.trackIdentifier ?? one.kind;
    const lost = all.find(({ id }) => id === one.remoteId)?.packetsLost;
    const known = found.get(trackId);
    found.set(trackId, {
      trackId,
      kind: one.kind,
      bytes: (known?.bytes ?? 0) + (one.bytesSent ?? one.bytesReceived ?? 0),
      packets: (known?.packets ?? 0) + (one.packetsSent ?? one.packetsReceived ?? 0),
      packetsLost: (known?.packetsLost ?? 0) + (one.packetsLost ?? lost ?? 0),
    });
  }
  return [...found.values()];
}
