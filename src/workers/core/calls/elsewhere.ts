/** The call that this person has on another device (docs/calls.md#to-another-device), for the pages, which offer to go on with it here. */
import { type OwnCall, ownCallsCall } from "../../../shared/protocol/rest/own-calls.ts";
import type { CoreEnv, Http, Session } from "../contracts.ts";
import type { CallStore } from "./state.ts";

export interface Elsewhere {
  readonly now: OwnCall | null;
  /** Asks the server: a call began or ended, or news of it may have been missed. */
  changed(): void;
  /** The call of this channel is over here, which the server may not have said yet. */
  ended(channel: string): void;
  stop(): void;
}

export function createElsewhere(deps: {
  readonly env: Pick<CoreEnv, "log">;
  readonly http: Pick<Http, "call">;
  readonly session: Pick<Session, "user" | "onUser">;
  readonly calls: CallStore;
}): Elsewhere {
  const { calls, session } = deps;
  /** Raised with every request, so that an earlier answer does not replace a later one. */
  let turn = 0;
  /** The last call that ended for both, by its channel. */
  let over: string | null = null;

  const show = (call: OwnCall | null): void => {
    if ((calls.slice.elsewhere?.confrId ?? null) === (call?.confrId ?? null)) return;
    calls.patch({ elsewhere: call });
  };
  async function ask(): Promise<void> {
    const ownTurn = (turn += 1);
    const accountId = session.user()?.accountId;
    if (accountId === undefined) return show(null);
    try {
      const answer = await deps.http.call(ownCallsCall);
      if (ownTurn !== turn || session.user()?.accountId !== accountId) return;
      // The server names this device's call too. Offered, it would show between its end and the answer that it is over.
      const own = calls.slice.info?.channel;
      show(answer.calls.find(({ confrId }) => confrId !== over && confrId !== own) ?? null);
    } catch {
      // Chat asks again when it is back; a platform without this call has no such devices.
      deps.env.log("calls", "warn", "the calls on other devices were not read");
    }
  }
  const end = session.onUser((user) => {
    if (user === null) void ask();
  });

  return {
    get now() {
      return calls.slice.elsewhere ?? null;
    },
    changed: () => void ask(),
    ended(channel) {
      over = channel;
      if (calls.slice.elsewhere?.confrId === channel) show(null);
    },
    stop() {
      turn += 1;
      end();
    },
  };
}
