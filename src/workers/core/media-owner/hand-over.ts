/** Takes the media from a tab: asks it to release them, and waits until it has done so, is gone, or takes too long. */
import type { Clock, MediaPort, Tabs, Timer } from "../contracts.ts";
import type { OwnerInfo } from "./contracts.ts";

export interface HandOver {
  readonly running: boolean;
  /** @param done called once, unless the hand-over is cancelled */
  begin(from: OwnerInfo, port: MediaPort, done: () => void): void;
  cancel(): void;
}

/** @param deps.timeoutMillis how long a tab may take to release the media */
export function createHandOver(deps: {
  readonly clock: Pick<Clock, "after">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly timeoutMillis: number;
}): HandOver {
  let running: { readonly stop: readonly (() => void)[]; readonly late: Timer } | null = null;

  const cancel = (): void => {
    const cancelled = running;
    running = null;
    for (const stop of cancelled?.stop ?? []) stop();
    cancelled?.late.cancel();
  };

  return {
    get running() {
      return running !== null;
    },
    begin(from, port, done) {
      const end = (): void => {
        if (running === null) return;
        cancel();
        done();
      };
      running = {
        stop: [
          port.onEvent((event) => {
            if (event.t === "released" && event.epoch === from.epoch) end();
          }),
          deps.tabs.onLeave((left) => {
            if (left === from.tabId) end();
          }),
        ],
        late: deps.clock.after(deps.timeoutMillis, end),
      };
      port.send({ t: "release", epoch: from.epoch });
    },
    cancel,
  };
}
