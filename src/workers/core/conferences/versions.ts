/**
 * Keeps the model at the server's version of the conference: applies what the server sends, and asks for a copy after a gap, when the server
 * names a later version, and every `getCopyIntervalMillis`.
 */
import { RESULT, OP } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { Changes, Model } from "./model.ts";
import type { ConferenceSession } from "./session.ts";

export interface Versions {
  /** Passes changes of the model on. */
  apply(changes: Changes | "gap"): void;
  /** The server named its version. */
  seen(cver: number): void;
  /** Starts the pause before the next regular copy. */
  schedule(): void;
  stop(): void;
}

export function createVersions(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: Pick<ConferenceConfig, "getCopyIntervalMillis">;
  readonly model: Model;
  readonly wire: () => ConferenceSession | null;
  readonly onChanges: (changes: Changes) => void;
}): Versions {
  const { model } = deps;
  let timer: Timer | null = null;
  let copying = false;

  const apply = (changes: Changes | "gap"): void => {
    if (changes === "gap") void copy();
    else deps.onChanges(changes);
  };
  async function copy(): Promise<void> {
    const wire = deps.wire();
    // An enter brings everything that a copy would bring.
    if (copying || wire?.entered !== true) return;
    copying = true;
    const { signal } = await wire.ask({ op: OP.copy });
    copying = false;
    if (wire !== deps.wire() || signal?.op !== OP.response || signal.result !== RESULT.ok) return;
    if ((signal.cver ?? 0) >= model.slice.cver) apply(model.reset(signal));
  }
  const stop = (): void => {
    timer?.cancel();
    timer = null;
  };
  const schedule = (): void => {
    stop();
    timer = deps.env.clock.after(deps.config.getCopyIntervalMillis, () => {
      void copy().finally(() => {
        if (model.slice.status === "joined") schedule();
      });
    });
  };

  return {
    apply,
    seen(cver) {
      if (cver > model.slice.cver) void copy();
    },
    schedule,
    stop,
  };
}
