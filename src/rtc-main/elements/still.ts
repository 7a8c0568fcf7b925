/** The last picture of an element, kept as a stream after its track is gone. */

export interface Still {
  readonly stream: MediaStream;
  /** Paints the picture for viewers that came later. */
  refresh(): void;
  stop(): void;
}

type CanvasStream = Pick<MediaStream, "getVideoTracks"> & { requestFrame?: () => void };

/** How a frame of a canvas's stream is asked for: by its track, in Firefox by the stream itself. */
export function frameRequest(stream: CanvasStream): () => void {
  const track = stream.getVideoTracks()[0] as Partial<CanvasCaptureMediaStreamTrack> | undefined;
  return () => {
    if (track?.requestFrame !== undefined) track.requestFrame();
    else stream.requestFrame?.();
  };
}

/** @returns null when the element shows nothing */
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
