/**
 * The answers that a session gets without a server (docs/calls.md#synthetic-answers): a request that nobody has answered in time counts
 * as a success.
 */
import { OP } from "../protocol/signalling.ts";

export interface SyntheticAnswer {
  /** The operation of a request, or of the message that a relay carries. */
  readonly op: number;
  /** ms after the request. */
  readonly afterMillis: number;
  /** Whether the other side answers such a request, so that the success is a guess for a lost answer only. */
  readonly answered: boolean;
}

export const SYNTHETIC_ANSWERS: readonly SyntheticAnswer[] = [
  { op: OP.relay, afterMillis: 3_000, answered: true },
  { op: OP.offer, afterMillis: 100, answered: false },
  { op: OP.candidates, afterMillis: 100, answered: false },
  { op: OP.subscribe, afterMillis: 50, answered: false },
];

/** The synthetic answer to a request; what a relay carries counts before the relay. Null when the request needs a real answer. */
export function syntheticAnswerTo(request: {
  readonly op: number;
  readonly body?: { readonly op: number } | undefined;
}): SyntheticAnswer | null {
  const findAnswer = (op: number | undefined): SyntheticAnswer | undefined =>
    SYNTHETIC_ANSWERS.find((one) => one.op === op);
  return findAnswer(request.body?.op) ?? findAnswer(request.op) ?? null;
}
