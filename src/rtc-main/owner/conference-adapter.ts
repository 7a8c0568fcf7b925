/** The adapter of a conference: its commands and events are wrapped in `confr`; there is one connection per stream. */
import { createCameraControl } from "../conference/camera-control.ts";
import { createConferenceEngine } from "../conference/engine.ts";
import type { Screen } from "../conference/screen.ts";
import type { StreamElements } from "../conference/streams.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";
import type { EngineAdapter } from "./adapter.ts";
import type { OutEvent } from "./events.ts";

export function createConferenceAdapter(
  deps: MediaDeps & {
    readonly tally: Tally;
    readonly streams: StreamElements;
    readonly screen: Screen;
    /** The track of the own camera itself; null while it is off. */
    readonly device: () => MediaStreamTrack | null;
    /** Switches to the next camera. @returns false when there is none */
    readonly nextCamera: () => Promise<boolean>;
  },
  config: RTCConfiguration,
  post: (event: OutEvent) => void,
): EngineAdapter {
  const { tally, streams, screen } = deps;
  const engine = createConferenceEngine(deps, { config, tally, streams, screen }, (body) =>
    post({ t: "confr", body }),
  );
  const camera = createCameraControl(
    deps,
    (tracks) => engine.setTracks(tracks),
    (body) => post({ t: "confr", body }),
  );
  return {
    command(command) {
      if (command.t === "confr" && command.body.t === "camera") camera.run(command.body);
      else if (command.t === "confr") engine.command(command.body);
      else deps.report(`${command.t} does not apply to a conference, dropped`);
    },
    setTracks: (next) => camera.wear(next),
    configure: (next) => engine.configure(next),
    sample: () => engine.sample(),
    rtcIds: () => engine.rtcIds(),
    remoteVideo: false,
    get ownLevel() {
      return engine.ownLevel;
    },
    tiles: () => engine.requestLayers(),
    replay() {
      engine.replay();
      camera.replay();
    },
    close() {
      engine.close();
      camera.close();
    },
  };
}
