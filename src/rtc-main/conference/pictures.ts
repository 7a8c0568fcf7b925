/**
 * Changes and takes pictures of a camera in the browser: digital zoom, a picture that stands still, a picture as a file. In Chromium the
 * frames pass from a processor to a generator, which also works in a hidden tab; elsewhere they are drawn on a canvas.
 */
import { writeFrames } from "../../shared/domain/write-frames.ts";
import { PICTURE_BYTES } from "../../shared/protocol/confr-camera.ts";

export interface PictureSettings {
  /** How many times larger the middle of the picture is shown. */
  readonly zoom: number;
  readonly frozen: boolean;
}
export interface ChangedPicture {
  readonly track: MediaStreamTrack;
  set(settings: PictureSettings): void;
  /** Ends the changed track, not the source. */
  close(): void;
}
export interface PicturesPort {
  change(source: MediaStreamTrack, settings: PictureSettings): ChangedPicture;
  /**
   * Takes a picture of a track as a JPEG of at most PICTURE_BYTES.
   *
   * @param photo whether the device may take a photo of its own, which is sharper
   * @returns a data URL
   */
  picture(track: MediaStreamTrack, photo: boolean): Promise<string>;
}

interface Breakout {
  readonly MediaStreamTrackProcessor?: new (init: { readonly track: MediaStreamTrack }) => {
    readonly readable: ReadableStream<VideoFrame>;
  };
  readonly MediaStreamTrackGenerator?: new (init: {
    readonly kind: string;
  }) => MediaStreamTrack & { readonly writable: WritableStream<VideoFrame> };
  readonly ImageCapture?: new (track: MediaStreamTrack) => { takePhoto(): Promise<Blob> };
}
const browser = globalThis as Breakout;

/** ms between two pictures on the canvas. */
const DRAW_MS = 40;
/** ms that a device may need for a photo; some never answer. */
const PHOTO_MS = 3000;
/** px of the longer side of a picture. */
const LONGEST = 1920;

const even = (px: number): number => Math.max(2, Math.floor(px / 2) * 2);
/** The middle of a picture, px. */
function middleOf(width: number, height: number, zoom: number) {
  const [w, h] = [even(width / zoom), even(height / zoom)];
  const from = (side: number, part: number): number => Math.floor((side - part) / 4) * 2;
  return { x: from(width, w), y: from(height, h), w, h };
}

/**
 * A frame of the same picture without its moment of capture. With it, the sender takes all repetitions of the frame for one, and drops
 * them.
 */
async function timelessCopy(frame: VideoFrame): Promise<VideoFrame> {
  const { format, visibleRect, displayWidth, displayHeight, timestamp, colorSpace } = frame;
  if (format === null || visibleRect === null) return frame.clone();
  const bytes = new Uint8Array(frame.allocationSize());
  const layout = await frame.copyTo(bytes);
  const { width: codedWidth, height: codedHeight } = visibleRect;
  return new VideoFrame(bytes, {
    format,
    codedWidth,
    codedHeight,
    layout,
    displayWidth,
    displayHeight,
    timestamp,
    colorSpace,
  });
}

function changeFrames(
  source: MediaStreamTrack,
  first: PictureSettings,
  parts: Required<Pick<Breakout, "MediaStreamTrackProcessor" | "MediaStreamTrackGenerator">>,
  report: (message: string) => void,
): ChangedPicture {
  let settings = first;
  let still: VideoFrame | null = null;
  let closed = false;
  // A clone, because stopping it ends the processor. The source goes on.
  const read = source.clone();
  const track = new parts.MediaStreamTrackGenerator({ kind: "video" });
  const { readable } = new parts.MediaStreamTrackProcessor({ track: read });
  const melt = (): void => {
    still?.close();
    still = null;
  };
  async function change(frame: VideoFrame): Promise<VideoFrame[]> {
    try {
      if (closed) return [];
      if (!settings.frozen) melt();
      else still ??= await timelessCopy(frame);
      if (closed) {
        melt();
        return [];
      }
      const { visibleRect, displayWidth, displayHeight } = still ?? frame;
      const { timestamp } = frame;
      if (visibleRect === null) return [];
      const { x, y, w, h } = middleOf(visibleRect.width, visibleRect.height, settings.zoom);
      return [
        new VideoFrame(still ?? frame, {
          timestamp,
          visibleRect: { x: visibleRect.x + x, y: visibleRect.y + y, width: w, height: h },
          displayWidth,
          displayHeight,
        }),
      ];
    } finally {
      frame.close();
    }
  }
  // One frame at a time. Streams that are piped drop the frames between them when the track ends, and leave them open.
  async function run(): Promise<void> {
    const [reader, writer] = [readable.getReader(), track.writable.getWriter()];
    try {
      for (;;) {
        const { value } = await reader.read();
        if (value === undefined) return;
        await writeFrames(writer, await change(value));
        if (closed) return;
      }
    } finally {
      await Promise.allSettled([reader.cancel(), writer.close()]);
    }
  }
  run().catch((error: unknown) => {
    if (!closed) report(`the picture cannot be changed: ${String(error)}`);
  });
  return {
    track,
    set: (next) => void (settings = next),
    close() {
      closed = true;
      read.stop();
      track.stop();
      melt();
    },
  };
}

