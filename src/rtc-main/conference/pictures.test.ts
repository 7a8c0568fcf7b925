/** The frames of a changed picture, with streams in place of the browser's tracks (docs/conferences.md#remote-camera). */
import { afterEach, expect, it, vi } from "vitest";
import { FakeTrack } from "../media/devices.fake.ts";
import { browserPictures } from "./pictures.ts";

/** Frames that nobody has closed. */
const open = new Set<StubFrame>();

class StubFrame {
  readonly visibleRect = { x: 0, y: 0, width: 8, height: 8 };
  readonly displayWidth = 8;
  readonly displayHeight = 8;
  readonly timestamp = 0;
  constructor() {
    open.add(this);
  }
  close(): void {
    open.delete(this);
  }
}

/** Gives a frame whenever one is asked for. */
class StubProcessor {
  readonly readable = new ReadableStream<StubFrame>(
    { pull: (controller) => controller.enqueue(new StubFrame()) },
    { highWaterMark: 0 },
  );
}

const SHOWN = 3;
let shown = 0;
/** Shows SHOWN frames, and is busy with the next one until it ends. */
class StubGenerator extends FakeTrack {
  #fail: (error: Error) => void = () => undefined;
  #end: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => void (this.#end = resolve));
  readonly writable = new WritableStream<StubFrame>({
    start: (controller) => void (this.#fail = (error) => controller.error(error)),
    write: async (frame) => {
      shown += 1;
      if (shown > SHOWN) await this.#ended;
      frame.close();
    },
  });
  constructor() {
    super("video", "changed");
  }
  override stop(): void {
    super.stop();
    this.#fail(new Error("the track has ended"));
    this.#end();
  }
}

afterEach(() => vi.unstubAllGlobals());

it("A changed picture that ends while its track is busy leaves no frame open", async () => {
  vi.stubGlobal("VideoFrame", StubFrame);
  vi.stubGlobal("MediaStreamTrackProcessor", StubProcessor);
  vi.stubGlobal("MediaStreamTrackGenerator", StubGenerator);
  const reports: string[] = [];
  const source = new FakeTrack("video", "camera") as unknown as MediaStreamTrack;
  const picture = browserPictures((message) => reports.push(message)).change(source, {
    zoom: 2,
    frozen: false,
  });
  await expect.poll(() => shown).toBe(SHOWN + 1);
  // Whatever may wait does.
  await new Promise((resolve) => setImmediate(resolve));
  picture.close();
  await expect.poll(() => open.size).toBe(0);
  expect(reports).toEqual([]);
});
