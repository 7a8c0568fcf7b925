/** Writes the frames of a track, pictures or sound, so that none stays open when the track ends meanwhile (docs/conferences.md#remote-camera). Pure. */

export interface Frame {
  /** A second time does nothing. */
  close(): void;
}

/**
 * Writes the frames one after the other. What takes a frame closes it; those that are not taken are closed here, because the browser holds
 * the memory of an open frame, and a camera stops when too many are open.
 *
 * @throws what the writer threw: the track has ended
 */
export async function writeFrames<T extends Frame>(
  writer: { write(frame: NoInfer<T>): Promise<void> },
  frames: readonly T[],
): Promise<void> {
  try {
    for (const frame of frames) await writer.write(frame);
  } catch (error) {
    for (const frame of frames) frame.close();
    throw error;
  }
}