/** An element that plays the track outside the page. */
function playing(track: MediaStreamTrack): HTMLVideoElement {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  video.play().catch(() => undefined);
  return video;
}

function changeDrawn(source: MediaStreamTrack, first: PictureSettings): ChangedPicture {
  let settings = first;
  const video = playing(source);
  const live = document.createElement("canvas");
  const shown = document.createElement("canvas");
  const draw = (): void => {
    const { videoWidth: width, videoHeight: height } = video;
    const stands = settings.frozen && live.width === width;
    if (width === 0) return;
    if (!stands) {
      live.width = width;
      live.height = height;
      live.getContext("2d")?.drawImage(video, 0, 0);
    }
    if (shown.width !== live.width) Object.assign(shown, { width, height });
    const { x, y, w, h } = middleOf(live.width, live.height, settings.zoom);
    shown.getContext("2d")?.drawImage(live, x, y, w, h, 0, 0, shown.width, shown.height);
  };
  const timer = setInterval(draw, DRAW_MS);
  const [track] = shown.captureStream(1000 / DRAW_MS).getVideoTracks();
  if (track === undefined) throw new Error("the canvas gives no picture");
  return {
    track,
    set: (next) => void (settings = next),
    close() {
      clearInterval(timer);
      video.srcObject = null;
      track.stop();
    },
  };
}

async function photoOf(track: MediaStreamTrack): Promise<ImageBitmap | null> {
  if (browser.ImageCapture === undefined) return null;
  try {
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), PHOTO_MS));
    const blob = await Promise.race([new browser.ImageCapture(track).takePhoto(), late]);
    return blob === null ? null : await createImageBitmap(blob);
  } catch {
    // The picture that is sent does.
    return null;
  }
}

async function frameOf(track: MediaStreamTrack): Promise<ImageBitmap> {
  if (browser.MediaStreamTrackProcessor !== undefined) {
    const read = track.clone();
    try {
      const reader = new browser.MediaStreamTrackProcessor({ track: read }).readable.getReader();
      const { value } = await reader.read();
      if (value === undefined) throw new Error("the track has ended");
      const bitmap = await createImageBitmap(value).finally(() => value.close());
      await reader.cancel();
      return bitmap;
    } finally {
      read.stop();
    }
  }
  const video = playing(track);
  try {
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
      await new Promise((resolve) => video.addEventListener("loadeddata", resolve, { once: true }));
    }
    return await createImageBitmap(video);
  } finally {
    video.srcObject = null;
  }
}

const asUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("not read")));
    reader.readAsDataURL(blob);
  });

/** @returns a JPEG that fits into an answer */
async function fitting(picture: ImageBitmap): Promise<string> {
  const canvas = document.createElement("canvas");
  let scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  for (;;) {
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, "image/jpeg", 0.9),
    );
    if (blob === null) throw new Error("the picture cannot be written");
    if (blob.size <= PICTURE_BYTES) return asUrl(blob);
    scale *= 0.7;
  }
}

export function browserPictures(report: (message: string) => void): PicturesPort {
  return {
    change(source, settings) {
      const { MediaStreamTrackProcessor, MediaStreamTrackGenerator } = browser;
      return MediaStreamTrackProcessor === undefined || MediaStreamTrackGenerator === undefined
        ? changeDrawn(source, settings)
        : changeFrames(
            source,
            settings,
            { MediaStreamTrackProcessor, MediaStreamTrackGenerator },
            report,
          );
    },
    async picture(track, photo) {
      const picture = (photo ? await photoOf(track) : null) ?? (await frameOf(track));
      try {
        return await fitting(picture);
      } finally {
        picture.close();
      }
    },
  };
}
