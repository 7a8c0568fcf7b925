/**
 * Which sounds of a conference its subscribers get (docs/media-node.md#sounds): with more people than places, the loudest. The level stands in
 * each packet (RFC 6464), so nothing is decoded here.
 */

/** Sounds that are forwarded at once. Nobody understands more voices at once. */
export const LOUDEST = 5;
/** dB that a sound must be louder than the quietest one that has a place. */
const MARGIN = 3;
/** How fast a loudness falls, dB per ms: a pause between two words keeps the place. */
const DECAY = 0.03;
/** The level of silence; 0 is the loudest. */
export const SILENCE = 127;

/** The place of one sound. */
export interface Place {
  /**
   * Call for each packet.
   *
   * @param level of the packet, 0..127 below the loudest; null when it has none: then it always passes and needs no place
   * @returns whether the sound is forwarded now
   */
  heard(level: number | null, now: number): boolean;
  /** The sound is held or has ended. Idempotent. */
  leave(): void;
}

interface Loudness {
  value: number;
  at: number;
}
interface Sounds {
  readonly heard: Map<string, Loudness>;
  readonly places: Set<string>;
}

/** @param most places in each conference */
export function createLoudest(most = LOUDEST): (conferenceId: string, id: string) => Place {
  const conferences = new Map<string, Sounds>();
  const loudness = ({ value, at }: Loudness, now: number): number => value - (now - at) * DECAY;

  return (conferenceId, id) => {
    const leave = (): void => {
      const conference = conferences.get(conferenceId);
      conference?.heard.delete(id);
      conference?.places.delete(id);
      if (conference?.heard.size === 0) conferences.delete(conferenceId);
    };
    return {
      heard(level, now) {
        if (level === null) {
          leave();
          return true;
        }
        const conference: Sounds = conferences.get(conferenceId) ?? {
          heard: new Map(),
          places: new Set(),
        };
        conferences.set(conferenceId, conference);
        const before = conference.heard.get(id);
        const own = SILENCE - level;
        const one = {
          value: Math.max(own, before === undefined ? 0 : loudness(before, now)),
          at: now,
        };
        conference.heard.set(id, one);
        if (conference.places.has(id)) return true;
        if (conference.places.size >= most) {
          let quietest: { id: string; value: number } | null = null;
          for (const other of conference.places) {
            const known = conference.heard.get(other);
            const value = known === undefined ? -Infinity : loudness(known, now);
            if (quietest === null || value < quietest.value) quietest = { id: other, value };
          }
          if (quietest === null || one.value <= quietest.value + MARGIN) return false;
          conference.places.delete(quietest.id);
        }
        conference.places.add(id);
        return true;
      },
      leave,
    };
  };
}
