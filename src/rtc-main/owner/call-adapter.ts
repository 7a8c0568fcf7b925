/** The adapter of a call: uses the native or agora engine and keeps one remote picture while connections change. */
import type { MediaDeps } from "../deps.ts";
import type { Elements } from "../elements/elements.ts";
import { createShown } from "../elements/shown.ts";
import { createAgoraEngine } from "../engines/agora.ts";
import type { Engine, EngineEvents } from "../engine.ts";
import { createNativeEngine } from "../engines/native.ts";
import type { Tally } from "../tally.ts";
import type { EngineAdapter } from "./adapter.ts";
import type { OwnCommand } from "./commands.ts";
import type { OutEvent } from "./events.ts";

export function createCallAdapter(
  deps: MediaDeps & { readonly tally: Tally; readonly elements: Elements },
  own: OwnCommand,
  config: RTCConfiguration,
  post: (event: OutEvent) => void,
  onChange: () => void,
): EngineAdapter {
  const { tally, elements } = deps;
  const shown = createShown(
    (kind, track) => {
      if (kind === "video") elements.showVideo("remote", track);
      else elements.playAudio(track);
    },
    () => elements.freezeRemote(),
    onChange,
  );
  const events: EngineEvents = {
    description: (rtcId, type, sdp, iceRestart) =>
      post({ t: "description", rtcId, type, sdp, iceRestart }),
    candidates: (rtcId, cands) => post({ t: "candidates", rtcId, cands }),
    ice: (rtcId, state) => post({ t: "ice", rtcId, state }),
    path: (rtcId, t) => post({ t, rtcId }),
    firstMedia(rtcId, kind, at) {
      shown.first(rtcId, kind);
      post({ t: "first-media", rtcId, kind, at });
    },
    failed: (error, rtcId) =>
      post({ t: "failed", error: error.toWire(), ...(rtcId === undefined ? {} : { rtcId }) }),
    remoteTrack: (rtcId, track) => shown.track(rtcId, track),
    remoteGone: (rtcId, kind) => shown.gone(rtcId, kind),
    tokenExpiring: () => post({ t: "token-expiring" }),
  };
  const tracks = { audio: null, video: null };
  const engine: Engine =
    own.engine.kind === "agora"
      ? createAgoraEngine(deps, { access: own.engine, tracks, tally }, events)
      : createNativeEngine(deps, { media: own.media, config, tracks, tally }, events);

  return {
    command(command) {
      switch (command.t) {
        case "offer":
          return engine.offer(command.rtcId, command.iceRestart);
        case "description":
          return engine.description(command.rtcId, command.type, command.sdp);
        case "candidates":
          return engine.candidates(command.rtcId, command.cands);
        case "close":
          return engine.closeConnection(command.rtcId);
        case "picture":
          return engine.setPicture(command.level);
        case "token":
          return engine.renew(command.token);
        default:
          deps.report(`${command.t} does not apply to a call, dropped`);
      }
    },
    setTracks: (next) => engine.setTracks(next),
    configure: (next) => engine.configure(next),
    sample: () => engine.sample(),
    rtcIds: () => engine.rtcIds(),
    get remoteVideo() {
      return shown.hasVideo;
    },
    ownLevel: 0,
    tiles: () => undefined,
    replay: () => engine.replay(),
    close() {
      // Clear first, so that no last picture is kept.
      shown.clear();
      // Do not wait: the cloud's leave may never end, and the tracks are stopped anyway.
      engine.close().catch((error: unknown) => deps.report(`close failed: ${String(error)}`));
    },
  };
}
