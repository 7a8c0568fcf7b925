/**
 * Tracks of the host page, such as a canvas, that are sent in place of a device (docs/conferences.md#own-tracks-and-bitrates). They belong
 * to the host page: they are neither stopped nor changed here.
 */
import { AppError } from "../../shared/errors.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";

export interface OwnTracks {
  /** null: the host page has given none of this kind. */
  readonly tracks: LocalTracks;
  /**
   * Replaces the tracks of the given kinds; null gives one back.
   *
   * @throws AppError media.open-failed for a track of the other kind, or one that has ended
   */
  put(tracks: Partial<LocalTracks>): void;
  /** Calls the handler when a track was replaced or ended. @returns a function that removes it */
  onChange(handler: () => void): () => void;
  /** Gives all tracks back. */
  clear(): void;
}

export const hasEnded = (track: MediaStreamTrack): boolean => track.readyState === "ended";

export function createOwnTracks(tally: Tally): OwnTracks {
  const held: Record<Kind, { track: MediaStreamTrack; undo: () => void } | null> = {
    audio: null,
    video: null,
  };
  const handlers = new Set<() => void>();
  const changed = (): void => {
    for (const handler of handlers) handler();
  };
  const hold = (kind: Kind, track: MediaStreamTrack | null): void => {
    if ((held[kind]?.track ?? null) === track) return;
    held[kind]?.undo();
    held[kind] =
      track === null ? null : { track, undo: tally.listen(track, "ended", () => changed()) };
  };
  const put = (next: Partial<LocalTracks>): void => {
    const entries = Object.entries(next) as [Kind, MediaStreamTrack | null | undefined][];
    for (const [kind, track] of entries) {
      if (track === null || track === undefined) continue;
      if (track.kind === kind && !hasEnded(track)) continue;
      throw new AppError("media.open-failed", { details: { device: kind, own: true } });
    }
    for (const [kind, track] of entries) if (track !== undefined) hold(kind, track);
    changed();
  };
  return {
    get tracks() {
      return { audio: held.audio?.track ?? null, video: held.video?.track ?? null };
    },
    put,
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    clear: () => put({ audio: null, video: null }),
  };
}
