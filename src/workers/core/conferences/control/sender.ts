/**
 * Sends the input of a controller: batches in order, at most one message per `ctrlSendMillis`, and none while too many are unanswered. What
 * waits is bounded; when the bound is reached, every second waiting move goes.
 */
import { OPER } from "../../../../shared/domain/remote-control.ts";
import {
  type ControlAction,
  type ControlInput,
  writeAction,
} from "../../../../shared/protocol/remote-control.ts";
import type { CoreEnv } from "../../contracts.ts";
import { createRestartableTimer } from "../../restartable-timer.ts";
import type { ConferenceConfig } from "../config.ts";

export interface ControlSender {
  put(actions: readonly ControlInput[]): void;
  stop(): void;
}

/** Leaves out every second move. Buttons and keys stay, and so does the last move before each of them. */
export function thin<T extends { readonly input: ControlInput }>(waiting: readonly T[]): T[] {
  let odd = false;
  return waiting.filter(({ input }, index) => {
    const next = waiting[index + 1]?.input;
    if (input.oper !== OPER.move || next?.oper !== OPER.move) return true;
    odd = !odd;
    return !odd;
  });
}

export function createControlSender(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: Pick<
    ConferenceConfig,
    "ctrlSendMillis" | "ctrlWindow" | "ctrlBuffer" | "ctrlBatch"
  >;
  /** Whether a message can be sent now; without, what waits is dropped. */
  readonly reachable: () => boolean;
  /** Sends one message. Resolves when it is answered, or will not be. */
  readonly send: (actions: readonly Record<string, unknown>[]) => Promise<void>;
}): ControlSender {
  const { env, config } = deps;
  const timer = createRestartableTimer(env.clock);
  let waiting: { readonly input: ControlInput; readonly time: number }[] = [];
  let unanswered = 0;
  let sn = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function flush(): void {
    if (stopped || waiting.length === 0) return;
    if (!deps.reachable()) {
      // Input for another moment would surprise the controlled person.
      waiting = [];
      return;
    }
    const wait = sentAt + config.ctrlSendMillis - env.clock.now();
    if (wait > 0) {
      if (!timer.pending) timer.start(wait, flush);
      return;
    }
    if (unanswered >= config.ctrlWindow) return;
    const batch = waiting.splice(0, config.ctrlBatch).map(({ input, time }): ControlAction => {
      sn += 1;
      return { ...input, sn, time };
    });
    sentAt = env.clock.now();
    unanswered += 1;
    void deps.send(batch.map(writeAction)).then(() => {
      unanswered -= 1;
      flush();
    });
    flush();
  }

  return {
    put(actions) {
      const time = env.clock.now();
      for (const input of actions) waiting.push({ input, time });
      while (waiting.length > config.ctrlBuffer) {
        const fewer = thin(waiting);
        if (fewer.length === waiting.length) break;
        waiting = fewer;
      }
      flush();
    },
    stop() {
      stopped = true;
      waiting = [];
      timer.cancel();
    },
  };
}
