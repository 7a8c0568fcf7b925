/**
 * The queue of a call's events. Signalling, media, chat and the person's commands put events in; the call machine takes them out, one
 * after the other. So those who report events need not know the machine.
 */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import type { AppError } from "../../../shared/errors.ts";

/** Settles the command that caused an event. */
export interface CallReply {
  /** @param callId the call's own id */
  readonly resolve: (callId: string) => void;
  readonly reject: (error: AppError) => void;
}

export interface CallEvents {
  /** Handles the event after those that came before; at once when none is being handled. Does nothing after `stop`. */
  dispatch(event: CallEvent, reply?: CallReply): void;
  /** Sets what handles the events; called once. */
  handle(run: (event: CallEvent, reply: CallReply | null) => void): void;
  stop(): void;
}

export function createCallEvents(): CallEvents {
  const queue: { readonly event: CallEvent; readonly reply: CallReply | null }[] = [];
  let run: ((event: CallEvent, reply: CallReply | null) => void) | null = null;
  let running = false;
  let stopped = false;
  return {
    dispatch(event, reply) {
      if (stopped) return;
      queue.push({ event, reply: reply ?? null });
      if (running) return;
      running = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          run?.(next.event, next.reply);
        }
      } finally {
        running = false;
      }
    },
    handle(handler) {
      run = handler;
    },
    stop() {
      stopped = true;
    },
  };
}
