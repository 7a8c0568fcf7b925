/** The PeerConnection of one stream: handles descriptions in order, adds candidates after their description, reports states once. */
import { AppError } from "../../shared/errors.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaDeps } from "../deps.ts";
import type { IceState } from "../engines/engine.ts";
import { createCandidateBatch } from "../connections/batch.ts";
import { hasFragment } from "../connections/sdp.ts";
import type { Tally } from "../tally.ts";

/** Most candidates that wait for their description. The oldest are dropped first. */
const PENDING = 200;
/** Use one transport for all sections: half the candidates and one handshake. */
const bundled = (config: RTCConfiguration): RTCConfiguration => ({
  ...config,
  bundlePolicy: "max-bundle",
});

export interface ConferenceConnectionEvents {
  description(type: "offer" | "answer", sdp: string, restart: boolean): void;
  candidates(cands: Candidate[]): void;
  ice(state: IceState): void;
  failed(error: AppError): void;
}

export interface ConferenceConnection {
  readonly pc: RTCPeerConnection;
  readonly closed: boolean;
  /** Queues work; one runs after another. Errors go to `failed`. */
  run(step: string, work: () => Promise<void>): void;
  /** Sets and sends the local description. */
  tell(description: RTCSessionDescriptionInit, restart: boolean): Promise<void>;
  /** Sets the remote description, then adds the candidates that waited for it. */
  remote(type: "offer" | "answer", sdp: string): Promise<void>;
  candidates(cands: readonly Candidate[]): void;
  /** Sets the ICE servers for the next restart. */
  configure(config: RTCConfiguration): void;
  onClose(run: () => void): void;
  /** Sends the state again, for a new core. */
  replay(): void;
  /** Idempotent. */
  close(): void;
}

/** @throws the browser's error for a configuration that it refuses */
export function createConferenceConnection(
  deps: Pick<MediaDeps, "createConnection" | "clock" | "report">,
  tally: Tally,
  config: RTCConfiguration,
  events: ConferenceConnectionEvents,
): ConferenceConnection {
  const pc = deps.createConnection(bundled(config));
  const undo: (() => void)[] = [tally.open("peers")];
  const batch = createCandidateBatch(deps.clock, events.candidates);
  let pending: Candidate[] = [];
  let queue: Promise<void> = Promise.resolve();
  let closed = false;
  let last: IceState | null = null;

  const ice = (state: IceState): void => {
    if (closed || state === last) return;
    last = state;
    events.ice(state);
  };
  const flush = async (): Promise<void> => {
    const remote = pc.remoteDescription;
    if (remote === null) return;
    for (const candidate of pending.splice(0)) {
      const fragment = candidate.usernameFragment;
      if (fragment && !hasFragment(remote.sdp, fragment)) {
        // The candidate belongs to a later description (ICE restart).
        pending.push(candidate);
        continue;
      }
      try {
        await pc.addIceCandidate(candidate as RTCIceCandidateInit);
      } catch (error) {
        // The other candidates may still connect.
        if (!closed) deps.report(`candidate refused: ${String(error)}`);
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
    tally.listen(pc, "iceconnectionstatechange", () => ice(pc.iceConnectionState)),
    // DTLS can fail while ICE is connected; treat that as failed.
    tally.listen(pc, "connectionstatechange", () => {
      if (pc.connectionState === "failed") ice("failed");
    }),
  );

  const link: ConferenceConnection = {
    pc,
    get closed() {
      return closed;
    },
    run(step, work) {
      queue = queue.then(async () => {
        if (closed) return;
        try {
          await work();
        } catch (cause) {
          if (closed) return;
          const name = cause instanceof Error ? cause.name : "Error";
          deps.report(`${step} failed: ${String(cause)}`);
          events.failed(new AppError("conference.link-failed", { cause, details: { step, name } }));
        }
      });
    },
    async tell(description, restart) {
      batch.hold();
      try {
        await pc.setLocalDescription(description);
        if (closed) return;
        const type = description.type === "offer" ? "offer" : "answer";
        events.description(type, pc.localDescription?.sdp ?? description.sdp ?? "", restart);
      } finally {
        batch.open();
      }
    },
    async remote(type, sdp) {
      await pc.setRemoteDescription({ type, sdp });
      if (!closed) await flush();
    },
    candidates(cands) {
      if (closed) return;
      pending = [...pending, ...cands].slice(-PENDING);
      link.run("candidates", flush);
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
      if (last !== null) events.ice(last);
    },
    close() {
      if (closed) return;
      closed = true;
      batch.close();
      for (const run of undo.splice(0)) run();
      pending = [];
      pc.close();
    },
  };
  return link;
}
