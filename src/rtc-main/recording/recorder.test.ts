import { expect, it } from "vitest";
import type { ConferenceMediaEvent } from "../../shared/protocol/confr-media.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { FakeClock, settle } from "../clock.fake.ts";
import { createTally } from "../tally.ts";
import type { RecorderPort } from "./port.ts";
import { createRecorder, type RecordCommand } from "./recorder.ts";
import type { RecordingStore } from "./store.ts";
import { CANVAS_RATE, RECORDER_TYPES, recorderType, type Segment } from "./types.ts";

class PaperRecorder extends EventTarget {
  state = "inactive";
  mimeType = "video/webm;codecs=vp8,opus";
  start(): void {
    this.state = "recording";
    this.dispatchEvent(new Event("start"));
  }
  stop(): void {
    this.state = "inactive";
    this.emitPart("last");
    this.dispatchEvent(new Event("stop"));
  }
  emitPart(text: string): void {
    this.dispatchEvent(Object.assign(new Event("dataavailable"), { data: new Blob([text]) }));
  }
}
const track = (id: string) => ({ id, readyState: "live" }) as MediaStreamTrack;

function world(over: Partial<RecorderPort> = {}) {
  const clock = new FakeClock();
  const tally = createTally();
  const parts: string[] = [];
  const segments: Segment[] = [];
  const recorders: PaperRecorder[] = [];
  const asked: { tracks: string[]; type: string }[] = [];
  const events: Extract<ConferenceMediaEvent, { t: "recording" }>[] = [];
  const drawn: string[] = [];
  const open = new Set<string>();
  let heard: ReadonlySet<MediaStreamTrack> = new Set();
  let tick = (): void => undefined;
  const store: RecordingStore = {
    begin: async () => undefined,
    segment: async (_, one) => void segments.push(one),
    part: async (_, at, index, data) => void parts.push(`${at} ${index} ${await data.text()}`),
    list: async () => [],
    read: async () => [],
    discard: async () => undefined,
  };
  const pen = new Proxy(
    {},
    { get: (_, name) => (name === "measureText" ? () => ({ width: 10 }) : () => undefined) },
  ) as never;
  const port: RecorderPort = {
    supported: () => true,
    supports: (type) => type.includes("vp8"),
    createRecorder(tracks, type) {
      asked.push({ tracks: tracks.map(({ id }) => id), type });
      const made = new PaperRecorder();
      recorders.push(made);
      return made as unknown as MediaRecorder;
    },
    createCanvas({ w, h }) {
      open.add("canvas");
      return {
        pen,
        track: track(`canvas ${w}x${h}`),
        shown: () => drawn.push("picture"),
        close: () => open.delete("canvas"),
      };
    },
    async createMix() {
      open.add("mix");
      return {
        track: track("mix"),
        hear: (tracks) => void (heard = tracks),
        every(draw) {
          tick = draw;
          return () => void (tick = () => undefined);
        },
        close: () => open.delete("mix"),
      };
    },
    createVideo: () => ({ videoWidth: 641, videoHeight: 360, readyState: 4 }) as never,
    store,
    ...over,
  };
  const sounds = new Map([["self", track("microphone")]]);
  const recorder = createRecorder(
    { recorder: port, clock, report: () => undefined },
    tally,
    {
      draw(id, _, small) {
        open.add(`${id} ${small ? "low" : "high"}`);
        return () => void open.delete(`${id} ${small ? "low" : "high"}`);
      },
      soundOf: (id) => sounds.get(id) ?? null,
    },
    (event) => events.push(event),
  );
  return {
    recorder,
    clock,
    tally,
    parts,
    segments,
    recorders,
    asked,
    events,
    drawn,
    open,
    sounds,
    heard: () => [...heard].map(({ id }) => id),
    tick: () => tick(),
  };
}
const tile = (streamId: string, picture = true) => ({
  streamId,
  name: streamId,
  picture,
  screen: false,
});
const command = (over: Partial<RecordCommand> = {}): RecordCommand => ({
  t: "record",
  id: "rec",
  name: "例会",
  startedAt: 1,
  run: 0,
  whole: true,
  tiles: [tile("self")],
  type: null,
  size: null,
  ...over,
});

