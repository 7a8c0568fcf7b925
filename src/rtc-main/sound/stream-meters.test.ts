import { expect, it } from "vitest";
import { SILENT } from "./reading.ts";
import { createStreamMeters, type Metered } from "./stream-meters.ts";

function meters() {
  const open = new Set<string>();
  const levels: Record<string, number> = {};
  const made = createStreamMeters((track) => {
    open.add(track.id);
    return {
      level: () => levels[track.id] ?? 0,
      reading: () => ({ ...SILENT, instant: levels[track.id] ?? 0, slow: 0.1 }),
      close: () => void open.delete(track.id),
    };
  });
  const stream = (id: string | null, level: number | null = null): Metered => ({
    track: id === null ? null : ({ id } as MediaStreamTrack),
    statistics: async () => level,
  });
  return { made, open, levels, stream };
}

it("Each stream has one meter, which follows its track and ends with it", async () => {
  const { made, open, stream } = meters();
  await made.read(new Map([["a", stream("t1")]]));
  await made.read(new Map([["a", stream("t1")]]));
  expect([...open]).toEqual(["t1"]);
  await made.read(
    new Map([
      ["a", stream("t2")],
      ["b", stream("t3")],
    ]),
  );
  expect([...open]).toEqual(["t2", "t3"]);
  await made.read(new Map([["a", stream(null)]]));
  expect([...open]).toEqual([]);
  await made.read(new Map([["b", stream("t3")]]));
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
  );
  expect(readings.get("heard")).toMatchObject({ instant: 0.3, slow: 0.1, trackAudioLevel: 0.9 });
  expect(readings.get("unheard")).toMatchObject({ instant: 0.2, trackAudioLevel: 0.2 });
  expect(readings.get("without")).toEqual({ ...SILENT, trackAudioLevel: null });
});
