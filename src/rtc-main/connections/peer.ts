/** One RTCPeerConnection of a call. Commands run one after another. */
import { AppError } from "../../shared/errors.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaDeps } from "../deps.ts";
import type { EngineEvents, IceState, Kind, LocalTracks } from "../engines/engine.ts";
import { reduceStats } from "../stats/reduce.ts";
import type { Tally } from "../tally.ts";
import { createCandidateBatch } from "./batch.ts";
import { watchFirstMedia } from "./first-media.ts";
import { hasFragment, withoutVideo } from "./sdp.ts";

/** Most remote candidates that wait for their description. The oldest are dropped first. */
const PENDING_LIMIT = 200;

export interface CallConnection {
  /** Makes an offer and emits it. */
  offer(iceRestart: boolean): void;
  /** Sets a remote description. A remote offer is answered; it rolls back an own open offer. */
  description(type: "offer" | "answer", sdp: string): void;
  candidates(cands: readonly Candidate[]): void;
  setTracks(tracks: LocalTracks): void;
  configure(config: RTCConfiguration): void;
  sample(): Promise<StreamSample[]>;
  replay(): void;
  close(): void;
}

export interface CallConnectionOptions {
  readonly rtcId: string;
  readonly media: CallMedia;
  readonly config: RTCConfiguration;
  readonly tracks: LocalTracks;
  readonly tally: Tally;
}

type PeerDeps = Pick<
  MediaDeps,
  "createConnection" | "clock" | "createProbeElement" | "createStream" | "report"
>;

/** Use one transport for both kinds: half the candidates and one handshake. */
const bundled = (config: RTCConfiguration): RTCConfiguration => ({
  ...config,
  bundlePolicy: "max-bundle",
});

/**
 * Creates the connection `rtcId`. A video call always has both sections, so that a later camera needs only replaceTrack. A voice
 * call has audio only, and makes the other side's video sections inactive.
 */
