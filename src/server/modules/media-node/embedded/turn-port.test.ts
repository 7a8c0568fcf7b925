import type { Socket } from "node:dgram";
import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { isProven, readBinding, setTieBreaker } from "../stun/binding.ts";
import { REQUEST, RESPONSE, RFC_PASSWORD } from "../stun/binding.harness.ts";
import { createTurnPort } from "./turn-port.ts";

const NODE = { address: "127.0.0.1", port: 5000 };
const BROWSER = { address: "198.51.100.7", port: 40_000 };

/** A socket that hears what the test says. */
class FakeSocket extends EventEmitter {
  readonly sent: { readonly packet: Buffer; readonly port: number; readonly address: string }[] =
    [];
  closed = false;
  send(packet: Buffer, port: number, address: string): void {
    this.sent.push({ packet: Buffer.from(packet), port, address });
  }
  close(): void {
    this.closed = true;
  }
  address(): { readonly port: number } {
    return { port: 6000 };
  }
}

function portOf(limit = 10) {
  const front = new FakeSocket();
  const opened: FakeSocket[] = [];
  const clock = { now: 0 };
  const port = createTurnPort({
    front: front as unknown as Socket,
    node: NODE,
    open: () => {
      const socket = new FakeSocket();
      opened.push(socket);
      return socket as unknown as Socket;
    },
    limit,
    now: () => clock.now,
  });
  port.admit("evtj", RFC_PASSWORD);
  return {
    port,
    opened,
    clock,
    front,
    fromBrowser: (packet: Buffer, from = BROWSER) => front.emit("message", packet, from),
  };
}

const bindingOf = (packet: Buffer) => readBinding(packet) ?? expect.fail("no binding");

/** The check that Chromium sends through TURN over TCP. */
function zeroCheck(password = RFC_PASSWORD): Buffer {
  const packet = REQUEST();
  setTieBreaker(packet, bindingOf(packet), password, 0n);
  return packet;
}

describe("The port for browsers behind TURN over TCP", () => {
  it("gives a check with the tie-breaker zero another one, which the node can prove", () => {
    const { port, opened, fromBrowser } = portOf();
    expect(port.port).toBe(6000);
    fromBrowser(zeroCheck());
    const [first] = opened[0]?.sent ?? [];
    expect(first).toMatchObject(NODE);
    const packet = first?.packet ?? Buffer.alloc(0);
    const binding = bindingOf(packet);
    expect(packet.readBigUInt64BE(binding.tieBreaker ?? 0)).toBe(1n);
    expect(isProven(packet, binding, RFC_PASSWORD)).toBe(true);
  });

  it("passes everything else on as it is, in both directions, and tells the browser its own address", () => {
    const { opened, front, fromBrowser } = portOf();
    fromBrowser(zeroCheck());
    const media = Buffer.from([0x80, 96, 1, 2, 3]);
    fromBrowser(media);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.sent[1]?.packet.equals(media)).toBe(true);

    opened[0]?.emit("message", media, NODE);
    opened[0]?.emit("message", RESPONSE(), NODE);
    expect(front.sent.map(({ port, address }) => ({ port, address }))).toEqual([BROWSER, BROWSER]);
    expect(front.sent[0]?.packet.equals(media)).toBe(true);
    const answer = front.sent[1]?.packet ?? Buffer.alloc(0);
    const { mapped } = bindingOf(answer);
    expect(answer.readUInt16BE((mapped ?? 0) + 2) ^ 0x2112).toBe(BROWSER.port);
    expect(isProven(answer, bindingOf(answer), RFC_PASSWORD)).toBe(true);
    // What did not come from the node does not reach the browser.
    opened[0]?.emit("message", media, { ...NODE, port: 1 });
    expect(front.sent).toHaveLength(2);
  });

  it("answers nobody else: no check with another tie-breaker, none without the password, none of a connection that is gone", () => {
    const { port, opened, fromBrowser } = portOf();
    fromBrowser(REQUEST());
    fromBrowser(zeroCheck("another"));
    fromBrowser(Buffer.from([0x80, 96, 1]));
    port.forget("evtj");
    fromBrowser(zeroCheck());
    expect(opened).toEqual([]);
  });

  it("has so many browsers at most, and lets go of those that were silent for 30 s", () => {
    const { port, opened, clock, fromBrowser } = portOf(1);
    const other = { ...BROWSER, port: 40_001 };
    fromBrowser(zeroCheck());
    fromBrowser(zeroCheck(), other);
    expect(opened).toHaveLength(1);
    clock.now = 30_000;
    port.sweep();
    expect(opened[0]?.closed).toBe(false);
    clock.now = 30_001;
    port.sweep();
    expect(opened[0]?.closed).toBe(true);
    fromBrowser(zeroCheck(), other);
    expect(opened).toHaveLength(2);
    port.close();
    expect(opened[1]?.closed).toBe(true);
  });
});
