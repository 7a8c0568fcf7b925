/** Resolves at an element's first picture: by requestVideoFrameCallback, or by "loadeddata" where that is missing. */
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