it("Parts are stored as they come, and the last one before the end is told; nothing stays open", async () => {
  const { recorder, recorders, segments, parts, events, open, tally, clock } = world();
  recorder.record(command());
  await settle();
  recorders[0]!.emitPart("one");
  await settle();
  await recorder.stop();
  const at = clock.now();
  expect(segments).toEqual([{ at, run: 0, type: "video/webm;codecs=vp8,opus" }]);
  expect(parts).toEqual([`${at} 0 one`, `${at} 1 last`]);
  expect(events.map(({ state, bytes }) => `${state} ${bytes}`)).toEqual([
    "on 0",
    "on 3",
    "stopped 7",
  ]);
  expect([...open]).toEqual([]);
  expect(Object.values(tally.read()).every((count) => count === 0)).toBe(true);
});

it("Streams come and go in one segment; from five pictures on the small layers are enough", async () => {
  const { recorder, recorders, open, heard, sounds, tick } = world();
  recorder.record(command());
  await settle();
  expect([...open].filter((one) => one.includes("high"))).toEqual(["self high"]);
  sounds.set("b", track("voice of b"));
  recorder.record(command({ tiles: [tile("self"), tile("b", false)] }));
  tick();
  expect(heard()).toEqual(["microphone", "voice of b"]);
  recorder.record(command({ tiles: ["self", "b", "c", "d", "e"].map((id) => tile(id)) }));
  expect([...open].filter((one) => one.endsWith("low"))).toHaveLength(5);
  recorder.record(command({ tiles: [tile("b")] }));
  expect([...open].filter((one) => one.endsWith("high"))).toEqual(["b high"]);
  sounds.delete("self");
  tick();
  expect(heard()).toEqual(["voice of b"]);
  expect(recorders).toHaveLength(1);
});

it("A stream alone has the size of its picture, even numbers; a later segment has that of the first", async () => {
  const { recorder, asked, events } = world();
  recorder.record(command({ whole: false }));
  await settle();
  expect(asked[0]?.tracks).toEqual(["canvas 640x360", "mix"]);
  expect(events[0]).toMatchObject({ size: { w: 640, h: 360 } });
  await recorder.stop();
  const given = { type: "video/webm", size: { w: 320, h: 180 }, run: 1 };
  recorder.record(command({ whole: false, ...given }));
  await settle();
  expect(asked[1]).toEqual({ tracks: ["canvas 320x180", "mix"], type: "video/webm" });
});

it("A full disk and a browser that cannot record are told, and everything is closed", async () => {
  const { recorder, recorders, events, open } = world({
    store: {
      begin: async () => undefined,
      segment: async () => undefined,
      part: () => Promise.reject(new DOMException("full", "QuotaExceededError")),
      list: async () => [],
      read: async () => [],
      discard: async () => undefined,
    },
  });
  recorder.record(command());
  await settle();
  recorders[0]!.emitPart("one");
  await settle();
  expect(events.at(-1)).toMatchObject({ state: "failed" });
  await recorder.stop();
  expect([...open]).toEqual([]);

  const other = world({ supported: () => false });
  other.recorder.record(command());
  await settle();
  expect(other.events).toMatchObject([{ state: "failed" }]);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "record.types: Types are tried in the order vp9, vp8, webm, and at last the browser chooses":
    async () => {
      expect(RECORDER_TYPES).toEqual([
        "video/webm;codecs=vp9",
        "video/webm;codecs=vp8",
        "video/webm",
        "",
      ]);
      expect(recorderType(() => true)).toBe("video/webm;codecs=vp9");
      expect(recorderType((type) => type === "video/webm")).toBe("video/webm");
      expect(recorderType(() => false)).toBe("");
      const { recorder, asked } = world();
      recorder.record(command());
      await settle();
      expect(asked[0]?.type).toBe("video/webm;codecs=vp8");
    },

  "record.canvas: Each tick draws one picture, 25 a second": async () => {
    expect(CANVAS_RATE).toBe(25);
    const { recorder, drawn, tick } = world();
    recorder.record(command());
    await settle();
    const before = drawn.length;
    for (let i = 0; i < CANVAS_RATE; i += 1) tick();
    expect(drawn.length - before).toBe(CANVAS_RATE);
  },
});
