/**
 * Adds loss, delay and cuts between the forwarding and its transports, for tests and benchmarks. ICE and DTLS are not affected.
 *
 * A browser's packet is dropped here after SRTP has decrypted it, and SRTP rejects a retransmission of that packet as a replay.
 * Such a loss cannot be repaired. A test of repair between publisher and node has to drop packets on the wire.
 */
import type { Impairment } from "../contracts.ts";
import type { OpenTransport, Transport } from "../sfu/transport.ts";

export const NO_IMPAIRMENT: Impairment = { loss: 0, delay: 0, cut: false };

/** Most packets that are delayed at once, over all connections: a test that forgets to reset its delay must not fill the memory. */
const LATE_MAX = 50_000;

/**
 * @param deps.random 0..1
 * @param deps.later calls `run` after `ms`
 */
export function createImpairment(deps: {
  readonly random: () => number;
  readonly later: (run: () => void, ms: number) => void;
}): { set(to: Impairment): void; wrap(open: OpenTransport): OpenTransport } {
  let now = NO_IMPAIRMENT;
  let late = 0;

  /** @returns the result of `pass`; true for a lost or delayed packet, because a real sender does not notice these either */
  const through = (pass: () => boolean): boolean => {
    if (now.cut || (now.loss > 0 && deps.random() < now.loss)) return true;
    if (now.delay <= 0) return pass();
    if (late >= LATE_MAX) return true;
    late += 1;
    deps.later(() => {
      late -= 1;
      if (!now.cut) pass();
    }, now.delay);
    return true;
  };

  return {
    set(to) {
      now = to;
    },
    wrap: (open) => (name, events) => {
      let closed = false;
      const inner: Transport = open(name, {
        ...events,
        packet: (mid, packet) =>
          void through(() => {
            if (!closed) events.packet(mid, packet);
            return true;
          }),
      });
      return {
        accept: (offer, sending) => inner.accept(offer, sending),
        addCandidate: (candidate, mid) => inner.addCandidate(candidate, mid),
        send: (mid, packet) => through(() => inner.send(mid, packet)),
        close() {
          closed = true;
          inner.close();
        },
      };
    },
  };
}