export function createCallConnection(
  deps: PeerDeps,
  options: CallConnectionOptions,
  events: EngineEvents,
): CallConnection {
  const { rtcId, media, tally } = options;
  const pc = deps.createConnection(bundled(options.config));
  const undo: (() => void)[] = [tally.open("peers")];
  const slots = new Map<Kind, RTCRtpTransceiver>();
  const watched = new Set<MediaStreamTrack>();
  const firstMedia = new Map<Kind, number>();
  let tracks = options.tracks;
  let pending: Candidate[] = [];
  let closed = false;
  let lastIce: IceState | null = null;
  const batch = createCandidateBatch(deps.clock, (cands) => events.candidates(rtcId, cands));

  // Handle one description at a time: WebRTC's state machine accepts them only in order.
  let queue: Promise<void> = Promise.resolve();
  const run = (step: string, work: () => Promise<void>): void => {
    queue = queue.then(async () => {
      if (closed) return;
      try {
        await work();
      } catch (cause) {
        if (closed) return;
        const name = cause instanceof Error ? cause.name : "Error";
        deps.report(`${rtcId}: ${step} failed: ${String(cause)}`);
        events.failed(new AppError("call.link-failed", { cause, details: { step, name } }), rtcId);
      }
    });
  };

  const put = (kind: Kind): void => {
    const slot = slots.get(kind);
    if (slot === undefined || slot.direction === "inactive") return;
    if (slot.sender.track === tracks[kind]) return;
    slot.sender.replaceTrack(tracks[kind]).catch((error: unknown) => {
      if (!closed) deps.report(`${rtcId}: replaceTrack ${kind} failed: ${String(error)}`);
    });
  };

  const prepareToOffer = (): void => {
    for (const kind of ["audio", "video"] as const) {
      if (slots.has(kind) || (kind === "video" && media === "voice")) continue;
      slots.set(kind, pc.addTransceiver(tracks[kind] ?? kind, { direction: "sendrecv" }));
    }
  };

  /** After a remote offer, uses the offer's sections for the own tracks. */
  const adoptSections = (): void => {
    for (const [kind, slot] of slots) {
      // The section belongs to a rolled back offer and would become a second section.
      if (slot.mid !== null) continue;
      slot.stop();
      slots.delete(kind);
    }
    for (const transceiver of pc.getTransceivers()) {
      if (transceiver.mid === null || transceiver.currentDirection === "stopped") continue;
      const kind = transceiver.receiver.track.kind as Kind;
      if (slots.has(kind)) continue;
      slots.set(kind, transceiver);
      transceiver.direction = kind === "video" && media === "voice" ? "inactive" : "sendrecv";
      put(kind);
    }
  };

  const addCandidate = async (candidate: Candidate): Promise<void> => {
    try {
      await pc.addIceCandidate(candidate as RTCIceCandidateInit);
    } catch (error) {
      // one bad candidate is no reason to end a connection that others may carry
      if (!closed) deps.report(`${rtcId}: candidate refused: ${String(error)}`);
    }
  };

  /** Adds what fits the remote description, keeps what belongs to one that is still to come. */
  const flushPending = async (): Promise<void> => {
    const remote = pc.remoteDescription;
    if (remote === null) return;
    const waiting = pending;
    pending = [];
    for (const candidate of waiting) {
      const fragment = candidate.usernameFragment;
      if (fragment && !hasFragment(remote.sdp, fragment)) pending.push(candidate);
      else await addCandidate(candidate);
    }
    pending = pending.slice(-PENDING_LIMIT);
  };

  const setLocal = async (
    description: RTCSessionDescriptionInit,
    iceRestart: boolean,
  ): Promise<void> => {
    batch.hold();
    try {
      await pc.setLocalDescription(description);
      if (closed) return;
      const type = description.type === "offer" ? "offer" : "answer";
      events.description(
        rtcId,
        type,
        pc.localDescription?.sdp ?? description.sdp ?? "",
        iceRestart,
      );
    } finally {
      batch.open();
    }
  };

  const ice = (state: IceState): void => {
    if (closed || state === lastIce) return;
    lastIce = state;
    events.ice(rtcId, state);
  };

  const onTrack = (event: RTCTrackEvent): void => {
    const { track, receiver } = event;
    const kind = track.kind as Kind;
    if (closed || watched.has(track)) return;
    watched.add(track);
    events.remoteTrack(rtcId, track);
    undo.push(
      watchFirstMedia({ ...deps, tally }, receiver, kind, (at) => {
        if (closed) return;
        firstMedia.set(kind, at);
        events.firstMedia(rtcId, kind, at);
      }),
    );
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
    tally.listen(pc, "track", (event) => onTrack(event as RTCTrackEvent)),
  );

  return {
    offer(iceRestart) {
      run("offer", async () => {
        prepareToOffer();
        const offer = await pc.createOffer({ iceRestart });
        if (closed) return;
        await setLocal(offer, iceRestart);
      });
    },
    description(type, sdp) {
      run(type, async () => {
        if (type === "answer" && pc.signalingState !== "have-local-offer") {
          deps.report(`${rtcId}: answer without an open offer, dropped`);
          return;
        }
        await pc.setRemoteDescription({ type, sdp: media === "voice" ? withoutVideo(sdp) : sdp });
        if (closed) return;
        if (type === "offer") {
          adoptSections();
          const answer = await pc.createAnswer();
          if (closed) return;
          await setLocal(answer, false);
        }
        await flushPending();
      });
    },
    candidates(cands) {
      if (closed) return;
      pending.push(...cands);
      pending = pending.slice(-PENDING_LIMIT);
      run("candidates", flushPending);
    },
    setTracks(next) {
      tracks = next;
      if (closed) return;
      put("audio");
      put("video");
    },
    configure(config) {
      if (closed) return;
      try {
        pc.setConfiguration(bundled(config));
      } catch (error) {
        deps.report(`${rtcId}: new ICE servers refused: ${String(error)}`);
      }
    },
    async sample() {
      if (closed) return [];
      return reduceStats(rtcId, await pc.getStats(), deps.clock.now());
    },
    replay() {
      if (lastIce !== null) events.ice(rtcId, lastIce);
      for (const [kind, at] of firstMedia) events.firstMedia(rtcId, kind, at);
    },
    close() {
      if (closed) return;
      closed = true;
      batch.close();
      for (const take of undo.splice(0)) take();
      pending = [];
      try {
        // Before the tracks end, because the last picture can still be copied.
        events.remoteGone(rtcId);
      } catch (error) {
        deps.report(`${rtcId}: the last picture cannot be kept: ${String(error)}`);
      }
      pc.close();
    },
  };
}
