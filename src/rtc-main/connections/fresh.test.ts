import { expect, it } from "vitest";
import { FakeClock, settle } from "../clock.fake.ts";
import { FakeConnection } from "./connection.fake.ts";
import {
  type ConnectionFrame,
  createFreshConnections,
  LINGER_MS,
  LOOK_MS,
  LOOKS,
  STALE_MS,
} from "./fresh.ts";

const host = (...addresses: string[]) =>
  new Map<string, unknown>(
    addresses.map((address) => [
      address,
      { type: "local-candidate", candidateType: "host", address },
    ]),
  );

/** @param found the addresses that a connection of a frame finds */
function world(found: string[]) {
  const clock = new FakeClock();
  const frames: { made: FakeConnection[]; removed: boolean }[] = [];
  const page: FakeConnection[] = [];
  const make = (list: FakeConnection[], config: RTCConfiguration): RTCPeerConnection => {
    const pc = new FakeConnection(config);
    list.push(pc);
    return pc as unknown as RTCPeerConnection;
  };
  const fresh = createFreshConnections(
    { clock, create: (config) => make(page, config) },
    (): ConnectionFrame => {
      const frame = { made: [] as FakeConnection[], removed: false };
      frames.push(frame);
      return {
        create(config) {
          const pc = make(frame.made, config);
          (pc as unknown as FakeConnection).stats = host(...found);
          return pc;
        },
        remove() {
          frame.removed = true;
        },
      };
    },
  );
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += LOOK_MS) {
      clock.pass(LOOK_MS);
      await settle();
    }
  };
  const ask = async (...known: string[]): Promise<boolean> => {
    const stats = { getStats: () => Promise.resolve(host(...known)) };
    const answer = fresh.hasMoved(stats as unknown as RTCPeerConnection);
    await settle();
    await pass(LOOK_MS * (LOOKS + 1));
    return answer;
  };
  return { clock, frames, page, fresh, pass, ask };
}

it("A machine has moved when it has none of the connection's addresses any more", async () => {
  expect(await world(["10.0.0.2"]).ask("10.0.0.1")).toBe(true);
  expect(await world(["10.0.0.1", "10.0.0.2"]).ask("10.0.0.1")).toBe(false);
  expect(await world([]).ask("10.0.0.1")).toBe(false);
});

it("A browser that hides the addresses is not asked", async () => {
  const w = world(["10.0.0.2"]);
  expect(await w.ask("6f2c1b.local")).toBe(false);
  expect(w.frames).toEqual([]);
});

it("Connections are made in the frame until the page knows the addresses; the frame goes with the last of them", async () => {
  const w = world(["10.0.0.2"]);
  w.fresh.create({});
  await w.ask("10.0.0.1");
  const [frame] = w.frames;
  const inside = w.fresh.create({ iceServers: [] });
  // The first one looked for the addresses.
  expect([frame?.made.length, frame?.made[0]?.closed, w.page.length]).toEqual([2, true, 1]);
  await w.pass(STALE_MS);
  w.fresh.create({});
  expect([frame?.made.length, w.page.length, frame?.removed]).toEqual([2, 2, false]);
  inside.close();
  inside.close();
  expect([frame?.made[1]?.closed, frame?.removed]).toEqual([true, false]);
  await w.pass(LINGER_MS);
  expect(frame?.removed).toBe(true);
});

it("A frame that nobody uses is removed", async () => {
  const w = world(["10.0.0.2"]);
  await w.ask("10.0.0.1");
  expect(w.frames[0]?.removed).toBe(false);
  await w.pass(STALE_MS + LINGER_MS);
  expect(w.frames[0]?.removed).toBe(true);
  const still = world(["10.0.0.1"]);
  await still.ask("10.0.0.1");
  await still.pass(LINGER_MS);
  expect(still.frames[0]?.removed).toBe(true);
});
