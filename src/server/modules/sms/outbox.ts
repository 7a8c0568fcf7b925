/**
 * Keeps the messages of a demo, which has no SMS service, where the platform's administrators read them (docs/server.md#sms). A code is
 * as good as a password, so it stays in memory alone.
 */
import type { Logger } from "pino";
import { maskPhone } from "../../../shared/domain/format.ts";
import { inviteTextOf, MOBILE_GONE_TEXT, textOf } from "../../../shared/domain/sms-text.ts";
import type { SmsOutboxRow } from "../../../shared/protocol/rest/sms-outbox.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { Bus, Clock } from "../../base/module.ts";
import type { SmsSink } from "./index.ts";
import { DAY_MS, SMS_LIMITS } from "./limits.ts";

/** Messages that are kept; the oldest go first. */
export const OUTBOX_SIZE = 200;

export interface SmsOutbox extends SmsSink {
  /** Newest first. */
  messages(): readonly SmsOutboxRow[];
}

export function createSmsOutbox(deps: {
  readonly clock: Pick<Clock, "now">;
  readonly bus: Pick<Bus, "publish">;
  readonly log: Pick<Logger, "info">;
  readonly template: string;
  readonly inviteTemplate: string;
}): SmsOutbox {
  const { clock, bus, log, template, inviteTemplate } = deps;
  let kept: readonly SmsOutboxRow[] = [];
  let sent = 0;

  async function keep(mobile: string, text: string, lifetimeMs: number): Promise<void> {
    const now = clock.now();
    sent += 1;
    const row: SmsOutboxRow = {
      id: String(sent),
      mobile,
      text,
      sentTime: new Date(now).toISOString(),
      expireTime: new Date(now + lifetimeMs).toISOString(),
    };
    kept = [row, ...kept].slice(0, OUTBOX_SIZE);
    log.info({ mobile: maskPhone(mobile) }, "an SMS stands at 短信验证码 of the console");
    const changes: DataChanges = { supplierId: null, tags: ["sms"], except: null, only: null };
    await bus.publish(DATA_CHANGES, changes);
  }

  return {
    messages: () => kept,
    send: (mobile, code) => keep(mobile, textOf(template, code), SMS_LIMITS.lifetime * 1000),
    invite: (mobile, invitation) => keep(mobile, inviteTextOf(inviteTemplate, invitation), DAY_MS),
    mobileGone: (mobile) => keep(mobile, MOBILE_GONE_TEXT, DAY_MS),
  };
}
