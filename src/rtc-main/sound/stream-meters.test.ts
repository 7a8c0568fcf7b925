import { expect, it } from "vitest";
import { SILENT } from "./reading.ts";
import { createStreamMeters, type Metered } from "./stream-meters.ts";

function meters() {
  const open = new Set<string>();
  const levels: Record<string, number> = {};
  const asked: string[] = [];
  const cheap: Record<string, number> = {};
  const made = createStreamMeters((track) => {
    open.add(track.id);
    return {
      level: () => levels[track.id] ?? 0,
      reading: () => ({ ...SILENT, instant: levels[track.id] ?? 0, slow: 0.1 }),
      runs: () => track.id !== "suspended",
      close: () => void open.delete(track.id),
    };
  });
  const stream = (id: string | null, level: number | null = null): Metered => ({
    track: id === null ? null : ({ id } as MediaStreamTrack),
    level: async () => cheap[id ?? ""] ?? null,
    statistics: async () => {
      asked.push(id ?? "");
      return level;
    },
  });
  return { made, open, levels, asked, cheap, stream };
}

it("Each stream has one meter, which follows its track and ends with it", async () => {
  const { made, open, stream } = meters();
  await made.read(new Map([["a", stream("t1")]]), false);
  await made.read(new Map([["a", stream("t1")]]), false);
  expect([...open]).toEqual(["t1"]);
  await made.read(
    new Map([
      ["a", stream("t2")],
      ["b", stream("t3")],
    ]),
    false,
  );
  expect([...open]).toEqual(["t2", "t3"]);
  await made.read(new Map([["a", stream(null)]]), false);
  expect([...open]).toEqual([]);
  await made.read(new Map([["b", stream("t3")]]), false);
  made.close();
  expect([...open]).toEqual([]);
});

it("The statistics stand in where the meter hears nothing", async () => {
  const { made, levels, stream } = meters();
  levels["t1"] = 0.3;
  const readings = await made.read(
    new Map([
      ["heard", stream("t1", 0.9)],
      ["unheard", stream("t2", 0.2)],
      ["without", stream(null, null)],
    ]),
    true,
  );
  expect(readings.get("heard")).toMatchObject({ instant: 0.3, slow: 0.1, trackAudioLevel: 0.9 });
  expect(readings.get("unheard")).toMatchObject({ instant: 0.2, trackAudioLevel: 0.2 });
  expect(readings.get("without")).toEqual({ ...SILENT, trackAudioLevel: null });
});

it("A running meter asks no statistics, which cost more than the measuring, unless somebody reads them", async () => {
  const { made, levels, asked, stream } = meters();
  const streams = new Map([
    ["silent", stream("t1", 0.9)],
    ["suspended", stream("suspended", 0.4)],
    ["without", stream(null, 0.3)],
  ]);
  levels["t1"] = 0;
  const readings = await made.read(streams, false);
  expect(asked).toEqual(["suspended", ""]);
  expect([...readings.values()].map(({ instant }) => instant)).toEqual([0, 0.4, 0.3]);
  expect(readings.get("silent")?.trackAudioLevel).toBeNull();
  await made.read(streams, true);
  expect(asked.slice(2)).toEqual(["t1", "suspended", ""]);
});

it("A level that the packets name stands for the meter, which is closed, unless somebody reads all of it", async () => {
  const { made, open, levels, asked, cheap, stream } = meters();
  levels["t1"] = 0.3;
  const streams = new Map([["a", stream("t1", 0.9)]]);
  await made.read(streams, false);
  expect([...open]).toEqual(["t1"]);
  cheap["t1"] = 0.2;
  expect((await made.read(streams, false)).get("a")).toEqual({ ...SILENT, instant: 0.2 });
  expect([...open, ...asked]).toEqual([]);
  expect((await made.read(streams, true)).get("a")).toMatchObject({
    instant: 0.3,
    trackAudioLevel: 0.9,
  });
  expect([...open]).toEqual(["t1"]);
});
