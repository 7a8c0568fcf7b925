/** The meters of a conference's streams: one per stream whose sound this tab sends or plays. */
import type { Listener } from "./meters.ts";
import type { SoundReading } from "./reading.ts";
import { SILENT } from "./reading.ts";

/** A stream's track, and how the browser's statistics measure it. */
export interface Metered {
  readonly track: MediaStreamTrack | null;
  /** The level where the browser has it at little cost, 0..1; null where it does not. */
  readonly level: () => Promise<number | null>;
  /** 0..1; null when the browser does not report it. */
  readonly statistics: () => Promise<number | null>;
}

export interface StreamMeters {
  /**
   * Measures these streams. Meters of others are closed.
   *
   * @param all whether whole readings are wanted. Else a level that costs little stands for them, and only a stream whose meter does not run
   * asks the statistics: meters and statistics of thirty streams cost more than the rest of the conference
   * @returns readings by id; where a meter hears nothing, `instant` is the level of the statistics
   */
  read(
    streams: ReadonlyMap<string, Metered>,
    all: boolean,
  ): Promise<ReadonlyMap<string, SoundReading>>;
  close(): void;
}

export function createStreamMeters(
  listen: (track: MediaStreamTrack) => Listener | null,
): StreamMeters {
  const open = new Map<string, { track: MediaStreamTrack; listener: Listener | null }>();
  let closed = false;
  const shut = (id: string): void => {
    open.get(id)?.listener?.close();
    open.delete(id);
  };
  const listenerOf = (id: string, track: MediaStreamTrack): Listener | null => {
    const known = open.get(id);
    if (known?.track === track) return known.listener;
    shut(id);
    const listener = listen(track);
    open.set(id, { track, listener });
    return listener;
  };
  return {
    async read(streams, all) {
      for (const id of open.keys()) if ((streams.get(id)?.track ?? null) === null) shut(id);
      const found = new Map<string, SoundReading>();
      for (const [id, { track, level, statistics }] of streams) {
        const known = all ? null : await level();
        if (closed) break;
        if (known !== null) {
          shut(id);
          found.set(id, { ...SILENT, instant: known });
          continue;
        }
        const listener = track === null ? null : listenerOf(id, track);
        const trackAudioLevel = all || listener?.runs() !== true ? await statistics() : null;
        if (closed) break;
        const heard = listener?.reading() ?? SILENT;
        const instant = heard.instant === 0 ? (trackAudioLevel ?? 0) : heard.instant;
        found.set(id, { ...heard, instant, trackAudioLevel });
      }
      return found;
    },
    close() {
      closed = true;
      for (const id of open.keys()) shut(id);
    },
  };
}
