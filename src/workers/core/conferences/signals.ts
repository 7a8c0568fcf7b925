/** Says in the slice what happened in a conference and is no state (docs/conferences.md#typed-events), once per cause. */
import { RESULT } from "../../../shared/protocol/signalling.ts";
import {
  type ConferenceSignal,
  SIGNALS_KEPT,
} from "../../../shared/protocol/slices/conference-signals.ts";
import type { CoreEnv } from "../contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import type { Exit } from "./exit.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { Model } from "./model.ts";

/** The same again within this time has the same cause: each connection says that the address changed. */
const SAME_CAUSE_MILLIS = 1_000;
/** How long before its end a ticket is said to end. */
export const TICKET_WARNING_MILLIS = 5 * 60_000;

/** Failures of this side: no answer, and no connection any more. */
const CLIENT: readonly number[] = [RESULT.clientFailure, -95270];

export type Said = Omit<ConferenceSignal, "id" | "at" | "details"> & {
  readonly details?: ConferenceSignal["details"];
};
export interface Signals {
  report(signal: Said): void;
  /** The server refused to let the person in, or could not be reached. */
  refused(exit: Exit): void;
  /** Says when the current ticket ends. Call it again for another ticket. */
  watchTicket(): void;
  stop(): void;
}

/** When a ticket ends, ms since the epoch; null when it does not say so. */
export function endOfTicket(tktId: string): number | null {
  const part = tktId.split(".")[1];
  if (part === undefined) return null;
  try {
    const claims: unknown = JSON.parse(atob(part.replace(/-/g, "+").replace(/_/g, "/")));
    const exp = (claims as { exp?: unknown } | null)?.exp;
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}

export function createSignals(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly model: Model;
  readonly record: Pick<ConferenceRecord, "now">;
}): Signals {
  const { env, model, record } = deps;
  const timer = createRestartableTimer(env.clock);
  const report = ({ details = {}, ...signal }: Said): void => {
    const now = env.clock.now();
    const { signals } = model.slice;
    const key = JSON.stringify(details);
    const isSaid = signals.some(
      (one) =>
        one.code === signal.code &&
        one.streamId === signal.streamId &&
        JSON.stringify(one.details) === key &&
        now - one.at < SAME_CAUSE_MILLIS,
    );
    if (isSaid) return;
    const next = { ...signal, details, id: env.newId(), at: now };
    model.patch({ signals: [...signals, next].slice(-SIGNALS_KEPT) });
  };
  function watchTicket(): void {
    timer.cancel();
    const ends = endOfTicket(record.now?.ticket.tktId ?? "");
    if (ends === null) return;
    const left = (): number => ends - env.clock.now();
    const expire = (): void =>
      timer.start(Math.max(0, left()), () => report({ code: "TicketExpired" }));
    const warn = (): void => {
      report({ code: "TicketExpiring", details: { endsAt: ends } });
      expire();
    };
    if (left() > 0) timer.start(Math.max(0, left() - TICKET_WARNING_MILLIS), warn);
  }
  return {
    report,
    refused({ reason, result, msg }) {
      const isServer = result !== undefined && !CLIENT.includes(result);
      report({
        code: isServer ? "ServerRefuseEnter" : "EnterFail",
        ...(result === undefined ? {} : { result }),
        ...(msg === undefined ? {} : { text: msg }),
        details: { reason },
      });
    },
    watchTicket,
    stop: () => timer.cancel(),
  };
}
