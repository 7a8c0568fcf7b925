/** Sends command messages through chat and reports the outcome of each once; a missing answer counts as failed. */
import { AppError } from "../../../shared/errors.ts";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import type { ChatCommands, CoreEnv, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";

/** What became of a message. */
export type Sent = (failed: boolean, refused: boolean) => void;

export interface Sender {
  /**
   * @param done `refused`: the server lets these two not write to each other, so it was not tried again
   * @param tries more than one for messages that may be sent before chat is connected
   */
  send(message: CallMessage | null, done: Sent, tries?: number): void;
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
      if (message === null) return done(true, false);
      let left = tries;
      const attempt = (): void => {
        left -= 1;
        let over = false;
        const finish = (failed: boolean, refused = false): void => {
          if (over) return;
          over = true;
          limit.cancel();
          waits.delete(limit);
          if (stopped) return;
          if (failed && !refused && left > 0) later(config.chatRetryMillis, attempt);
          else done(failed, refused);
        };
        const limit = later(config.chatSendTimeoutMillis, () => finish(true));
        chat.send(message.toUser, message.action, message).then(
          () => finish(false),
          (error: unknown) =>
            finish(true, error instanceof AppError && error.code === "chat.not-allowed"),
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
