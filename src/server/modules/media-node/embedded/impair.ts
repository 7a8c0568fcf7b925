/**
 * Loss, delay and cuts put between the forwarding and its transports, for tests and benchmarks. ICE and DTLS are not touched.
 *
 * What a browser sends is dropped here after SRTP has seen it, and SRTP takes the same packet sent again for a replay: such a loss
 * is for good. A test of what is repaired on the way in has to lose the packets on the wire.
 */
import type { Impairment } from "../contracts.ts";
import type { OpenTransport, Transport } from "../sfu/transport.ts";

export const NO_IMPAIRMENT: Impairment = { loss: 0, delay: 0, cut: false };

/** What is late at most, of all connections together: a test that forgets its delay must not fill the memory. */
const LATE_MAX = 50_000;

/**
 * @param deps.random 0..1
 * @param deps.later runs after ms
 */
export function createImpairment(deps: {
  readonly random: () => number;
  readonly later: (run: () => void, ms: number) => void;
}): { set(to: Impairment): void; wrap(open: OpenTransport): OpenTransport } {
  let now = NO_IMPAIRMENT;
  let late = 0;

  /** @returns what `pass` did, true for what is lost or late: its sender cannot know either */
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
        accept: (offer) => inner.accept(offer),
        offer: (sections) => inner.offer(sections),
        complete: (answer) => inner.complete(answer),
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
