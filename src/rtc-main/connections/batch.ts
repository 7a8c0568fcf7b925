/** Collects local candidates into few messages and holds them back until their description is sent. */
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaClock, MediaTimer } from "../clock.ts";

/** ms that candidates are collected. The first ones of a description wait less, because connecting starts with them. */
export const BATCH_MS = 20;
export const FIRST_BATCH_MS = 4;
/** Below the limit of 100 candidates per signalling message. */
const BATCH_SIZE = 50;

export interface CandidateBatch {
  add(candidate: Candidate): void;
  /** Sends the waiting candidates, unless held. */
  flush(): void;
  /** Sends nothing until `open`, because a candidate must not overtake its description. */
  hold(): void;
  open(): void;
  close(): void;
}

export function createCandidateBatch(
  clock: MediaClock,
  send: (cands: Candidate[]) => void,
): CandidateBatch {
  let waiting: Candidate[] = [];
  let timer: MediaTimer | null = null;
  let held = false;
  let closed = false;
  let first = true;
  const flush = (): void => {
    timer?.cancel();
    timer = null;
    if (held || closed) return;
    if (waiting.length > 0) first = false;
    while (waiting.length > 0) send(waiting.splice(0, BATCH_SIZE));
  };
  return {
    add(candidate) {
      if (closed) return;
      waiting.push(candidate);
      if (!held) timer ??= clock.after(first ? FIRST_BATCH_MS : BATCH_MS, flush);
    },
    flush,
    hold() {
      held = true;
      first = true;
    },
    open() {
      held = false;
      flush();
    },
    close() {
      closed = true;
      waiting = [];
      timer?.cancel();
      timer = null;
    },
  };
}
