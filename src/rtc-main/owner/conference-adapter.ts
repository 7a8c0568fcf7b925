/** The adapter of a conference: its commands and events are wrapped in `conference`; there is one connection per stream. */
import { createCameraControl } from "../conference/camera-control.ts";
import { createCloudEngine } from "../conference/cloud-engine.ts";
import { createConferenceEngine } from "../conference/engine.ts";
import type { TabControl } from "../control/control.ts";
import type { AgoraAccess } from "../../shared/protocol/media-port.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../shared/protocol/confr-media.ts";
import type { ControlCommand } from "../../shared/protocol/remote-control.ts";
import type { Screen } from "../conference/screen.ts";
import type { StreamElements } from "../conference/streams.ts";
import type { MediaDeps } from "../deps.ts";
import type { SoundHub } from "../sound/hub.ts";
import type { Tally } from "../tally.ts";
import type { EngineAdapter } from "./adapter.ts";
import type { OutEvent } from "./events.ts";

const isControl = (body: ConferenceMediaCommand): body is ControlCommand =>
  body.t.startsWith("control-");

export function createConferenceAdapter(
  deps: MediaDeps & {
    readonly tally: Tally;
    readonly streams: StreamElements;
    readonly screen: Screen;
    readonly tabControl: TabControl;
    /** The track of the own camera itself; null while it is off. */
    readonly device: () => MediaStreamTrack | null;
    /** Switches to the next camera. @returns false when there is none */
    readonly nextCamera: () => Promise<boolean>;
    readonly sound: SoundHub;
  },
  /** `cloud`: the channel that carries the media; null for the media node. */
  way: { readonly config: RTCConfiguration; readonly cloud: AgoraAccess | null },
  post: (event: OutEvent) => void,
): EngineAdapter {
  const { tally, streams, screen, sound, tabControl } = deps;
  const { config, cloud: access } = way;
  const shared = { tally, streams, screen, sound };
  const postBody = (body: ConferenceMediaEvent): void => post({ t: "conference", body });
  const expiring = (): void => post({ t: "token-expiring" });
  const cloud =
    access === null ? null : createCloudEngine(deps, { ...shared, access, expiring }, postBody);
  const engine = cloud ?? createConferenceEngine(deps, { ...shared, config }, postBody);
  let able = false;
  const tellAble = (): void => {
    if (able === tabControl.able) return;
    able = tabControl.able;
    post({ t: "conference", body: { t: "control-able", able } });
  };
  const stopTelling = tabControl.onChange(tellAble);
  tellAble();
  const camera = createCameraControl(
    deps,
    (tracks) => engine.setTracks(tracks),
    (body) => post({ t: "conference", body }),
  );
  return {
    command(command) {
      if (command.t === "conference" && isControl(command.body)) tabControl.command(command.body);
      else if (command.t === "conference" && command.body.t === "camera") camera.run(command.body);
      else if (command.t === "conference") engine.command(command.body);
      else if (command.t === "token") cloud?.renew(command.token);
      else deps.report(`${command.t} does not apply to a conference, dropped`);
    },
    setTracks: (next) => camera.wear(next),
    configure: (next) => engine.configure(next),
    sample: () => engine.sample(),
    rtcIds: () => engine.rtcIds(),
    remoteVideo: false,
    transmission: (id) => engine.transmission(id),
    get ownLevel() {
      return engine.ownLevel;
    },
    tiles: () => engine.requestLayers(),
    replay() {
      engine.replay();
      camera.replay();
      able = false;
      tellAble();
    },
    close() {
      stopTelling();
      tabControl.stop();
      engine.close();
      camera.close();
    },
  };
}
