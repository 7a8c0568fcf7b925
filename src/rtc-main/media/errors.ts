/** Maps getUserMedia's errors to errors of the catalogue, with a text that names the device (docs/conferences.md#devices). */
import type { DeviceState } from "../../shared/domain/device-states.ts";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Kind } from "../engines/engine.ts";

const CODES: Readonly<Record<string, ErrorCode>> = {
  NotFoundError: "media.no-device",
  DevicesNotFoundError: "media.no-device",
  OverconstrainedError: "media.no-device",
  NotAllowedError: "media.permission-denied",
  PermissionDeniedError: "media.permission-denied",
  SecurityError: "media.permission-denied",
  NotReadableError: "media.device-busy",
  TrackStartError: "media.device-busy",
  AbortError: "media.device-busy",
};

const NAMES: Readonly<Record<Kind, string>> = { audio: "麦克风", video: "摄像头" };

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : "Error");

export const mediaErrorCode = (error: unknown): ErrorCode =>
  CODES[nameOf(error)] ?? "media.open-failed";

/** The error of one device, named in the text. `details.text` is the fixed English text of the platform's specification. */
export function deviceError(kind: Kind, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = mediaErrorCode(error);
  const device = NAMES[kind];
  const messages: Partial<Record<ErrorCode, string>> = {
    "media.no-device": `没有可用的${device}`,
    "media.permission-denied": `浏览器未允许使用${device}，请在地址栏左侧打开权限后重试`,
    "media.device-busy": `${device}被其他程序占用`,
    "media.open-failed": `打开${device}失败`,
  };
  const name = nameOf(error);
  const when = kind === "audio" ? "get microphone" : "get camera";
  return new AppError(code, {
    message: messages[code],
    cause: error,
    details: { device: kind, name, text: `open media error. ${name} when ${when}` },
  });
}

/** The error of a call without any device. A refused permission wins, because the person can fix it. */
export function combinedError(problems: Readonly<Partial<Record<Kind, AppError>>>): AppError {
  const kinds = Object.keys(problems);
  const errors = Object.values(problems);
  const order: readonly ErrorCode[] = [
    "media.permission-denied",
    "media.device-busy",
    "media.open-failed",
    "media.no-device",
  ];
  const code =
    order.find((candidate) => errors.some((error) => error.code === candidate)) ??
    "media.open-failed";
  const first = errors.find((error) => error.code === code);
  if (code === "media.no-device") {
    return new AppError(code, {
      cause: first,
      details: { devices: kinds, text: "getUserMedia error: not have input device" },
    });
  }
  return new AppError(code, { cause: first, details: { ...first?.details, devices: kinds } });
}

const STATES: Partial<Record<ErrorCode, DeviceState>> = {
  "media.permission-denied": "denied",
  "media.no-device": "missing",
  "media.device-busy": "busy",
};
/** The state of a device that failed to open. */
export const stateOfError = (error: AppError): DeviceState => STATES[error.code] ?? "failed";

export const deviceName = (kind: Kind): string => NAMES[kind];
