/** The `native` engine: peer-to-peer connections by rtcId. */
import type { PictureLevel } from "../../shared/domain/picture-levels.ts";
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import { createDrivers } from "../connections/drivers.ts";
import { withOpusForWeakNetworks } from "../connections/sdp.ts";
import { createSilence, trafficOf } from "../connections/silence.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import { type CallConnection, createCallConnection } from "./call-connection.ts";
import type { Engine, EngineEvents, LocalTracks } from "../engine.ts";

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
  const { media, config, tally } = options;
  const connections = new Map<string, CallConnection>();
  let { tracks } = options;
  let level: PictureLevel = "full";
  const drivers = createDrivers(
    deps,
    { config, tally, code: "call.connection-failed" },
    {
      description: (rtcId, type, sdp, iceRestart) =>
        events.description(rtcId, type, withOpusForWeakNetworks(sdp), iceRestart),
      candidates: events.candidates,
      state(rtcId, state) {
        if (state === "connected") {
          silence.start();
          if (level !== "full") connections.get(rtcId)?.limitPicture(level);
        }
        events.ice(rtcId, state);
      },
      failed: (rtcId, error) => events.failed(error, rtcId),
    },
  );

  let closed = false;
  const silence = createSilence(
    deps.clock,
    () =>
      drivers.connected().map(({ rtcId, pc }) => ({
        rtcId,
        publishes: tracks.audio !== null || tracks.video !== null,
        traffic: async () => trafficOf(await pc.getStats()),
      })),
    (event, rtcId) => {
      events.path(rtcId, event);
      if (event === "silent") void lookWhetherMoved(rtcId);
    },
  );
  async function lookWhetherMoved(rtcId: string): Promise<void> {
    const pc = drivers.connected().find((one) => one.rtcId === rtcId)?.pc;
    if (pc !== undefined && (await deps.hasMoved(pc)) && !closed) events.path(rtcId, "moved");
  }

  const open = (rtcId: string): CallConnection | undefined => {
    const known = connections.get(rtcId);
    if (known !== undefined) return known;
    const driver = drivers.open(rtcId);
    if (driver === null) return undefined;
    const made = createCallConnection(
      deps,
      driver,
      { media, tracks, tally },
      {
        track: (track) => events.remoteTrack(rtcId, track),
        firstMedia: (kind, at) => events.firstMedia(rtcId, kind, at),
        gone: () => events.remoteGone(rtcId),
      },
    );
    connections.set(rtcId, made);
    return made;
  };
  const drop = (rtcId: string, what: string): void =>
    deps.report(`${what} for ${rtcId}, which is closed or unknown, dropped`);

  return {
    offer(rtcId, iceRestart) {
      if (drivers.wasClosed(rtcId)) return drop(rtcId, "offer command");
      if (iceRestart) silence.restarting(rtcId);
      open(rtcId)?.offer(iceRestart);
    },
    description(rtcId, type, sdp) {
      if (drivers.wasClosed(rtcId) || (type === "answer" && !connections.has(rtcId)))
        return drop(rtcId, `description (${type})`);
      open(rtcId)?.description(type, sdp);
    },
    candidates: (rtcId, cands) => drivers.addCandidates(rtcId, cands),
    closeConnection(rtcId) {
      silence.forget(rtcId);
      drivers.close(rtcId);
      connections.delete(rtcId);
    },
    setTracks(next) {
      tracks = next;
      for (const connection of connections.values()) {
        connection.setTracks(next);
        // Another camera has another height.
        if (level !== "full") connection.limitPicture(level);
      }
    },
    setPicture(next) {
      level = next;
      for (const connection of connections.values()) connection.limitPicture(next);
    },
    configure: (next) => drivers.configure(next),
    renew: () => undefined,
    sample: () => drivers.sample(),
    rtcIds: () => drivers.rtcIds(),
    replay() {
      drivers.replay();
      for (const connection of connections.values()) connection.replay();
    },
    close() {
      closed = true;
      silence.close();
      drivers.closeAll();
      connections.clear();
      return Promise.resolve();
    },
  };
}
