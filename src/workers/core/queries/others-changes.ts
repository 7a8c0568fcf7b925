/**
 * Changes that the server tells of other people (docs/session.md#live-data). Everybody who shows the data hears of a change at the same
 * moment. Each core waits for a random part of the time that the message gives, so that not all of them ask at once.
 */
import type { DataChanged } from "../../../shared/protocol/data-changed.ts";
import type { DataChange } from "../../../shared/protocol/data-tags.ts";
import type { CoreEnv, Timer } from "../contracts.ts";

export interface OthersChanges {
  add(message: DataChanged): void;
  stop(): void;
}

export function createOthersChanges(deps: {
  readonly env: Pick<CoreEnv, "clock" | "random">;
  /** @param company null: in every company */
  readonly onChanged: (change: DataChange, company: string | null) => void;
}): OthersChanges {
  const { clock, random } = deps.env;
  const waiting = new Set<Timer>();
  const pass = ({ supplierId, ...change }: DataChanged): void =>
    deps.onChanged(change, supplierId === "" ? null : supplierId);
  return {
    add(message) {
      const wait = Math.round(random() * message.spread);
      if (wait === 0) return pass(message);
      const timer = clock.after(wait, () => {
        waiting.delete(timer);
        pass(message);
      });
      waiting.add(timer);
    },
    stop() {
      for (const timer of waiting) timer.cancel();
      waiting.clear();
    },
  };
}
