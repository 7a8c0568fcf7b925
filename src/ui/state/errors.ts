/** Sends uncaught errors of the page to the core, for the operations page and the error log: a limited number per minute. */
import { pagePath } from "../../core-client/base-path.ts";
import { errorText } from "../../shared/domain/client-errors.ts";
import type { CoreClient } from "../../core-client/contracts.ts";

const PER_MINUTE = 10;
const MINUTE = 60_000;
/** The browser reports this when an observer's callback is delayed to the next frame; nothing has failed. */
const NO_ERROR = /^ResizeObserver loop/;

/** The core leaves out what may name a person (docs/session.md#error-log). */
export function reportError(core: Pick<CoreClient, "commands">, reason: unknown): void {
  core.commands.worker
    .reportError({ ...errorText(reason), path: pagePath().slice(0, 2000) })
    .catch(() => undefined);
}

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
    reportError(core, reason);
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
