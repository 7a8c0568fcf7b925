/** Sends uncaught errors to the operations page: only name and message, a limited number per minute. */
import type { CoreClient } from "../../core-client/contracts.ts";

const PER_MINUTE = 10;
const MINUTE = 60_000;
/** The browser reports this when an observer's callback is delayed to the next frame; nothing has failed. */
const NO_ERROR = /^ResizeObserver loop/;

/** @returns a function that stops catching */
export function catchErrors(core: Pick<CoreClient, "commands">): () => void {
  let since = 0;
  let reported = 0;
  const report = (reason: unknown): void => {
    const now = Date.now();
    if (now - since > MINUTE) {
      since = now;
      reported = 0;
    }
    if (reported >= PER_MINUTE) return;
    reported += 1;
    const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
    core.commands.worker.reportError({ message: text.slice(0, 2000) }).catch(() => undefined);
  };
  const onError = (event: ErrorEvent): void => {
    if (!NO_ERROR.test(event.message)) report(event.error ?? event.message);
  };
  const onRejection = (event: PromiseRejectionEvent): void => report(event.reason);
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onRejection);
  return () => {
    removeEventListener("error", onError);
    removeEventListener("unhandledrejection", onRejection);
  };
}
