/** Turns errors of getUserMedia and getDisplayMedia into errors of the catalogue, in the words of the table of device errors. */
import {
  causeAfterLoss,
  deviceCauseOf,
  deviceErrorRow,
  lineOf,
  type OwnDevice,
} from "../../shared/domain/device-errors.ts";
import {
  DEVICE_CAUSES,
  type DeviceCause,
  isDeviceCause,
} from "../../shared/domain/device-states.ts";
import { AppError } from "../../shared/errors.ts";
import type { Kind } from "../engine.ts";

/** A device as `details.device` names it. */
type Named = Kind | "screen";

export const deviceOf = (kind: Named): OwnDevice =>
  kind === "audio" ? "microphone" : kind === "video" ? "camera" : "screen";
const NAMES: Readonly<Record<Kind, string>> = { audio: "麦克风", video: "摄像头" };
export const deviceName = (kind: Kind): string => NAMES[kind];

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "Error");

/**
 * An error of this device with this cause. `details` has the cause, the English words, and the platform's fixed text.
 *
 * @param error what the browser said
 */
function errorOf(device: Named, cause: DeviceCause, error: unknown): AppError {
  const row = deviceErrorRow(deviceOf(device), cause);
  const { zh, en } = lineOf(row);
  const name = nameOf(error);
  const when =
    device === "audio" ? "get microphone" : device === "video" ? "get camera" : "get desktop";
  return new AppError(row.code, {
    message: zh,
    retryable: row.ways.includes("retry"),
    cause: error,
    details: { device, cause, name, en, text: `open media error. ${name} when ${when}` },
  });
}

/** The error of one device, named in the text. */
export const deviceError = (device: Named, error: unknown): AppError =>
  error instanceof AppError ? error : errorOf(device, deviceCauseOf(error), error);

/** The cause of an error that `deviceError` has made. */
export function causeOfError({ details }: AppError): DeviceCause {
  const cause = details?.["cause"];
  return isDeviceCause(cause) ? cause : "failed";
}

/** The same error of a device that was open before: its permission was taken away, or it was unplugged. */
export function afterLoss(device: Kind, error: AppError): AppError {
  const cause = causeOfError(error);
  const now = causeAfterLoss(cause);
  return now === cause ? error : errorOf(device, now, error.cause);
}

/** The error of a call without any device. The most urgent cause wins: a refused permission is one that the person can fix. */
export function combinedError(problems: Readonly<Partial<Record<Kind, AppError>>>): AppError {
  const kinds = Object.keys(problems);
  const errors = Object.values(problems);
  const causes = errors.map(causeOfError);
  const cause = DEVICE_CAUSES.find((candidate) => causes.includes(candidate)) ?? "failed";
  const first = errors.find((error) => causeOfError(error) === cause);
  const { code } = deviceErrorRow("microphone", cause);
  if (code === "media.no-device") {
    return new AppError(code, {
      cause: first,
      details: { devices: kinds, text: "getUserMedia error: not have input device" },
    });
  }
  return new AppError(code, { cause: first, details: { ...first?.details, devices: kinds } });
}
