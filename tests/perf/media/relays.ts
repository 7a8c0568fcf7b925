/**
 * Relays (tests/media/udp-relay.ts), one per connection, in a separate process so that the cost of losing packets is not
 * measured.
 */
import { createUdpRelay, rewriteCandidates, type UdpRelay } from "../../media/udp-relay.ts";

export type ToRelays =
  | { t: "open"; n: number; id: string; address: string; text: string }
  | { t: "loss"; value: number };
export interface FromRelays {
  readonly n: number;
  readonly text: string;
}

const relays = new Map<string, Promise<UdpRelay>>();
let loss = 0;

/**
 * @param text a description or one candidate. @returns it with the relay's address; "" for a candidate that the relay cannot use
 */
async function rewrite(id: string, address: string, text: string): Promise<string> {
  let opening = relays.get(id);
  if (opening === undefined) {
    opening = createUdpRelay(address);
    relays.set(id, opening);
  }
  const relay = await opening;
  relay.trouble.loss = loss;
  return text.startsWith("v=0") ? rewriteCandidates(text, relay) : relay.rewrite(text);
}

process.on("message", (message: ToRelays) => {
  if (message.t === "loss") {
    loss = message.value;
    for (const relay of relays.values()) {
      void relay.then((r) => {
        r.trouble.loss = loss;
      });
    }
    return;
  }
  const { n, id, address, text } = message;
  void rewrite(id, address, text).then((done) => {
    process.send?.({ n, text: done } satisfies FromRelays);
  });
});
process.on("disconnect", () => process.exit(0));
