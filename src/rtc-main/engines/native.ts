/** The `native` engine: peer-to-peer connections by rtcId. */
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import { createDrivers } from "../connections/drivers.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import { type CallConnection, createCallConnection } from "./call-connection.ts";
import type { Engine, EngineEvents, LocalTracks } from "./engine.ts";

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
  const drivers = createDrivers(
    deps,
    { config, tally, code: "call.link-failed" },
    {
      description: events.description,
      candidates: events.candidates,
      state: events.ice,
      failed: (rtcId, error) => events.failed(error, rtcId),
    },
  );

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
      open(rtcId)?.offer(iceRestart);
    },
    description(rtcId, type, sdp) {
      if (drivers.wasClosed(rtcId) || (type === "answer" && !connections.has(rtcId)))
        return drop(rtcId, `description (${type})`);
      open(rtcId)?.description(type, sdp);
    },
    candidates: (rtcId, cands) => drivers.addCandidates(rtcId, cands),
    closeConnection(rtcId) {
      drivers.close(rtcId);
      connections.delete(rtcId);
    },
    setTracks(next) {
      tracks = next;
      for (const connection of connections.values()) connection.setTracks(next);
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
      drivers.closeAll();
      connections.clear();
      return Promise.resolve();
    },
  };
}
