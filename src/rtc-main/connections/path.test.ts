import { describe, expect, it } from "vitest";
import { createTally } from "../tally.ts";
import { watchPath } from "./path.ts";

const HOST = 2_122_063_615;
const RELAY = 25_108_479;
const NODE = 2_114_977_791;
const BESIDE = 2_081_423_359;

class FakeTransport extends EventTarget {
  pair: unknown = null;
  getSelectedCandidatePair(): unknown {
    return this.pair;
  }
  use(local: number, remote: number, usernameFragment = "a"): void {
    this.pair = { local: { priority: local, usernameFragment }, remote: { priority: remote } };
    this.dispatchEvent(new Event("selectedcandidatepairchange"));
  }
}

function world(transport: FakeTransport | null = new FakeTransport()) {
  const tally = createTally();
  const pc = Object.assign(new EventTarget(), {
    getTransceivers: () => [{ sender: { transport: transport && { iceTransport: transport } } }],
  });
  let falls = 0;
  const end = watchPath(pc as unknown as RTCPeerConnection, tally, () => {
    falls += 1;
  });
  pc.dispatchEvent(new Event("iceconnectionstatechange"));
  pc.dispatchEvent(new Event("iceconnectionstatechange"));
  return { transport, tally, end, falls: () => falls };
}

describe("The path of a connection", () => {
  it("falls when ICE goes from the direct way to a relay, and not on the way up", () => {
    const { transport, falls } = world();
    transport?.use(RELAY, NODE);
    transport?.use(HOST, NODE);
    expect(falls()).toBe(0);
    transport?.use(RELAY, BESIDE);
    expect(falls()).toBe(1);
    transport?.use(RELAY, NODE);
    expect(falls()).toBe(2);
    transport?.use(HOST, NODE);
    expect(falls()).toBe(2);
  });

  it("starts over with a restart, and nothing is known without priorities", () => {
    const { transport, falls } = world();
    transport?.use(HOST, NODE);
    transport?.use(RELAY, BESIDE, "b");
    expect(falls()).toBe(0);
    transport!.pair = { local: { priority: null }, remote: { priority: 1 } };
    transport?.dispatchEvent(new Event("selectedcandidatepairchange"));
    expect(falls()).toBe(0);
  });

  it("is watched once and until its end; a browser without transports is left alone", () => {
    const { transport, tally, end, falls } = world();
    expect(tally.read().listeners).toBe(2);
    end();
    expect(tally.read().listeners).toBe(0);
    transport?.use(HOST, NODE);
    transport?.use(RELAY, NODE);
    expect(falls()).toBe(0);
    expect(world(null).tally.read().listeners).toBe(1);
  });
});
