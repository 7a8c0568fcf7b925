/** The own microphone and camera as the controls show them: what is on, what is missing, and the effect of a click. Pure. */
import type { PermissionPlace, WayOut } from "../../../shared/domain/device-error-words.ts";
import { deviceErrorRow, isUsable } from "../../../shared/domain/device-errors.ts";
import {
  DEVICE_CAUSES,
  type DeviceCause,
  type DeviceState,
  isOpenState,
} from "../../../shared/domain/device-states.ts";
import type { ConferenceSlice } from "../../../shared/protocol/state.ts";

type Local = Readonly<
  Pick<
    ConferenceSlice["local"],
    "publishing" | "audioOff" | "videoOff" | "audioMuted" | "microphone" | "camera"
  >
>;
export type Which = "microphone" | "camera" | "both";
export type Problem = "asking" | DeviceCause;
export type Hint =
  | { readonly what: Problem; readonly which: Which }
  | { readonly what: "watching" };

export interface Control {
  /** The device is sending now; a microphone is audible. */
  readonly on: boolean;
  /** The device is open, so that a click only mutes or unmutes it. */
  readonly open: boolean;
  /** The browser is opening it, or asking the person for permission. */
  readonly asking: boolean;
  /** Whether a click may help, should the device have failed. */
  readonly usable: boolean;
}

export function controlsOf(local: Local): {
  readonly microphone: Control;
  readonly camera: Control;
} {
  const wanted = wantedOf(local);
  const control = (device: "microphone" | "camera", want: boolean, off: boolean): Control => {
    const state: DeviceState = local[device];
    const open = want && isOpenState(state);
    return {
      on: open && !off,
      open,
      asking: want && state === "asking",
      usable: !want || isUsable(device, state),
    };
  };
  return {
    microphone: control("microphone", wanted.microphone, local.audioMuted),
    camera: control("camera", wanted.camera, false),
  };
}

/** Text key for the effect of a click on the microphone. */
export function microphoneLabel({ on, open }: Control): "mute" | "unmute" | "microphoneOn" {
  if (on) return "mute";
  return open ? "unmute" : "microphoneOn";
}

const wantedOf = ({ publishing, audioOff, videoOff }: Local) => ({
  microphone: publishing && !audioOff,
  camera: publishing && !videoOff,
});

/** What the person should know about the devices, most urgent first. */
export function hintsOf(local: Local): readonly Hint[] {
  if (!local.publishing) return [{ what: "watching" }];
  const wanted = wantedOf(local);
  const hints: Hint[] = [];
  for (const what of ["asking", ...DEVICE_CAUSES] as const) {
    const microphone = wanted.microphone && local.microphone === what;
    const camera = wanted.camera && local.camera === what;
    if (microphone && camera) hints.push({ what, which: "both" });
    else if (microphone) hints.push({ what, which: "microphone" });
    else if (camera) hints.push({ what, which: "camera" });
  }
  return hints;
}

/** What the person can do about these hints. */
export function waysOf(hints: readonly Hint[]): ReadonlySet<WayOut> {
  const ways = new Set<WayOut>();
  for (const hint of hints) {
    if (hint.what === "watching" || hint.what === "asking") continue;
    const devices =
      hint.which === "both" ? (["microphone", "camera"] as const) : ([hint.which] as const);
    for (const device of devices) {
      for (const way of deviceErrorRow(device, hint.what).ways) ways.add(way);
    }
  }
  return ways;
}

/** The browser family, because each has another place for changing permissions. */
export function permissionPlace(userAgent: string): PermissionPlace {
  if (/Firefox\/|FxiOS\//.test(userAgent)) return "firefox";
  if (/Chrome\/|Chromium\/|CriOS\/|Edg/.test(userAgent)) return "chromium";
  return /AppleWebKit/.test(userAgent) ? "safari" : "chromium";
}
