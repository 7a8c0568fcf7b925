/**
 * The one table of what can be wrong with the own microphone, camera or shared screen: what the browser says, the code, the words, the
 * way out, and whether the button goes on working (docs/calls.md#device-errors). Calls, conferences, the checks before them and the choice
 * of devices read it. Pure.
 */
import type { MediaErrorCode } from "../media-errors.ts";
import { ALLOW_IN, CAUSE_WORDS, type PermissionPlace, type WayOut } from "./device-error-words.ts";
import {
  causeOfState,
  DEVICE_CAUSES,
  type DeviceCause,
  type DeviceState,
} from "./device-states.ts";

export const OWN_DEVICES = ["microphone", "camera", "screen"] as const;
export type OwnDevice = (typeof OWN_DEVICES)[number];

export interface Words {
  readonly zh: string;
  readonly en: string;
}

export interface DeviceErrorRow {
  readonly device: OwnDevice;
  readonly cause: DeviceCause;
  readonly code: MediaErrorCode;
  /** What is wrong, without a full stop. */
  readonly what: Words;
  /** What to do about it, without a full stop. */
  readonly advice: Words;
  readonly ways: readonly WayOut[];
  /** Whether a click on the button of the device may help. */
  readonly usable: boolean;
  /** The person wanted it so: nothing is shown. */
  readonly silent: boolean;
}

/** A retry cannot make a page secure or a browser able. */
const HOPELESS: ReadonlySet<DeviceCause> = new Set(["insecure", "unsupported"]);

const NAMES: Readonly<Record<"microphone" | "camera" | "both", Words>> = {
  microphone: { zh: "麦克风", en: "microphone" },
  camera: { zh: "摄像头", en: "camera" },
  both: { zh: "麦克风和摄像头", en: "microphone and camera" },
};

function rowOf(device: OwnDevice, cause: DeviceCause): DeviceErrorRow {
  const { code, screen, ...others } = CAUSE_WORDS[cause];
  const usable = !HOPELESS.has(cause);
  if (device === "screen") {
    const { what, advice, ways, silent = false } = screen;
    return {
      device,
      cause,
      code,
      what: { zh: what[0], en: what[1] },
      advice: { zh: advice[0], en: advice[1] },
      ways,
      usable,
      silent,
    };
  }
  return {
    device,
    cause,
    code,
    ...wordsOf(device, cause),
    ways: others.ways,
    usable,
    silent: false,
  };
}

/**
 * What is wrong and what to do, of one device or of both at once.
 *
 * @param place where the person allows devices, should the browser be known
 */
export function wordsOf(
  which: "microphone" | "camera" | "both",
  cause: DeviceCause,
  place?: PermissionPlace,
): Pick<DeviceErrorRow, "what" | "advice"> {
  const { code, what, advice: anywhere } = CAUSE_WORDS[cause];
  const refused = code === "media.permission-denied";
  const advice = refused && place !== undefined ? ALLOW_IN[place] : anywhere;
  const { zh, en } = NAMES[which];
  return {
    what: { zh: what[0](zh), en: what[1](en) },
    advice: { zh: advice[0](zh), en: advice[1](en) },
  };
}

/** Every row: each device with each cause. */
export const DEVICE_ERRORS: readonly DeviceErrorRow[] = OWN_DEVICES.flatMap((device) =>
  DEVICE_CAUSES.map((cause) => rowOf(device, cause)),
);
const BY_KEY = new Map(DEVICE_ERRORS.map((row) => [`${row.device} ${row.cause}`, row]));

export function deviceErrorRow(device: OwnDevice, cause: DeviceCause): DeviceErrorRow {
  return BY_KEY.get(`${device} ${cause}`) ?? rowOf(device, cause);
}

/** What is wrong and what to do in one line, as in a message. */
export const lineOf = ({ what, advice }: Pick<DeviceErrorRow, "what" | "advice">): Words => ({
  zh: `${what.zh}，${advice.zh}`,
  en: `${what.en}. ${advice.en}`,
});

/** The names of what getUserMedia and getDisplayMedia reject with; the later ones are those of older browsers. */
export const ERROR_NAMES: Readonly<Record<string, DeviceCause>> = {
  NotAllowedError: "denied",
  SecurityError: "insecure",
  NotSupportedError: "unsupported",
  NotReadableError: "busy",
  OverconstrainedError: "unfit",
  AbortError: "aborted",
  InvalidStateError: "inactive",
  InvalidAccessError: "inactive",
  NotFoundError: "missing",
  PermissionDeniedError: "denied",
  TrackStartError: "busy",
  DevicesNotFoundError: "missing",
};
/** Chromium says only in the message that it was the system. */
const BY_SYSTEM = /by system/i;

/** The cause that an error of getUserMedia or getDisplayMedia stands for. */
export function deviceCauseOf(error: unknown): DeviceCause {
  if (!(error instanceof Error)) return "failed";
  const cause = ERROR_NAMES[error.name] ?? "failed";
  return cause === "denied" && BY_SYSTEM.test(error.message) ? "system-denied" : cause;
}

/** The cause for a device that was open before and cannot be opened again. */
export const causeAfterLoss = (cause: DeviceCause): DeviceCause =>
  cause === "denied" ? "revoked" : cause === "missing" ? "unplugged" : cause;

/** Whether a click on the button of the device may help. */
export function isUsable(device: "microphone" | "camera", state: DeviceState | undefined): boolean {
  const cause = causeOfState(state);
  return cause === null || deviceErrorRow(device, cause).usable;
}
