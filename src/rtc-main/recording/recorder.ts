/**
 * Records streams of a conference in the tab that owns the media (docs/conferences.md#recording). Pictures are drawn on a canvas and sounds
 * are mixed, so that a stream may come and go, and a connection may change, without an end of the segment. A pause ends a segment, and
 * so does the death of the tab.
 */
import { AppError } from "../../shared/errors.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../shared/protocol/confr-media.ts";
import type { MediaClock } from "../clock.ts";
import type { Tally } from "../tally.ts";
import { drawAlone, drawComposed } from "./drawing.ts";
import type { Canvas, Mix, RecorderPort } from "./port.ts";
import { COMPOSED, PART_MS, recorderType, type Size } from "./types.ts";

export type RecordCommand = Extract<ConferenceMediaCommand, { t: "record" }>;
type RecordEvent = Extract<ConferenceMediaEvent, { t: "recording" }>;

/** The streams that this tab has. */
export interface RecordedStreams {
  /** Draws a stream's picture in the element. @param small whether the small layer is enough @returns a function that ends it */
  draw(id: string, element: HTMLVideoElement, small: boolean): () => void;
  soundOf(id: string): MediaStreamTrack | null;
}

export interface Recorder {
  /** Begins to record, or changes what is recorded. */
  record(command: RecordCommand): void;
  /** Ends the segment. Resolves when its last part is stored. */
  stop(): Promise<void>;
}

/** From so many pictures on the small layers fill their cells. */
const SMALL_FROM = 5;

interface Tile {
  readonly element: HTMLVideoElement;
  readonly small: boolean;
  readonly undo: () => void;
}

export function createRecorder(
  deps: {
    readonly recorder: RecorderPort | null;
    readonly clock: Pick<MediaClock, "now">;
    readonly report: (message: string) => void;
  },
  tally: Tally,
  streams: RecordedStreams,
  post: (event: RecordEvent) => void,
): Recorder {
  const { clock } = deps;
  const port = deps.recorder;
  let command: RecordCommand | null = null;
  const tiles = new Map<string, Tile>();
  /** What is being recorded: null before the first picture and after the end. */
  let running: { stop(): Promise<void> } | null = null;
  let starting: Promise<void> | null = null;

  const follow = (): void => {
    const wanted = command?.tiles ?? [];
    const small = wanted.length >= SMALL_FROM;
    for (const [id, tile] of tiles) {
      const one = wanted.find(({ streamId }) => streamId === id);
      const fits = one !== undefined && one.picture && tile.small === (small && !one.screen);
      if (fits) continue;
      tile.undo();
      tiles.delete(id);
    }
    for (const { streamId, picture, screen } of wanted) {
      if (!picture || tiles.has(streamId)) continue;
      const element = port?.createVideo();
      if (element === undefined) return;
      const asSmall = small && !screen;
      tiles.set(streamId, {
        element,
        small: asSmall,
        undo: streams.draw(streamId, element, asSmall),
      });
    }
  };
  const hear = (mix: Mix): void => {
    const tracks = (command?.tiles ?? []).map(({ streamId }) => streams.soundOf(streamId));
    mix.hear(new Set(tracks.filter((track) => track !== null)));
  };
  const draw = (canvas: Canvas, size: Size): void => {
    const drawn = (command?.tiles ?? []).map(({ streamId, name, screen }) => ({
      element: tiles.get(streamId)?.element ?? null,
      name,
      screen,
    }));
    if (command?.whole === true) drawComposed(canvas.pen, size, drawn);
    else drawAlone(canvas.pen, size, drawn[0]);
    canvas.shown();
  };
  /** The size of a stream alone is that of its picture; encoders want even numbers. */
  const sizeNow = ({ whole, size, tiles: [first] }: RecordCommand): Size => {
    if (size !== null) return size;
    const { videoWidth = 0, videoHeight = 0 } = tiles.get(first?.streamId ?? "")?.element ?? {};
    if (whole || videoWidth === 0) return COMPOSED;
    return { w: videoWidth - (videoWidth % 2), h: videoHeight - (videoHeight % 2) };
  };

  async function begin(first: RecordCommand): Promise<void> {
    const { id, name, run, startedAt } = first;
    if (port === null || !port.supported()) throw new AppError("media.cannot-record");
    await port.store.begin({ id, name, startedAt });
    const mix = await port.createMix();
    if (command === null) return mix.close();
    const size = sizeNow(command);
    const canvas = port.createCanvas(size);
    if (canvas === null) {
      mix.close();
      throw new AppError("media.cannot-record");
    }
    const uncount = tally.open("tracks");
    hear(mix);
    draw(canvas, size);
    const tracks = [canvas.track, ...(mix.track === null ? [] : [mix.track])];
    const recorder = port.createRecorder(tracks, first.type ?? recorderType(port.supports));
    const stopTicks = mix.every(() => {
      hear(mix);
      draw(canvas, size);
    });
    let at = 0;
    let parts = 0;
    let bytes = 0;
    let writing = Promise.resolve();
    let failed = false;
    const fail = (error: unknown): void => {
      if (failed) return;
      failed = true;
      deps.report(`recording failed: ${String(error)}`);
      post({ t: "recording", id, state: "failed", type: null, size: null, bytes });
      void stop();
    };
    const write = (work: () => Promise<void>): void => {
      writing = writing.then(work).catch(fail);
    };
    const ended = new Promise<void>((resolve) => {
      recorder.addEventListener("stop", () => resolve());
    });
    recorder.addEventListener("start", () => {
      at = clock.now();
      const type = recorder.mimeType;
      write(() => port.store.segment(id, { at, run, type }));
      post({ t: "recording", id, state: "on", type, size, bytes });
    });
    recorder.addEventListener("dataavailable", ({ data }) => {
      if (data.size === 0) return;
      const index = parts;
      parts += 1;
      write(async () => {
        await port.store.part(id, at, index, data);
        bytes += data.size;
        if (running !== null) {
          post({ t: "recording", id, state: "on", type: recorder.mimeType, size, bytes });
        }
      });
    });
    recorder.addEventListener("error", (event) => fail((event as ErrorEvent).error ?? "error"));
    const stop = async (): Promise<void> => {
      running = null;
      if (recorder.state !== "inactive") {
        recorder.stop();
        await ended;
      }
      stopTicks();
      canvas.close();
      mix.close();
      uncount();
      await writing;
      if (!failed) post({ t: "recording", id, state: "stopped", type: null, size: null, bytes });
    };
    running = { stop };
    recorder.start(PART_MS);
  }
  async function stop(): Promise<void> {
    command = null;
    follow();
    await starting;
    await running?.stop();
  }

  return {
    record(next) {
      const first = command === null;
      command = next;
      follow();
      if (!first) return;
      starting = begin(next)
        .catch((error: unknown) => {
          const { id } = next;
          deps.report(`recording does not start: ${String(error)}`);
          command = null;
          follow();
          post({ t: "recording", id, state: "failed", type: null, size: null, bytes: 0 });
        })
        .finally(() => {
          starting = null;
        });
    },
    stop,
  };
}
