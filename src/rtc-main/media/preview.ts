/**
 * The own devices before a conference is joined (docs/conferences.md#green-room): the person sees and hears what the others would get.
 * Nothing is sent.
 */
import type { MediaDeps } from "../deps.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import type { Tally } from "../tally.ts";
import { type CaptureStates, createConferenceDevices } from "./conference-devices.ts";
import { createOwnListener } from "./listen.ts";
import type { DeviceChoice } from "./open.ts";
import type { OwnDevicesDeps } from "./own-devices.ts";

/** Which devices the person wants to join with. */
export interface PreviewWish {
  readonly microphone: boolean;
  readonly camera: boolean;
}
export interface PreviewView {
  /** The own picture as it would be sent; null while there is none. */
  readonly picture: MediaStream | null;
  readonly states: CaptureStates;
}
export interface Preview {
  want(wish: PreviewWish): void;
  /** Opens devices that failed once more, because the person asked for it. */
  retry(): void;
  /** Level of the own microphone, 0..1; 0 while it is off. */
  level(): number;
  /** Closes the devices. Idempotent. */
  close(): void;
}
export interface OwnPreview extends Preview {
  readonly tracks: LocalTracks;
  /** Switches to another device. Rejects with AppError media.* and keeps the former one. */
  use(kind: Kind, choice: DeviceChoice): Promise<void>;
}

const OFF: CaptureStates = { audio: "off", video: "off" };
const KINDS: readonly Kind[] = ["audio", "video"];

/** @param show gets the picture and the states of the devices whenever they change */
export function createPreview(
  deps: OwnDevicesDeps & Pick<MediaDeps, "permission" | "createStream">,
  tally: Tally,
  initial: PreviewWish,
  show: (view: PreviewView) => void,
): OwnPreview {
  const listener = createOwnListener(deps.listen);
  let wish = initial;
  let states = OFF;
  let picture: MediaStream | null = null;
  const settings = () => ({
    audioMuted: false,
    audioOff: !wish.microphone,
    videoOff: !wish.camera,
  });
  const showState = (): void => show({ picture, states });

  const devices = createConferenceDevices(deps, tally, settings(), {
    tracks({ video }) {
      if (picture?.getTracks()[0] === (video ?? undefined)) return;
      picture = video === null ? null : deps.createStream([video]);
      showState();
    },
    states(next) {
      states = next;
      if (next.audio !== "on") listener.close();
      showState();
    },
    mutedVoice: () => undefined,
  });
  devices.open();

  return {
    get tracks() {
      return devices.tracks;
    },
    want(next) {
      wish = next;
      devices.set(settings(), []);
    },
    retry: () => devices.set(settings(), KINDS),
    level() {
      const { audio } = devices.tracks;
      return audio === null ? 0 : listener.level(audio);
    },
    use: (kind, choice) => devices.use(kind, choice),
    close() {
      listener.close();
      devices.close();
    },
  };
}
