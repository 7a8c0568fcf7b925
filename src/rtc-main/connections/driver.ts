/**
 * Drives one RTCPeerConnection, the same way for calls and conferences. Steps of the negotiation run one after another, remote candidates
 * wait for their description, local candidates follow theirs, and ICE and DTLS are reported as one state. What is sent and received, and
 * when to negotiate, is decided by its users (engines/call-connection.ts, conference/publisher.ts, conference/receiver.ts).
 */
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaDeps } from "../deps.ts";
import type { IceState } from "../engine.ts";
import type { Tally } from "../tally.ts";
import { createCandidateBatch } from "./batch.ts";
import { watchPath } from "./path.ts";
import { hasFragment } from "./sdp.ts";

/** Most remote candidates that wait for their description. The oldest are dropped first. */
export const WAITING_CANDIDATES = 200;

export interface DriverEvents {
  /** The local description is set. Its candidates follow. */
  description(type: "offer" | "answer", sdp: string, iceRestart: boolean): void;
  candidates(cands: Candidate[]): void;
  /** The state changed. */
  state(state: IceState): void;
  /** ICE went over to a path of lower priority by itself. */
  fell?(): void;
  /** The browser refused a candidate of the other side. The others may still connect. */
  candidateRefused?(): void;
  /** A step failed. The connection stays as it is until it is closed. */
  failed(error: AppError): void;
}

export interface DriverOptions {
  readonly config: RTCConfiguration;
  readonly tally: Tally;
  /** The code of the errors that `failed` receives. */
  readonly code: ErrorCode;
}

/** Steps that fail call `failed`. After `close` no method does anything and no event is emitted. */
export interface ConnectionDriver {
  /** For sections, tracks and statistics. Only the driver negotiates. */
  readonly pc: RTCPeerConnection;
  readonly closed: boolean;
  /** Makes and emits an offer. */
  offer(options?: {
    readonly iceRestart?: boolean;
    /** Adds the sections to offer. */
    readonly sections?: () => void;
    /** Changes the offer before it is set. */
    readonly edit?: (offer: string) => string;
  }): void;
  /** Sets the answer to the own offer. An answer without an open offer is dropped. */
  acceptAnswer(sdp: string, accepted?: () => void): void;
  /** Sets a remote offer, which rolls back an own open offer, and emits the answer. */
  acceptOffer(
    sdp: string,
    hooks?: {
      /** Before the offer is set. */
      readonly begin?: () => void;
      /** After the offer is set and before the answer is made: decides what its sections send. */
      readonly sections?: () => void;
      /** Changes the answer before it is set. */
      readonly edit?: (answer: string) => string;
      readonly answered?: () => void;
    },
  ): void;
  addCandidates(cands: readonly Candidate[]): void;
  /** Changes what a sender sends, without negotiation. null sends nothing. */
  replaceTrack(sender: RTCRtpSender, track: MediaStreamTrack | null): void;
  /** Sets the ICE servers for the next ICE restart (credentials expire). */
  configure(config: RTCConfiguration): void;
  /** Registers what to undo on close. The functions run in the order of registration, before the connection and its tracks end. */
  onClose(undo: () => void): void;
  /** Emits the state again, for a new core. */
  replay(): void;
  /** Idempotent. */
  close(): void;
}

/** Uses one transport for all sections: half the candidates and one handshake. */
const bundled = (config: RTCConfiguration): RTCConfiguration => ({
  ...config,
  bundlePolicy: "max-bundle",
});

/** DTLS can fail while ICE is connected; then nothing flows, so the connection has failed. */
const stateOf = (pc: RTCPeerConnection): IceState =>
  pc.connectionState === "failed" ? "failed" : pc.iceConnectionState;

