/** Failures in the words of the platform's specification (docs/conferences.md#failures): `details` get its text, its number and its type. */
import { AppError } from "../../shared/errors.ts";
import type { ConferenceCommands } from "./contracts.ts";

/** What failed: the number and the type of the specification. */
export const FAILURES = {
  join: { error: -200, errorType: "join_fail" },
  devices: { error: -201, errorType: "open_user_media_fail" },
  push: { error: -203, errorType: "push_fail" },
  sub: { error: -203, errorType: "sub_fail" },
  video: { error: -203, errorType: "voff_fail" },
  audio: { error: -203, errorType: "aoff_fail" },
  constraints: { error: -203, errorType: "ChanageVideoConstraints_fail" },
  camera: { error: -203, errorType: "switch_camera_fail" },
} as const;
type Failure = keyof typeof FAILURES;

/** Codes of devices that do not open; and that of a publication for which none did. */
const isOfDevices = ({ code, details }: AppError): boolean =>
  code.startsWith("media.") || details?.["rule"] === "notOpen" || details?.["text"] === NOT_OPEN;
const NOT_OPEN = "pubS null or stream not open";

/** The server refused a REST call, or HTTP failed: that is the type then, with the server's number or the status. */
function typeOf({ details = {} }: AppError): { error: number; errorType: string } | null {
  const { tag, error, status } = details;
  if (tag === "server_refuse" && typeof error === "number") return { error, errorType: tag };
  return typeof status === "number" ? { error: status, errorType: "http_error" } : null;
}

/** The error with what the specification says about it; others are left as they are. @param what null: nothing of its own */
export function inSpecTerms(what: Failure | null, reason: unknown): unknown {
  if (!(reason instanceof AppError) || reason.details?.["errorType"] !== undefined) return reason;
  const { code, message, retryable, details = {} } = reason;
  const { text } = details;
  const kind = what === "push" && isOfDevices(reason) ? "devices" : what;
  const type = typeOf(reason) ?? (kind === null ? null : FAILURES[kind]);
  const words = typeof text === "string" ? { zh: message } : {};
  if (type === null && typeof text !== "string") return reason;
  return new AppError(code, {
    message: typeof text === "string" ? text : message,
    retryable,
    details: { ...details, ...words, ...type },
    cause: reason,
  });
}

/** Runs it, and says what failed. */
export async function failingAs<T>(what: Failure, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (reason) {
    throw inSpecTerms(what, reason);
  }
}

type Name = keyof ConferenceCommands;
const ENTERING: readonly Name[] = ["create", "join", "joinRoom", "joinWithTicket"];
function failureOf(name: Name, input: unknown): Failure | null {
  if (ENTERING.includes(name)) return "join";
  if (name === "publish") return "push";
  if (name === "subscribe") return "sub";
  if (name !== "setLocal") return null;
  return (input as { videoOff?: boolean }).videoOff === undefined ? "audio" : "video";
}

/** The commands of the core, whose errors have the console's words. */
export const commandsInSpecTerms = (commands: ConferenceCommands): ConferenceCommands =>
  new Proxy(commands, {
    get: (target, name) => async (input: never) => {
      try {
        return await (target[name as Name] as (input: never) => unknown)(input);
      } catch (reason) {
        throw inSpecTerms(failureOf(name as Name, input), reason);
      }
    },
  });
