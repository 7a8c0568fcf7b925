import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock, settle } from "../clock.fake.ts";
import { createSilence, LOOK_MS, SILENT_MS, type Silence, trafficOf } from "./silence.ts";

/** Connections whose traffic the test decides. */
class Path {
  received = 0;
  sent = 0;
  looks = 0;
  flows = true;
  /** Looks from one arrival to the next. */
  every = 1;
  readonly rtcId: string;
  readonly publishes: boolean;
  constructor(rtcId: string, publishes: boolean) {
    this.rtcId = rtcId;
    this.publishes = publishes;
  }
  traffic() {
    this.looks += 1;
    this.sent += 10;
    if (this.flows && this.looks % this.every === 0) this.received += 10;
    return Promise.resolve({ received: this.received, sent: this.sent });
  }
}
let clock: FakeClock;
let paths: Path[];
let reported: string[];
let silence: Silence;
beforeEach(() => {
  clock = new FakeClock();
  paths = [];
  reported = [];
  silence = createSilence(
    clock,
    () => paths,
    (event, rtcId) => reported.push(`${event} ${rtcId}`),
  );
  silence.start();
});
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= LOOK_MS) {
    clock.pass(LOOK_MS);
    await settle();
  }
}
const open = async (rtcId: string, publishes: boolean, every = 1): Promise<Path> => {
  const path = new Path(rtcId, publishes);
  path.every = every;
  paths.push(path);
  await pass(20 * every * LOOK_MS);
  return path;
};

describe("A connection on which nothing arrives any more", () => {
  it("is reported within a third of a second, once, and so is its first packet", async () => {
    const path = await open("p", true);
    path.flows = false;
    await pass(SILENT_MS - LOOK_MS);
    expect(reported).toEqual([]);
    await pass(2 * LOOK_MS);
    expect(reported).toEqual(["silent p"]);
    await pass(3000);
    expect(reported).toEqual(["silent p"]);
    path.flows = true;
    await pass(LOOK_MS);
    expect(reported).toEqual(["silent p", "heard p"]);
  });

  it("is judged by its own unevenness", async () => {
    const path = await open("p", true, 5);
    path.flows = false;
    await pass(2 * 5 * LOOK_MS - LOOK_MS);
    expect(reported).toEqual([]);
    await pass(6 * LOOK_MS);
    expect(reported).toEqual(["silent p"]);
  });

  it("is not judged while it sends nothing, or was looked at for a moment only", async () => {
    const path = await open("p", true);
    path.flows = false;
    path.traffic = () => Promise.resolve({ received: path.received, sent: path.sent });
    await pass(3000);
    expect(reported).toEqual([]);
    paths = [];
    await pass(LOOK_MS);
    const young = new Path("young", true);
    paths = [young];
    await pass(3 * LOOK_MS);
    young.flows = false;
    await pass(3000);
    expect(reported).toEqual([]);
  });
});

it("Only one connection is looked at, one that publishes if there is one", async () => {
  const [first, second] = [await open("a", false), await open("b", true)];
  expect(first.looks).toBeGreaterThan(0);
  const before = first.looks;
  await pass(1000);
  expect(first.looks).toBe(before);
  expect(second.looks).toBeGreaterThan(before);
});

it("A restarted connection is looked at until something arrives", async () => {
  const [sample, other] = [await open("p", true), new Path("s", false)];
  paths = [sample, other];
  other.flows = false;
  silence.restarting("s");
  await pass(500);
  expect(reported).toEqual([]);
  other.flows = true;
  await pass(2 * LOOK_MS);
  expect(reported).toEqual(["heard s"]);
  const { looks } = other;
  await pass(500);
  expect(other.looks).toBe(looks);
});

it("A busy machine is looked at less often, so that looks cost at most a ninth of its time", async () => {
  const path = await open("p", true);
  const traffic = path.traffic.bind(path);
  path.traffic = () =>
    new Promise((resolve) => {
      clock.after(40, () => void traffic().then(resolve));
    });
  const { looks } = path;
  for (let i = 0; i < 360; i += 1) {
    clock.pass(10);
    await settle();
  }
  expect(path.looks - looks).toBe(10);
  expect(reported).toEqual([]);
});

it("A tab that was too busy to look has heard no silence of the network", async () => {
  const path = await open("p", true);
  path.flows = false;
  // One look after a second, in which nothing ran.
  clock.stall(1000);
  await settle();
  await pass(2 * LOOK_MS);
  expect(reported).toEqual([]);
  await pass(SILENT_MS);
  expect(reported).toEqual(["silent p"]);
});

it("Nothing runs after the end", async () => {
  await open("p", true);
  silence.close();
  await pass(LOOK_MS);
  expect(clock.pending).toBe(0);
});

it("Traffic is the sum of all candidate pairs; a browser without these counts is not judged", () => {
  const pair = { type: "candidate-pair", bytesReceived: 5, bytesSent: 2, responsesReceived: 1 };
  expect(
    trafficOf(
      new Map([
        ["a", pair],
        ["b", pair],
      ]),
    ),
  ).toEqual({ received: 12, sent: 4 });
  expect(trafficOf(new Map([["a", { type: "candidate-pair" }]]))).toBeNull();
});
