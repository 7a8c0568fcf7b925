/** Candidates of the other side that arrived before their description. The number of connections and candidates is bounded. */
import type { Candidate } from "../../../shared/protocol/signalling.ts";

/** Maximum number of candidates per connection. */
const MAX_CANDIDATES = 200;
const MAX_CONNECTIONS = 4;

export interface EarlyCandidates {
  /** @returns false when there are too many connections and the candidates are dropped */
  keep(rtcId: string, candidates: readonly Candidate[]): boolean;
  /** Returns and forgets the candidates of a connection. */
  takeCandidates(rtcId: string): Candidate[];
  drop(rtcId: string): void;
  clear(): void;
}

export function createEarlyCandidates(): EarlyCandidates {
  const kept = new Map<string, Candidate[]>();
  return {
    keep(rtcId, candidates) {
      if (!kept.has(rtcId) && kept.size >= MAX_CONNECTIONS) return false;
      kept.set(rtcId, [...(kept.get(rtcId) ?? []), ...candidates].slice(-MAX_CANDIDATES));
      return true;
    },
    takeCandidates(rtcId) {
      const candidates = kept.get(rtcId) ?? [];
      kept.delete(rtcId);
      return candidates;
    },
    drop: (rtcId) => void kept.delete(rtcId),
    clear: () => kept.clear(),
  };
}
