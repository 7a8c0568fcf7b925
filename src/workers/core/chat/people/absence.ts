/**
 * A person without tabs is offline. The core may live longer than its last tab (extendedLifetime), so it closes the chat connection itself.
 * The wait covers a reload of the only tab. A call that waits for a tab keeps the connection open.
 */
import type { CoreEnv, Tabs, Timer } from "../../contracts.ts";

/** ms without a tab after which the connection closes, so that colleagues see the person offline within 3 s. */
const WITHOUT_TABS = 1_500;

export function watchAbsence(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly tabs: Pick<Tabs, "list" | "onJoin" | "onLeave">;
  /** True while something needs the connection without a tab. */
  readonly busy: () => boolean;
  readonly rest: () => void;
  readonly wake: () => void;
}): { stop(): void } {
  let timer: Timer | null = null;
  const wait = (): void => {
    timer?.cancel();
    timer = deps.env.clock.after(WITHOUT_TABS, () => {
      timer = null;
      if (deps.tabs.list().length > 0) return;
      if (deps.busy()) wait();
      else deps.rest();
    });
  };
  const stops = [
    deps.tabs.onLeave(() => {
      if (deps.tabs.list().length === 0) wait();
    }),
    deps.tabs.onJoin(() => {
      timer?.cancel();
      timer = null;
      deps.wake();
    }),
  ];
  return {
    stop() {
      timer?.cancel();
      for (const stop of stops) stop();
    },
  };
}
