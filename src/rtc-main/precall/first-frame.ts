/** Resolves when an element has its first picture: by requestVideoFrameCallback, else by the event of its first data. */
export function firstFrame(
  video: Pick<HTMLVideoElement, "addEventListener"> &
    Partial<Pick<HTMLVideoElement, "requestVideoFrameCallback">>,
): Promise<true> {
  return new Promise((resolve) => {
    const found = (): void => resolve(true);
    if (video.requestVideoFrameCallback === undefined) {
      video.addEventListener("loadeddata", found, { once: true });
    } else {
      video.requestVideoFrameCallback(found);
    }
  });
}
