/** The own microphone and camera of a call of two as its buttons show them. Pure. */
import { isUsable } from "../../../shared/domain/device-errors.ts";
import { causeOfState, isOpenState } from "../../../shared/domain/device-states.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";

type Local = Readonly<CallSlice["local"]>;

export interface CallControl {
  /** It is meant to be heard or seen; a click turns it off. Otherwise a click turns it on, and opens it again if it had failed. */
  readonly on: boolean;
  /** It failed. */
  readonly gone: boolean;
  /** Whether a click may help. Before the devices were opened there is nothing to turn off. */
  readonly usable: boolean;
}

const isGone = (state: Local["microphone"]): boolean =>
  causeOfState(state) !== null && !isOpenState(state);

export function microphoneOf({ audioMuted, hasAudio, microphone }: Local): CallControl {
  const gone = isGone(microphone);
  return {
    on: !audioMuted && !gone,
    gone,
    usable: gone ? isUsable("microphone", microphone) : hasAudio,
  };
}

export function cameraOf({ videoOff, hasVideo, camera }: Local): CallControl {
  const gone = isGone(camera);
  return {
    on: !videoOff && !gone,
    gone,
    usable: gone ? isUsable("camera", camera) : hasVideo,
  };
}
