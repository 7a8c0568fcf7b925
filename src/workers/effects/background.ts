/** Entry file of the worker that blurs what is behind the person in the own picture. */
import { listen } from "./flow.ts";
import { createBlur, fromNv12, i420Size, MODEL, toMask, toModel } from "./pixels.ts";
import { createPace } from "./pace.ts";
import { createSegmenter } from "./segmenter.ts";

/** Buffers for frames of one size. */
function createBuffers(width: number, height: number) {
  const picture = { width, height, data: new Uint8Array(i420Size(width, height)) };
  return { picture, mixed: new Uint8Array(picture.data.length), blur: createBlur(width, height) };
}

listen<VideoFrame>(async () => {
  const segmenter = await createSegmenter();
  const pace = createPace();
  const read = new Float32Array(MODEL.width * MODEL.height * 3);
  const mask = new Uint8Array(MODEL.width * MODEL.height);
  let buffers: ReturnType<typeof createBuffers> | null = null;

  const copy = async (frame: VideoFrame): Promise<NonNullable<typeof buffers>> => {
    const { width = 0, height = 0 } = frame.visibleRect ?? {};
    if (buffers?.picture.width !== width || buffers.picture.height !== height) {
      buffers = createBuffers(width, height);
    }
    if (frame.format === "I420") await frame.copyTo(buffers.picture.data);
    else if (frame.format === "NV12") {
      await frame.copyTo(buffers.mixed);
      fromNv12(buffers.mixed, buffers.picture);
    } else throw new Error(`pictures of the format ${String(frame.format)} cannot be changed`);
    return buffers;
  };

  return {
    get isSlow() {
      return pace.isSlow;
    },
    async change(frame) {
      const start = performance.now();
      const { timestamp, duration, colorSpace } = frame;
      const { picture, blur } = await copy(frame).finally(() => frame.close());
      let segmentMs: number | null = null;
      if (pace.isDue) {
        const before = performance.now();
        toModel(picture, read);
        toMask(await segmenter.run(read), mask);
        segmentMs = performance.now() - before;
      }
      blur(picture, mask);
      const changed = new VideoFrame(picture.data, {
        format: "I420",
        codedWidth: picture.width,
        codedHeight: picture.height,
        timestamp,
        colorSpace: colorSpace.toJSON(),
        ...(duration === null ? {} : { duration }),
      });
      const ms = performance.now() - start;
      pace.spent(segmentMs, ms - (segmentMs ?? 0));
      return { frames: [changed], ms };
    },
  };
});
