/** Warns a number that its account uses it no more, so that an owner who did not do it can act (docs/session.md#mobile-number). */
import type { Logger } from "pino";
import { maskPhone } from "../../../shared/domain/format.ts";
import type { SmsSink } from "./index.ts";

/** @returns what never fails: the change is made already, and a lost number may take no SMS */
export function createMobileGone(
  sink: Pick<SmsSink, "mobileGone"> | null,
  log: Pick<Logger, "warn">,
): (mobile: string) => Promise<void> {
  return async (mobile) => {
    try {
      await sink?.mobileGone?.(mobile);
    } catch (error) {
      // what a service says of its failure may repeat the number
      const reason = String(error).replaceAll(mobile, maskPhone(mobile));
      log.warn(
        { mobile: maskPhone(mobile), reason },
        "a number was not warned that its account uses it no more",
      );
    }
  };
}
