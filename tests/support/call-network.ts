/**
 * A bad network between the two browsers of a call, inside the test's process: all media pass a relay that loses, delays or limits packets.
 * The relay stands in the candidates that the first person's browser is given; the second person's browser gets none, so that no other way
 * exists, and learns the relay's from the packets.
 */
import { createUdpRelay, type NetworkTrouble, type UdpRelay } from "../media/udp-relay.ts";
import type { Person } from "./people.ts";

declare global {
  // Set by `listen`: the candidate as the browser is to use it; "" for none.
  var relayedCandidate: (connection: string, candidate: string) => Promise<string>;
}

/** Runs in the page before its scripts. */
function useRelay(): void {
  const Original = globalThis.RTCPeerConnection;
  let made = 0;
  globalThis.RTCPeerConnection = class extends Original {
    // A connection that is negotiated again keeps its sockets, and another one has others.
    private readonly relayName = `${performance.timeOrigin} ${(made += 1)}`;
    override async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
      const lines = (description.sdp ?? "").split("\r\n");
      const sdp = lines.filter((line) => !/^a=(candidate|end-of-candidates)/.test(line));
      await super.setRemoteDescription({ ...description, sdp: sdp.join("\r\n") });
    }
    override async addIceCandidate(given?: RTCIceCandidateInit | null): Promise<void> {
      const candidate = given?.candidate ?? "";
      if (candidate === "" || / tcp /i.test(candidate)) return;
      const relayed = await globalThis.relayedCandidate(this.relayName, candidate);
      if (relayed !== "") await super.addIceCandidate({ ...given, candidate: relayed });
    }
  };
}

export interface CallNetwork {
  /** From now on, for connections that exist and those to come. `rateUp` is what the first person sends. */
  change(trouble: Partial<NetworkTrouble>): void;
  close(): void;
}

const NONE: NetworkTrouble = { loss: 0, delay: 0, cut: false, rate: 0, rateUp: 0 };

/** Call before the pages of the call are loaded. */
export async function createCallNetwork(
  first: Person,
  second: Person,
  random: () => number,
): Promise<CallNetwork> {
  const relays = new Map<string, Promise<UdpRelay>>();
  let trouble = NONE;
  const relayOf = (name: string): Promise<UdpRelay> => {
    const known = relays.get(name);
    if (known !== undefined) return known;
    const made = createUdpRelay("127.0.0.1", random).then((relay) => {
      Object.assign(relay.trouble, trouble);
      return relay;
    });
    relays.set(name, made);
    return made;
  };
  const listen = async (
    person: Person,
    answer: (name: string, candidate: string) => Promise<string>,
  ): Promise<void> => {
    await person.context.exposeFunction("relayedCandidate", answer);
    await person.context.addInitScript(useRelay);
  };
  await listen(first, async (name, candidate) => (await relayOf(name)).rewrite(candidate));
  await listen(second, () => Promise.resolve(""));
  return {
    change(next) {
      trouble = { ...NONE, ...next };
      for (const made of relays.values())
        void made.then((relay) => Object.assign(relay.trouble, trouble));
    },
    close() {
      for (const made of relays.values()) void made.then((relay) => relay.close());
    },
  };
}
