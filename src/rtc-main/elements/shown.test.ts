import { expect, it } from "vitest";
import { FakeTrack } from "../media/devices.fake.ts";
import { createShown } from "./shown.ts";

function view() {
  const log: string[] = [];
  const names = new Map<MediaStreamTrack, string>();
  const shown = createShown(
    (kind, track) => log.push(`${kind} ${track === null ? "none" : names.get(track)}`),
    () => log.push("freeze"),
    () => log.push("changed"),
  );
  const add = (rtcId: string, kind: "audio" | "video"): void => {
    const track = new FakeTrack(kind) as unknown as MediaStreamTrack;
    names.set(track, rtcId);
    shown.track(rtcId, track);
  };
  return { shown, add, log };
}

it("The new connection is shown from its first frame on", () => {
  const { shown, add, log } = view();
  add("r1", "video");
  shown.first("r1", "video");
  expect(log).toEqual(["video r1", "video r1", "changed"]);
  log.length = 0;
  add("r2", "video");
  expect(log).toEqual([]);
  shown.first("r2", "video");
  expect(log).toEqual(["video r2"]);
  shown.gone("r1");
  expect(log).toEqual(["video r2"]);
});

it("A closed connection's last picture stays until the next connection's first frame; sound switches at once", () => {
  const { shown, add, log } = view();
  add("r1", "video");
  add("r1", "audio");
  shown.first("r1", "video");
  shown.first("r1", "audio");
  log.length = 0;
  shown.gone("r1");
  expect(log).toEqual(["freeze"]);
  expect(shown.hasVideo).toBe(true);
  add("r2", "audio");
  add("r2", "video");
  expect(log).toEqual(["freeze", "audio r2"]);
  shown.first("r2", "video");
  expect(log).toEqual(["freeze", "audio r2", "video r2"]);
});

it("The older connection is shown again when the newer one closes", () => {
  const { shown, add, log } = view();
  for (const rtcId of ["r1", "r2"]) {
    add(rtcId, "video");
    shown.first(rtcId, "video");
  }
  log.length = 0;
  shown.gone("r2");
  expect(log).toEqual(["video r1"]);
});

it("A late first frame of an older connection does not replace the newer one", () => {
  const { shown, add, log } = view();
  add("r1", "video");
  add("r2", "video");
  shown.first("r2", "video");
  log.length = 0;
  shown.first("r1", "video");
  expect(log).toEqual([]);
});

it("clear() removes picture and sound", () => {
  const { shown, add, log } = view();
  add("r1", "video");
  shown.first("r1", "video");
  log.length = 0;
  shown.clear();
  expect(log).toEqual(["audio none", "video none", "changed"]);
  expect(shown.hasVideo).toBe(false);
});
