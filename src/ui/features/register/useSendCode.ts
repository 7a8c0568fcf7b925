/** Asks for codes by SMS, and says when the next one may be asked for (docs/server.md#sms). */
import { useEffect, useState } from "react";
import { AppError } from "../../../shared/errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { showMessage } from "../../state/show-message.ts";
import { REGISTER_TEXTS } from "./texts.ts";

/** Seconds until the next code may be asked for; counts down to 0. */
function useCountdown(): readonly [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const tick = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    if (until <= Date.now()) return undefined;
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [until]);
  return [left, (seconds) => setUntil(Date.now() + seconds * 1000)];
}

/** What the server answers to who asks for a code. */
export interface SentCode {
  /** Seconds. */
  readonly retryAfter: number;
  readonly requestKey?: string | undefined;
}

export function useSendCode(handlers: {
  readonly refuse: (error: unknown) => void;
  readonly onAsked: ((requestKey: string | undefined) => void) | undefined;
  readonly onSent: () => void;
}): {
  /** Seconds until the next code may be asked for. */
  readonly left: number;
  readonly sending: boolean;
  readonly send: (ask: () => Promise<SentCode>) => Promise<void>;
} {
  const text = useTexts(REGISTER_TEXTS);
  const [left, wait] = useCountdown();
  const [sending, setSending] = useState(false);
  const send = async (ask: () => Promise<SentCode>): Promise<void> => {
    setSending(true);
    try {
      const { retryAfter, requestKey } = await ask();
      handlers.onAsked?.(requestKey);
      wait(retryAfter);
      showMessage("success", text("codeSent"));
      handlers.onSent();
    } catch (error) {
      const after = AppError.from(error).details?.["retryAfter"];
      if (typeof after === "number") wait(after);
      handlers.refuse(error);
    } finally {
      setSending(false);
    }
  };
  return { left, sending, send };
}
