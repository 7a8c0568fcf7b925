/**
 * What this side sends to the other about the current connection: its description and the later candidates. Everything that may not
 * have arrived is sent again; the other side ignores what it already has.
 */
import {
  type Candidate,
  OP,
  type PeerMessage,
  RESULT,
} from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";

const MAX_CANDIDATES = 200;
const CANDIDATES_A_MESSAGE = 50;

export interface Description {
  readonly type: "offer" | "answer";
  readonly sdp: string;
  readonly iceRestart: boolean;
}
export interface Outgoing {
  /** An offer was sent and has no answer yet. */
  readonly awaitsAnswer: boolean;
  /** Starts another connection, or another negotiation of this one; forgets what was sent before. */
  begin(rtcId: string | null): void;
  describe(description: Description): void;
  /** The offer was answered. */
  answered(): void;
  candidates(cands: readonly Candidate[]): void;
  sendToPeer(body: PeerMessage): void;
  resend(): void;
  /** The other side entered (again): send what it may have missed. */
  reachable(): void;
  stop(): void;
}

export function createOutgoing(deps: {
  env: Pick<CoreEnv, "clock">;
  config: CallConfig;
  reachable: () => boolean;
  relay: (body: PeerMessage) => Promise<number>;
  /** Nothing is pending on this side: the connection is established. */
  settled: () => boolean;
}): Outgoing {
  let rtcId: string | null = null;
  let description: Description | null = null;
  let cands: Candidate[] = [];
  /** Something sent did not arrive, or may not have. */
  let undelivered = false;
  let retry: Timer | null = null;

  const again = (): void => {
    if (undelivered || !deps.settled()) resend();
  };
  const sendToPeer = (body: PeerMessage): void => {
    if (!deps.reachable()) {
      undelivered = true;
      return;
    }
    const about = rtcId;
    void deps.relay(body).then((result) => {
      if (result === 0 || about !== rtcId || rtcId === null) return;
      undelivered = true;
      // after a timeout retry at once; a refusal (-507) means that the other side has not entered yet
      const wait = result === RESULT.requestTimeout ? 0 : deps.config.relayRetryMillis;
      retry ??= deps.env.clock.after(wait, () => {
        retry = null;
        if (deps.reachable()) again();
      });
    });
  };
  const sayCandidates = (some: readonly Candidate[]): void => {
    if (rtcId === null) return;
    for (let at = 0; at < some.length; at += CANDIDATES_A_MESSAGE) {
      sendToPeer({ op: OP.candidates, rtcId, cands: some.slice(at, at + CANDIDATES_A_MESSAGE) });
    }
  };
  function resend(): void {
    if (rtcId === null) return;
    undelivered = false;
    if (description !== null) {
      const { type, sdp, iceRestart } = description;
      sendToPeer(
        type === "offer" ? { op: OP.offer, rtcId, sdp, iceRestart } : { op: OP.answer, rtcId, sdp },
      );
    }
    sayCandidates(cands);
  }

  return {
    get awaitsAnswer() {
      return description?.type === "offer";
    },
    begin(id) {
      rtcId = id;
      description = null;
      cands = [];
      undelivered = false;
    },
    describe(next) {
      description = next;
      cands = [];
      resend();
    },
    answered() {
      description = null;
    },
    candidates(more) {
      cands = [...cands, ...more].slice(-MAX_CANDIDATES);
      sayCandidates(more);
    },
    sendToPeer,
    resend,
    reachable: again,
    stop() {
      rtcId = null;
      retry?.cancel();
      retry = null;
    },
  };
}
