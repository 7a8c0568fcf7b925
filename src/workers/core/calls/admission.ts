/** The ticket of the current call: requested once, again after a failure, and dropped with the call. */
import { AppError } from "../../../shared/errors.ts";
import type { CallStore } from "./state.ts";
import type { Admission, Tickets } from "./tickets.ts";

export interface Admitting {
  /** Raised with every call, so that answers for an earlier call are dropped. */
  readonly generation: number;
  /** A call begins or ends. `known`: the admission that an earlier core got. */
  reset(known?: Admission): void;
  /** Calls `run` when the admission is available, else `onError`; neither after the call has changed. */
  whenAdmitted(run: () => void | Promise<void>, onError: (error: AppError) => void): void;
}

export function createAdmitting(deps: { calls: CallStore; tickets: Tickets }): Admitting {
  const { calls, tickets } = deps;
  let generation = 0;
  let admission: Promise<Admission> | null = null;

  const ask = async (): Promise<Admission> => {
    const ownGeneration = generation;
    const { priv } = calls;
    const { info, peer } = calls.slice;
    if (info === null || peer === null || priv === null) throw new AppError("call.not-active");
    const got = await (info.channel === ""
      ? tickets.create(priv.me, peer.userName)
      : tickets.join(priv.me, info.channel));
    const now = calls.slice.info;
    if (ownGeneration === generation && now !== null) {
      calls.keep({ ticket: got.ticket, rtcCfg: got.rtcCfg });
      if (now.channel === "") calls.patch({ info: { ...now, channel: got.channel } });
    }
    return got;
  };
  const admitted = (): Promise<Admission> => {
    admission ??= ask();
    const asked = admission;
    asked.catch(() => {
      if (admission === asked) admission = null;
    });
    return asked;
  };

  return {
    get generation() {
      return generation;
    },
    reset(known) {
      generation += 1;
      admission = known === undefined ? null : Promise.resolve(known);
    },
    whenAdmitted(run, onError) {
      const ownGeneration = generation;
      void (async () => {
        try {
          await admitted();
          if (ownGeneration === generation) await run();
        } catch (error) {
          if (ownGeneration === generation) onError(AppError.from(error, "server.unavailable"));
        }
      })();
    },
  };
}
