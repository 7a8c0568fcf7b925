/** Keeps the last picture of an element as a stream after its track has ended. */

/** A stream that shows one picture. */
export interface Still {
  readonly stream: MediaStream;
  /** Emits the picture again for elements that were attached later. */
  refresh(): void;
  stop(): void;
}

type CanvasStream = { getVideoTracks(): MediaStreamTrack[]; requestFrame?: () => void };

/** Returns a function that requests a frame of a canvas stream. Firefox has requestFrame on the stream instead of the track. */
export function frameRequest(stream: CanvasStream): () => void {
  const track = stream.getVideoTracks()[0] as Partial<CanvasCaptureMediaStreamTrack> | undefined;
  return () => {
    if (track?.requestFrame !== undefined) track.requestFrame();
    else stream.requestFrame?.();
  };
}

/** The element's current picture as a stream. @returns null when the element shows nothing */
export function freezeFrame(element: HTMLVideoElement): Still | null {
  const { videoWidth: width, videoHeight: height } = element;
  if (width === 0 || height === 0) return null;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) return null;
  const stream = canvas.captureStream(0);
  context.drawImage(element, 0, 0, width, height);
  return {
    stream,
    refresh: frameRequest(stream),
    stop() {
      for (const track of stream.getVideoTracks()) track.stop();
    },
  };
}
