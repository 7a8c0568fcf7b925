/** The adapter of a conference: its commands and events are wrapped in `confr`; there is one connection per stream. */
import { createConferenceEngine } from "../conference/engine.ts";
import type { Screen } from "../conference/screen.ts";
import type { StreamElements } from "../conference/streams.ts";
import type { MediaDeps } from "../deps.ts";
import type { SoundHub } from "../sound/hub.ts";
import type { Tally } from "../tally.ts";
import type { EngineAdapter } from "./adapter.ts";
import type { OutEvent } from "./events.ts";

export function createConferenceAdapter(
  deps: MediaDeps & {
    readonly tally: Tally;
    readonly streams: StreamElements;
    readonly screen: Screen;
    readonly sound: SoundHub;
  },
  config: RTCConfiguration,
  post: (event: OutEvent) => void,
): EngineAdapter {
  const { tally, streams, screen, sound } = deps;
  const engine = createConferenceEngine(deps, { config, tally, streams, screen, sound }, (body) =>
    post({ t: "confr", body }),
  );
  return {
    command(command) {
      if (command.t === "confr") engine.command(command.body);
      else deps.report(`${command.t} does not apply to a conference, dropped`);
    },
    setTracks: (next) => engine.setTracks(next),
    configure: (next) => engine.configure(next),
    sample: () => engine.sample(),
    rtcIds: () => engine.rtcIds(),
    remoteVideo: false,
    transmission: (id) => engine.transmission(id),
    get ownLevel() {
      return engine.ownLevel;
    },
    tiles: () => engine.requestLayers(),
    replay: () => engine.replay(),
    close: () => engine.close(),
  };
}