/** @throws the browser's error for a configuration that it refuses */
export function createConnectionDriver(
  deps: Pick<MediaDeps, "createConnection" | "clock" | "report">,
  { config, tally, code }: DriverOptions,
  events: DriverEvents,
): ConnectionDriver {
  const pc = deps.createConnection(bundled(config));
  const batch = createCandidateBatch(deps.clock, events.candidates);
  const undo: (() => void)[] = [tally.open("peers"), () => batch.close()];
  /** The track that was last requested per sender, because replaceTrack is asynchronous. */
  const requested = new Map<RTCRtpSender, MediaStreamTrack | null>();
  let waiting: Candidate[] = [];
  let queue: Promise<void> = Promise.resolve();
  let closed = false;
  let state: IceState | null = null;

  /** Queues a step. WebRTC accepts descriptions only in order. */
  const run = (step: string, work: () => Promise<void>): void => {
    queue = queue.then(async () => {
      if (closed) return;
      try {
        await work();
      } catch (cause) {
        if (closed) return;
        const name = cause instanceof Error ? cause.name : "Error";
        deps.report(`${step} failed: ${String(cause)}`);
        events.failed(new AppError(code, { cause, details: { step, name } }));
      }
    });
  };
  const lookAtState = (): void => {
    const now = stateOf(pc);
    if (closed || now === state) return;
    state = now;
    events.state(now);
  };

  const setLocal = async (
    type: "offer" | "answer",
    sdp: string,
    iceRestart = false,
  ): Promise<void> => {
    batch.hold();
    try {
      await pc.setLocalDescription({ type, sdp });
      if (!closed) events.description(type, pc.localDescription?.sdp ?? sdp, iceRestart);
    } finally {
      batch.open();
    }
  };
  /** Adds the candidates of the remote description and keeps those of a description that is still to come (ICE restart). */
  const addWaiting = async (): Promise<void> => {
    const remote = pc.remoteDescription;
    if (remote === null) return;
    for (const candidate of waiting.splice(0)) {
      const fragment = candidate.usernameFragment;
      if (fragment && !hasFragment(remote.sdp, fragment)) {
        waiting.push(candidate);
        continue;
      }
      try {
        await pc.addIceCandidate(candidate as RTCIceCandidateInit);
      } catch (error) {
        if (closed) return;
        deps.report(`candidate refused: ${String(error)}`);
        events.candidateRefused?.();
      }
    }
  };

  undo.push(
    tally.listen(pc, "icecandidate", (event) => {
      const { candidate } = event as RTCPeerConnectionIceEvent;
      if (candidate === null) return batch.flush();
      const { sdpMid, sdpMLineIndex, usernameFragment } = candidate;
      batch.add({ candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment });
    }),
    tally.listen(pc, "iceconnectionstatechange", lookAtState),
    tally.listen(pc, "connectionstatechange", lookAtState),
    ...(events.fell === undefined ? [] : [watchPath(pc, tally, events.fell)]),
  );

  return {
    pc,
    get closed() {
      return closed;
    },
    offer({ iceRestart = false, sections, edit } = {}) {
      run("offer", async () => {
        sections?.();
        const { sdp = "" } = await pc.createOffer({ iceRestart });
        if (!closed) await setLocal("offer", edit?.(sdp) ?? sdp, iceRestart);
      });
    },
    acceptAnswer(sdp, accepted) {
      run("answer", async () => {
        if (pc.signalingState !== "have-local-offer") {
          deps.report("answer without an open offer, dropped");
          return;
        }
        await pc.setRemoteDescription({ type: "answer", sdp });
        if (closed) return;
        accepted?.();
        await addWaiting();
      });
    },
    acceptOffer(offered, { begin, sections, edit, answered } = {}) {
      run("remote offer", async () => {
        begin?.();
        await pc.setRemoteDescription({ type: "offer", sdp: offered });
        if (closed) return;
        sections?.();
        const { sdp = "" } = await pc.createAnswer();
        if (closed) return;
        await setLocal("answer", edit?.(sdp) ?? sdp);
        if (closed) return;
        answered?.();
        await addWaiting();
      });
    },
    addCandidates(cands) {
      if (closed) return;
      waiting = [...waiting, ...cands].slice(-WAITING_CANDIDATES);
      run("candidates", addWaiting);
    },
    replaceTrack(sender, track) {
      const now = requested.has(sender) ? requested.get(sender) : sender.track;
      if (closed || now === track) return;
      requested.set(sender, track);
      sender.replaceTrack(track).catch((error: unknown) => {
        if (!closed) deps.report(`replaceTrack failed: ${String(error)}`);
      });
    },
    configure(next) {
      if (closed) return;
      try {
        pc.setConfiguration(bundled(next));
      } catch (error) {
        deps.report(`new ICE servers refused: ${String(error)}`);
      }
    },
    onClose(run) {
      if (closed) run();
      else undo.push(run);
    },
    replay() {
      if (state !== null) events.state(state);
    },
    close() {
      if (closed) return;
      closed = true;
      waiting = [];
      for (const one of undo.splice(0)) {
        try {
          one();
        } catch (error) {
          // One failure must not leave the rest open.
          deps.report(`closing: ${String(error)}`);
        }
      }
      pc.close();
    },
  };
}
