/** The `native` engine: peer-to-peer connections by rtcId. */
import { AppError } from "../../shared/errors.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaDeps } from "../deps.ts";
import { createCallConnection, type CallConnection } from "../connections/peer.ts";
import type { Tally } from "../tally.ts";
import type { Engine, EngineEvents, LocalTracks } from "./engine.ts";

/** Limits for candidates that arrive before their connection exists: EARLY_LIMIT per connection, for EARLY_IDS connections. */
const EARLY_LIMIT = 200;
const EARLY_IDS = 8;
const CLOSED_IDS = 64;

export interface NativeOptions {
  readonly media: CallMedia;
  readonly config: RTCConfiguration;
  readonly tracks: LocalTracks;
  readonly tally: Tally;
}

export function createNativeEngine(
  deps: MediaDeps,
  options: NativeOptions,
  events: EngineEvents,
): Engine {
  const peers = new Map<string, CallConnection>();
  const early = new Map<string, Candidate[]>();
  /** Connections that the core closed. Late messages must not open them again. */
  const gone = new Set<string>();
  let { tracks, config } = options;

  /** @returns undefined when the browser refused (bad ICE servers, too many connections); the error goes to `failed` */
  const open = (rtcId: string): CallConnection | undefined => {
    const known = peers.get(rtcId);
    if (known !== undefined) return known;
    let peer: CallConnection;
    try {
      peer = createCallConnection(deps, { ...options, rtcId, tracks, config }, events);
    } catch (cause) {
      deps.report(`${rtcId}: no connection: ${String(cause)}`);
      events.failed(new AppError("call.link-failed", { cause, details: { step: "open" } }), rtcId);
      return undefined;
    }
    peers.set(rtcId, peer);
    const waiting = early.get(rtcId);
    early.delete(rtcId);
    if (waiting !== undefined) peer.candidates(waiting);
    return peer;
  };
  const refuse = (rtcId: string, what: string): void =>
    deps.report(`${what} for ${rtcId}, which is closed or unknown, dropped`);

  return {
    offer(rtcId, iceRestart) {
      if (gone.has(rtcId)) return refuse(rtcId, "offer command");
      open(rtcId)?.offer(iceRestart);
    },
    description(rtcId, type, sdp) {
      if (gone.has(rtcId) || (type === "answer" && !peers.has(rtcId)))
        return refuse(rtcId, `description (${type})`);
      open(rtcId)?.description(type, sdp);
    },
    candidates(rtcId, cands) {
      const peer = peers.get(rtcId);
      if (peer !== undefined) return peer.candidates(cands);
      if (gone.has(rtcId)) return;
      const list = [...(early.get(rtcId) ?? []), ...cands].slice(-EARLY_LIMIT);
      early.set(rtcId, list);
      const oldest = early.keys().next().value;
      if (early.size > EARLY_IDS && oldest !== undefined) early.delete(oldest);
    },
    closeConnection(rtcId) {
      peers.get(rtcId)?.close();
      peers.delete(rtcId);
      early.delete(rtcId);
      gone.add(rtcId);
      const oldest = gone.values().next().value;
      if (gone.size > CLOSED_IDS && oldest !== undefined) gone.delete(oldest);
    },
    setTracks(next) {
      tracks = next;
      for (const peer of peers.values()) peer.setTracks(next);
    },
    configure(next) {
      config = next;
      for (const peer of peers.values()) peer.configure(next);
    },
    async sample() {
      const all = await Promise.allSettled([...peers.values()].map((peer) => peer.sample()));
      return all.flatMap((result) => {
        if (result.status === "fulfilled") return result.value;
        deps.report(`statistics failed: ${String(result.reason)}`);
        return [];
      });
    },
    rtcIds: () => [...peers.keys()],
    replay() {
      for (const peer of peers.values()) peer.replay();
    },
    close() {
      for (const peer of peers.values()) peer.close();
      peers.clear();
      early.clear();
      return Promise.resolve();
    },
  };
}
