/**
 * How late timers of the owner tab fire. Browsers hold the timers of a hidden page back, to one a second and less, which says nothing
 * about the machine: a time in which the page was hidden has no figure (docs/calls.md#late-timers).
 */
import { createTimerLateness } from "../../shared/domain/timer-lateness.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";

export interface PageLateness {
  /** ms since the reading before; empty: the page was hidden meanwhile, or no timer was due. */
  read(): { readonly late?: number };
  /** Idempotent. */
  stop(): void;
}

export function createPageLateness(
  { clock, observePage }: Pick<MediaDeps, "clock" | "observePage">,
  tally: Tally,
): PageLateness {
  const uncount = tally.open("timers");
  const timers = createTimerLateness({
    precise: () => clock.precise(),
    after: (ms, run) => clock.after(ms, run),
  });
  let visible = true;
  let wasHidden = false;
  const unobserve = observePage((now) => {
    visible = now;
    if (!now) wasHidden = true;
  });
  return {
    read() {
      const late = timers.read();
      const trusted = !wasHidden;
      wasHidden = !visible;
      return trusted && late !== null ? { late } : {};
    },
    stop() {
      timers.stop();
      unobserve();
      uncount();
    },
  };
}
