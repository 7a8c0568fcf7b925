/**
 * Sends the changes of marks to the server, of all tabs together at most 30 messages a second (docs/conferences.md#annotations). A change has
 * no effect a second time. So what was lost or came too fast is sent again, with everything that was sent after it.
 */
import { MARK_LIMITS, type MarkChange, mergeChanges } from "../../../shared/domain/annotations.ts";
import { AppError } from "../../../shared/errors.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { Clock, Timer } from "../contracts.ts";
import type { ConferenceSession } from "./session.ts";

/** ms between two messages: within any second not more than the server takes. */
export const BETWEEN_MS = 34;
/** Messages that wait for their answer. */
const UNDER_WAY = 8;
const ATTEMPTS = 5;
const NOT_DRAWN = "标注未能发送，请重试";

interface Batch {
  readonly number: number;
  readonly streamId: string;
  readonly changes: readonly MarkChange[];
  attempts: number;
  resolve(seq: number): void;
  reject(error: AppError): void;
}
interface Message {
  readonly batches: readonly Batch[];
  /** A message before it did not arrive, so this one may have come too early. */
  again: boolean;
}

export interface MarkSender {
  /** @returns the number of the last change of the stream. Rejects with AppError conference.refused */
  send(streamId: string, changes: readonly MarkChange[]): Promise<number>;
  /** Everything that waits fails. */
  reset(error?: AppError): void;
}

/** A change whose second sending could undo what others did meanwhile. */
const sentOnce = ({ t }: MarkChange): boolean => t === "clear" || t === "lock";

export function createMarkSender(deps: {
  readonly clock: Clock;
  readonly wire: () => ConferenceSession | null;
}): MarkSender {
  const { clock } = deps;
  let waiting: Batch[] = [];
  let underWay: Message[] = [];
  let numbers = 0;
  let nextAt = 0;
  let timer: Timer | null = null;

  const refused = (text: string, result: number): AppError =>
    new AppError("conference.refused", {
      message: text === "" ? NOT_DRAWN : text,
      details: { result, text },
    });
  const putBack = (batches: readonly Batch[]): void => {
    for (const batch of batches) {
      batch.attempts += 1;
      if (batch.attempts < ATTEMPTS && !batch.changes.some(sentOnce)) waiting.push(batch);
      else batch.reject(refused("", RESULT.clientFailure));
    }
    waiting.sort((a, b) => a.number - b.number);
  };
  /** The next batches of one stream that one message can carry. */
  function nextMessage(): Message | null {
    const [first] = waiting;
    if (first === undefined) return null;
    const batches: Batch[] = [];
    let count = 0;
    for (const batch of waiting) {
      if (batch.streamId !== first.streamId) continue;
      count += batch.changes.length;
      if (count > MARK_LIMITS.changes && batches.length > 0) break;
      batches.push(batch);
    }
    waiting = waiting.filter((batch) => !batches.includes(batch));
    return { batches, again: false };
  }
  function pump(): void {
    if (timer !== null || underWay.length >= UNDER_WAY || waiting.length === 0) return;
    const pause = nextAt - clock.now();
    if (pause > 0) {
      timer = clock.after(pause, () => {
        timer = null;
        pump();
      });
      return;
    }
    const message = nextMessage();
    if (message !== null) void transmit(message).then(pump);
    pump();
  }
  async function transmit(message: Message): Promise<void> {
    const wire = deps.wire();
    const { batches } = message;
    const [first] = batches;
    if (wire === null || first === undefined) {
      for (const { reject } of batches) reject(refused("", RESULT.clientFailure));
      return;
    }
    underWay.push(message);
    nextAt = clock.now() + BETWEEN_MS;
    const { result, msg, signal } = await wire.ask({
      op: OP.annotate,
      streamId: first.streamId,
      changes: mergeChanges(batches.flatMap(({ changes }) => changes)),
    });
    const index = underWay.indexOf(message);
    // Everything was reset meanwhile.
    if (index < 0) return;
    const later = underWay.slice(index + 1);
    underWay = underWay.filter((one) => one !== message);
    const answer = signal?.op === OP.response ? signal : null;
    const wait = answer?.wait ?? 0;
    if (answer === null || wait > 0) {
      nextAt = Math.max(nextAt, clock.now() + wait);
      for (const one of later) one.again = true;
      return putBack(batches);
    }
    if (result !== RESULT.ok) for (const { reject } of batches) reject(refused(msg, result));
    else if (message.again) putBack(batches);
    else for (const { resolve } of batches) resolve(answer.seq ?? 0);
  }

  return {
    send(streamId, changes) {
      return new Promise((resolve, reject) => {
        numbers += 1;
        waiting.push({ number: numbers, streamId, changes, attempts: 0, resolve, reject });
        pump();
      });
    },
    reset(error = refused("", RESULT.clientFailure)) {
      timer?.cancel();
      timer = null;
      const all = [...underWay.flatMap(({ batches }) => batches), ...waiting];
      underWay = [];
      waiting = [];
      for (const { reject } of all) reject(error);
    },
  };
}
