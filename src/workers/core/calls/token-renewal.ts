/** Another token of a channel of the Agora cloud, before the present one ends (docs/calls.md#agora-engine). */
import type { CoreEnv } from "../contracts.ts";
import type { Tickets } from "./tickets.ts";

/** The pause before a failed renewal is repeated, ms. The cloud announces the end of a token 30 s before. */
const RENEW_AGAIN_MS = 5_000;

export interface TokenRenewal {
  /**
   * Requests a token, again after a failure. Does nothing while it does that.
   *
   * @param current whether the channel is still the one that is carried
   * @param renewed gets the token
   */
  run(
    me: string,
    channel: string,
    current: () => boolean,
    renewed: (got: { readonly token: string; readonly uid: number }) => void,
  ): Promise<void>;
}

export function createTokenRenewal(deps: {
  readonly env: Pick<CoreEnv, "clock" | "log">;
  readonly tickets: Pick<Tickets, "agora">;
}): TokenRenewal {
  const { clock, log } = deps.env;
  let running = false;
  return {
    async run(me, channel, current, renewed) {
      if (running) return;
      running = true;
      while (current()) {
        try {
          const got = await deps.tickets.agora(me, channel);
          if (current()) renewed(got);
          break;
        } catch (error) {
          log("calls", "warn", `the token of the channel was not renewed: ${String(error)}`);
          await new Promise<void>((resolve) => void clock.after(RENEW_AGAIN_MS, resolve));
        }
      }
      running = false;
    },
  };
}
