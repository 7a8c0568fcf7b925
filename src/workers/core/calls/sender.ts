/** Sends command messages through chat and reports the outcome of each once; a missing answer counts as failed. */
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import type { ChatCommands, CoreEnv, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";

export interface Sender {
  /** @param tries more than one for messages that may be sent before chat is connected */
  send(message: CallMessage | null, done: (failed: boolean) => void, tries?: number): void;
  stop(): void;
}

export function createSender(deps: {
  env: Pick<CoreEnv, "clock">;
  chat: Pick<ChatCommands, "send">;
  config: CallConfig;
}): Sender {
  const { env, chat, config } = deps;
  const waits = new Set<Timer>();
  let stopped = false;
  const later = (ms: number, run: () => void): Timer => {
    const wait = env.clock.after(ms, () => {
      waits.delete(wait);
      run();
    });
    waits.add(wait);
    return wait;
  };
  return {
    send(message, done, tries = 1) {
      if (stopped) return;
      if (message === null) return done(true);
      let left = tries;
      const attempt = (): void => {
        left -= 1;
        let over = false;
        const finish = (failed: boolean): void => {
          if (over) return;
          over = true;
          limit.cancel();
          waits.delete(limit);
          if (stopped) return;
          if (failed && left > 0) later(config.chatRetryMillis, attempt);
          else done(failed);
        };
        const limit = later(config.chatSendTimeoutMillis, () => finish(true));
        chat.send(message.toUser, message.action, message).then(
          () => finish(false),
          () => finish(true),
        );
      };
      attempt();
    },
    stop() {
      stopped = true;
      for (const wait of waits) wait.cancel();
      waits.clear();
    },
  };
}
