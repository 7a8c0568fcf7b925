/** Candidates of the other side that came before the description they belong to. Bounded in connections and candidates. */
import type { Candidate } from "../../../shared/protocol/signalling.ts";

/** Candidates kept for a connection that is not described yet. */
const MAX_CANDIDATES = 200;
const MAX_CONNECTIONS = 4;

export interface EarlyCandidates {
  /** @returns false when they belong to one connection too many, and are dropped */
  keep(rtcId: string, candidates: readonly Candidate[]): boolean;
  /** Those of a connection, which are then forgotten here. */
  take(rtcId: string): Candidate[];
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
    take(rtcId) {
      const candidates = kept.get(rtcId) ?? [];
      kept.delete(rtcId);
      return candidates;
    },
    drop: (rtcId) => void kept.delete(rtcId),
    clear: () => kept.clear(),
  };
}
