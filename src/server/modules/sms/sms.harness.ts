/** For tests: an SMS service that keeps what it sends. */
import type { SmsSink } from "./index.ts";

export interface KeptCodes {
  /** The last code by mobile number. */
  readonly sent: Map<string, string>;
  readonly sms: SmsSink;
}

export function keepsCodes(): KeptCodes {
  const sent = new Map<string, string>();
  return { sent, sms: { send: (mobile, code) => Promise.resolve(void sent.set(mobile, code)) } };
}
