import { expect, it } from "vitest";
import { FakeTrack } from "../media/devices.fake.ts";
import { createTally } from "../tally.ts";
import { FakeEffects } from "./effects.fake.ts";
import { createEffects, type Effects } from "./effects.ts";

const NONE: Effects = { background: false, noise: false };
const BLUR: Effects = { background: true, noise: false };
const QUIET: Effects = { background: false, noise: true };

function tab() {
  const port = new FakeEffects();
  const tally = createTally();
  const reports: string[] = [];
  const reported: string[] = [];
  const effects = createEffects(
    { effects: port, report: (message) => reports.push(message) },
    tally,
    () => {
      const { states } = effects.read();
      reported.push(`${states.background} ${states.noise}`);
    },
  );
  const wear = (kind: "audio" | "video") => {
    const source = new FakeTrack(kind);
    let changes = 0;
    const worn = effects.wear(source as unknown as MediaStreamTrack, () => (changes += 1));
    return {
      source,
      worn,
      /** Label of the track that is sent. */
      sent: () => (worn.track as unknown as FakeTrack | null)?.label ?? null,
      changes: () => changes,
    };
  };
  return { port, tally, reports, reported, effects, wear };
}

it("A camera that opens while blur is wanted sends nothing before the first blurred frame", () => {
  const { effects, wear, port } = tab();
  effects.want(BLUR);
  const { sent, changes } = wear("video");
  expect([sent(), effects.read().states.background]).toEqual([null, "starting"]);
  port.started[0]?.running();
  expect([sent(), changes(), effects.read().states.background]).toEqual([
    "changed background",
    1,
    "on",
  ]);
});

it("An effect that is switched during a call changes the track that is sent, and keeps the former one until then", () => {
  const { effects, wear, port } = tab();
  const { sent, changes } = wear("video");
  expect([sent(), port.started.length]).toEqual(["fake video", 0]);
  effects.want(BLUR);
  expect([sent(), changes()]).toEqual(["fake video", 0]);
  port.started[0]?.running();
  expect([sent(), changes()]).toEqual(["changed background", 1]);
  effects.want(NONE);
  expect([sent(), changes()]).toEqual(["fake video", 2]);
  expect([port.started[0]?.closed, port.started[0]?.track.stopped]).toEqual([true, true]);
});

it("A microphone sends its own sound until the suppressed one is there, and stays muted", () => {
  const { effects, wear, port } = tab();
  effects.want(QUIET);
  const { sent, source } = wear("audio");
  expect(sent()).toBe("fake audio");
  source.enabled = false;
  port.started[0]?.running();
  expect([sent(), port.started[0]?.track.enabled]).toEqual(["changed noise", false]);
});

it.each(["slow", "failed"] as const)(
  "An effect that is %s is switched off, the source is sent, and the state says why until it is wanted again",
  (why) => {
    const { effects, wear, port, reports } = tab();
    effects.want(BLUR);
    const { sent } = wear("video");
    port.started[0]?.[why]("no format");
    expect([sent(), effects.read().states.background]).toEqual(["fake video", why]);
    expect([effects.read().wanted, port.started[0]?.closed]).toEqual([NONE, true]);
    expect(reports).toEqual(why === "failed" ? ["background failed: no format"] : []);
    effects.want(NONE);
    expect(effects.read().states.background).toBe(why);
    effects.want(BLUR);
    expect([effects.read().states.background, port.started.length]).toEqual(["starting", 2]);
  },
);

it("An effect that cannot even start leaves the source, and says that it failed", () => {
  const { effects, wear, port, reports, tally } = tab();
  port.broken = true;
  effects.want(BLUR);
  expect(wear("video").sent()).toBe("fake video");
  expect([effects.read().states.background, effects.read().wanted]).toEqual(["failed", NONE]);
  expect(reports).toEqual(["background does not start: Error: no worker"]);
  expect(tally.read()).toMatchObject({ tracks: 0, workers: 0 });
});

it("The states are one object until something changes, and every change is told", () => {
  const { effects, wear, port, reported } = tab();
  const before = effects.read();
  expect(effects.read()).toBe(before);
  effects.want(BLUR);
  const { worn } = wear("video");
  port.started[0]?.running();
  worn.close();
  expect(reported).toEqual(["off off", "starting off", "on off", "off off"]);
});

it("A browser without effects sends the source, also when they are wanted", () => {
  const { effects, wear, port } = tab();
  port.cannot.add("background");
  effects.want({ background: true, noise: true });
  expect(wear("video").sent()).toBe("fake video");
  expect(effects.read().states).toEqual({ background: "absent", noise: "off" });
});

it("A hundred devices that open and close, with effects that run or just start, leave nothing open", () => {
  const { effects, wear, port, tally } = tab();
  for (let round = 0; round < 100; round += 1) {
    effects.want({ background: true, noise: round % 3 !== 0 });
    const camera = wear("video");
    const microphone = wear("audio");
    if (round % 2 === 0) for (const one of port.started.slice(-2)) one.running();
    if (round % 5 === 0) effects.want(NONE);
    camera.worn.close();
    microphone.worn.close();
    expect([camera.source.stopped, microphone.source.stopped]).toEqual([false, false]);
  }
  expect(port.started.length).toBeGreaterThan(150);
  expect(port.started.every(({ closed }) => closed)).toBe(true);
  expect(tally.read()).toMatchObject({ tracks: 0, workers: 0 });
});
