import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { createManualClock } from "../host.harness.ts";
import { createSocketGuard, HEARTBEAT_MS, type SocketLimits } from "./socket-guard.ts";

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  readonly closed: number[] = [];
  pings = 0;
  terminated = false;
  send(frame: unknown): void {
    this.sent.push(frame);
  }
  ping(): void {
    this.pings += 1;
  }
  close(code: number): void {
    this.closed.push(code);
    this.readyState = 2;
  }
  terminate(): void {
    this.terminated = true;
    this.readyState = 3;
  }
}

function setUp(limits: Partial<SocketLimits> = {}) {
  const socket = new FakeSocket();
  const clock = createManualClock();
  const seen: unknown[] = [];
  const guard = createSocketGuard(
    socket as unknown as WebSocket,
    clock,
    { framesPerSecond: 1, burst: 3, badFrames: 2, ...limits },
    {
      onText: (text) => seen.push(text),
      onBinary: (bytes) => seen.push([...bytes]),
      onLimited: () => seen.push("limited"),
      onGone: () => seen.push("gone"),
    },
  );
  const emitMessage = (data: unknown, binary = false): void =>
    void socket.emit("message", data, binary);
  return { socket, clock, seen, guard, emitMessage };
}

describe("The socket guard", () => {
  it("passes frames within the rate, counts those above, and closes after too many", () => {
    const { seen, emitMessage, socket, guard } = setUp();
    for (const text of ["a", "b", "c", "d"]) emitMessage(Buffer.from(text));
    expect(seen).toEqual(["a", "b", "c", "limited"]);
    expect(guard.open).toBe(true);
    emitMessage(Buffer.from("e"));
    expect(socket.closed).toEqual([4429]);
    emitMessage(Buffer.from("f"));
    expect(seen).toEqual(["a", "b", "c", "limited", "limited"]);
  });

  it("lets granted frames through on top of the rate", () => {
    const { seen, emitMessage, guard } = setUp({ burst: 1 });
    guard.grant(1);
    for (const text of ["a", "b", "c"]) emitMessage(Buffer.from(text));
    expect(seen).toEqual(["a", "b", "limited"]);
  });

  it("passes binary frames as bytes in whatever form they arrive, and sends bytes as they are", () => {
    const { seen, emitMessage, guard, socket } = setUp();
    emitMessage(Buffer.from([1, 2]), true);
    emitMessage([Buffer.from([3]), Buffer.from([4])], true);
    emitMessage(new Uint8Array([5]).buffer, true);
    expect(seen).toEqual([[1, 2], [3, 4], [5]]);
    const bytes = new Uint8Array([9]);
    expect([guard.send(bytes), guard.send({ op: 1 })]).toEqual([true, true]);
    expect(socket.sent).toEqual([bytes, '{"op":1}']);
  });

  it("closes after the bad frames that it allows", () => {
    const { guard, socket } = setUp();
    guard.bad();
    expect(socket.closed).toEqual([]);
    guard.bad();
    expect(socket.closed).toEqual([4400]);
  });

  it.each([
    ["25 seconds", {}, HEARTBEAT_MS],
    ["the protocol's own interval", { pingMs: 30_000 }, 30_000],
  ])("pings every %s, and terminates a peer that was silent for one interval", (_, limits, ms) => {
    const { socket, clock, seen } = setUp(limits);
    clock.advance(ms - 1);
    expect(socket.pings).toBe(0);
    clock.advance(1);
    expect(socket.pings).toBe(1);
    socket.emit("pong");
    clock.advance(ms);
    expect([socket.pings, socket.terminated]).toEqual([2, false]);
    clock.advance(ms);
    expect([socket.terminated, seen, clock.pending]).toEqual([true, ["gone"], 0]);
    socket.emit("close");
    expect(seen).toEqual(["gone"]);
  });

  it.each([
    ["8 MiB", {}, 8 * 1024 * 1024],
    ["the protocol's own bound", { sendBufferBytes: 1000 }, 1000],
  ])("terminates a peer for which more than %s wait", (_, limits, bytes) => {
    const { socket, guard, seen } = setUp(limits);
    socket.bufferedAmount = bytes;
    expect(guard.send({})).toBe(true);
    socket.bufferedAmount = bytes + 1;
    expect(guard.send({})).toBe(false);
    expect([socket.terminated, seen]).toEqual([true, ["gone"]]);
  });
});
