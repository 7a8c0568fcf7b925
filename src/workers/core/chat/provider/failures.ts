/** Converts the SDK's error types to error codes (docs/chat.md#failures). The catalogue of errors has the texts for people. */
import { AppError, type ErrorCode } from "../../../../shared/errors.ts";
import { ChatFailure } from "./port.ts";

export const FAILURE = {
  /** The SDK was opened without a user name, a password or a token. */
  noCredentials: 0,
  closedByUs: 39,
  disconnected: 16,
  tokenInvalid: 28,
  tokenExpired: 56,
  authFailed: 2,
  disconnectedInFlight: 510,
  sendTimeout: 512,
  /** The server could not take an upload now. */
  busy: 503,
  /** The stored contents of a file are gone. */
  fileGone: 101,
  /** The server refuses the file: too large, or no space for it. */
  fileRefused: 511,
  notAllowed: 603,
  /** The file of a combined message is damaged; the number is ours. */
  unreadable: 102,
  runtime: 999,
} as const;

/** Signed out by the server or another device: the core does not log in again by itself. */
const KICKED: ReadonlySet<number> = new Set([206, 207, 216, 217]);
export const isKicked = (type: number): boolean => KICKED.has(type);

const DEAD_TOKEN: ReadonlySet<number> = new Set([
  FAILURE.tokenInvalid,
  FAILURE.tokenExpired,
  FAILURE.authFailed,
]);
export const isDeadToken = (type: number): boolean => DEAD_TOKEN.has(type);

/** The server received the message and will never accept it. */
const REFUSED: ReadonlySet<number> = new Set([
  50, 52, 53, 54, 204, 205, 219, 221, 501, 502, 505, 506, 507, 508, 511, 602, 603, 604, 605,
]);
export const isRefusal = (type: number): boolean => REFUSED.has(type);

/** The connection failed, not the message. */
const TRANSPORT: ReadonlySet<number> = new Set([
  FAILURE.disconnected,
  FAILURE.closedByUs,
  40,
  FAILURE.disconnectedInFlight,
  FAILURE.sendTimeout,
]);
export const isTransport = (type: number): boolean => TRANSPORT.has(type);

/** Blocked, or not a contact: the two people may not chat. */
export const isNotAllowed = (type: number): boolean => type === 603 || type === 221;

/** The group is gone, or this person left it. The SDK's number depends on the path of the call. */
export const isNotInGroup = (value: unknown): boolean =>
  value instanceof ChatFailure && [602, 605, 702].includes(value.type);

/** Why the server refuses a message for good, as a person reads it. */
export function refusalCode({ type, message }: ChatFailure): ErrorCode {
  if (isNotAllowed(type)) return "chat.not-allowed";
  if (type === 219) return "chat.muted";
  if (type === 602 || type === 605) return "chat.not-in-group";
  if (type === FAILURE.fileRefused && message === "file_quota") return "file.quota";
  if (type === FAILURE.fileRefused) return "file.too-large";
  return type === FAILURE.fileGone ? "file.gone" : "chat.send-failed";
}

/** Why a change of a group failed, as a person reads it. */
export function toGroupError(value: unknown): AppError {
  if (!(value instanceof ChatFailure)) return toAppError(value, "server.unavailable");
  const { type } = value;
  if (type === 603) return new AppError("chat.group-forbidden");
  if (isNotInGroup(value)) return new AppError("chat.not-in-group");
  if (type === 606 || type === 607) return new AppError("chat.group-full");
  if (type === 204) return new AppError("chat.group-foreign");
  return toAppError(value, "server.unavailable");
}

/** Why an act on friends or the block list failed, as a person reads it. */
export function toFriendError(value: unknown): AppError {
  if (!(value instanceof ChatFailure)) return toAppError(value, "server.unavailable");
  if (value.type === 705) return new AppError("request.not-found");
  // refused for its number, by either of the SDK's types
  if (value.type === 50 || value.type === 603) return new AppError("request.conflict");
  return toAppError(value, "server.unavailable");
}

/** Login errors that an immediate retry cannot fix. */
export function credentialError(failure: ChatFailure): AppError | null {
  const text = failure.message.toLowerCase();
  if (failure.type === FAILURE.noCredentials) return new AppError("chat.no-credentials");
  if (text.includes("user not found") || failure.type === 204) {
    return new AppError("chat.user-not-found");
  }
  if (text.includes("invalid password")) return new AppError("chat.invalid-password");
  if (text.includes("user not activated") || failure.type === 57) {
    return new AppError("chat.user-banned");
  }
  return null;
}

/** Converts any failure of the connection to an AppError, because the SDK's objects cannot cross a port. */
export function toAppError(value: unknown, fallback: ErrorCode = "chat.send-failed"): AppError {
  if (value instanceof AppError) return value;
  if (!(value instanceof ChatFailure)) return new AppError(fallback, { cause: value });
  const credential = credentialError(value);
  if (credential !== null) return credential;
  if (isNotAllowed(value.type)) return new AppError("chat.not-allowed");
  if (value.type === FAILURE.closedByUs || value.type === FAILURE.disconnected) {
    return new AppError("chat.not-connected");
  }
  return new AppError(fallback, { details: { type: value.type } });
}
