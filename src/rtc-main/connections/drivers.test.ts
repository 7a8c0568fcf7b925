import { expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { createTally } from "../tally.ts";
import { createDrivers } from "./drivers.ts";

function many() {
  const world = fakeWorld();
  const tally = createTally();
  const out: string[] = [];
  const drivers = createDrivers(
    world.deps,
    { config: { iceServers: [] }, tally, code: "conference.connection-failed" },
    {
      description: (rtcId, type) => out.push(`${rtcId} ${type}`),
      candidates: (rtcId, cands) => out.push(`${rtcId} ${cands.length} candidates`),
      state: (rtcId, state) => out.push(`${rtcId} ${state}`),
      failed: (rtcId, error) => out.push(`${rtcId} ${error.code}`),
    },
  );
  return { world, tally, out, drivers };
}
const OFFER = "m=audio 9\r\n";

it("Candidates that arrive before their connection are added once it has its description", async () => {
  const { drivers, world } = many();
  drivers.addCandidates("r1", [{ candidate: "early", sdpMid: "0" }]);
  drivers.open("r1")?.acceptOffer(OFFER);
  await settle();
  expect(world.connections[0]?.added.map(({ candidate }) => candidate)).toEqual(["early"]);
});

it("Candidates of a closed connection are dropped, until the connection is opened again", async () => {
  const { drivers, world } = many();
  drivers.open("r1");
  drivers.close("r1");
  expect(drivers.wasClosed("r1")).toBe(true);
  drivers.addCandidates("r1", [{ candidate: "late", sdpMid: "0" }]);
  drivers.open("r1")?.acceptOffer(OFFER);
  await settle();
  expect(drivers.wasClosed("r1")).toBe(false);
  expect(world.connections[1]?.added).toEqual([]);
});

it("Early candidates are kept for the 64 newest connections", async () => {
  const { drivers, world } = many();
  for (let id = 0; id < 65; id += 1) {
    drivers.addCandidates(`r${id}`, [{ candidate: `of ${id}`, sdpMid: "0" }]);
  }
  for (const rtcId of ["r0", "r1"]) drivers.open(rtcId)?.acceptOffer(OFFER);
  await settle();
  expect(world.connections.map(({ added }) => added.length)).toEqual([0, 1]);
});

it("A connection that the browser refuses is reported, and nothing stays open", () => {
  const { drivers, world, out, tally } = many();
  Object.assign(world.deps, {
    createConnection() {
      throw new SyntaxError("bad url");
    },
  });
  expect(drivers.open("r1")).toBeNull();
  expect(out).toEqual(["r1 conference.connection-failed"]);
  expect([drivers.rtcIds(), tally.read().peers]).toEqual([[], 0]);
});

it("Statistics of a connection that has none do not hide those of the others", async () => {
  const { drivers, world } = many();
  drivers.open("r1");
  drivers.open("r2");
  const [broken, working] = world.connections;
  broken!.getStats = () => Promise.reject(new Error("gone"));
  working!.stats = new Map([
    ["o", { id: "o", type: "outbound-rtp", kind: "audio", timestamp: 1, bytesSent: 5 }],
  ]);
  const ids = (await drivers.sample()).map(({ rtcId }) => rtcId);
  expect(ids).toEqual(["r2"]);
  expect(world.reports).toEqual(["statistics failed: Error: gone"]);
});

it("A hundred connections leave nothing open", async () => {
  const { drivers, world, tally } = many();
  for (let id = 0; id < 100; id += 1) drivers.open(`r${id}`)?.offer();
  await settle();
  for (let id = 0; id < 50; id += 1) drivers.close(`r${id}`);
  drivers.closeAll();
  expect(world.connections.every(({ closed }) => closed)).toBe(true);
  expect(tally.read()).toMatchObject({ peers: 0, listeners: 0 });
  expect([drivers.rtcIds(), world.clock.pending]).toEqual([[], 0]);
});
