/** How a conference ended for this member. */
import { AppError } from "../../../shared/errors.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";

export interface Exit {
  /** An end reason (docs/conferences.md#ends). */
  readonly reason: number;
  readonly failed: boolean;
  /** The server's result and message. Set after a refusal. */
  readonly result?: number;
  readonly msg?: string;
}

/** The person sees the server's message. Its result code and the end reason go into `details`. */
export function refusalOf({ reason, failed, result, msg }: Exit): AppError {
  return new AppError("conference.refused", {
    ...(msg === undefined || msg === "" || result === RESULT.clientFailure ? {} : { message: msg }),
    details: {
      reason,
      failed,
      ...(result === undefined ? {} : { result }),
      ...(msg === undefined ? {} : { text: msg }),
    },
  });
}
