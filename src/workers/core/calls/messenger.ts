/**
 * Sends the messages that the call table's effects ask for, by chat and by signalling. The outcome of a message comes back as an
 * event, but only while its call exists.
 */
import type { CallEffect, CallEvent } from "../../../shared/domain/call-events.ts";
import { CALL_NOTICE_KEYS, CANCEL_DONE } from "../../../shared/domain/call-texts.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import {
  ANSWER_ACCEPT,
  ANSWER_REFUSE,
  type CallAction,
} from "../../../shared/protocol/call-message.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import type { ChatCommands, CoreEnv, Store, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import { messageOf, ringReply } from "./messages.ts";
import { reasonOf } from "./outcomes.ts";
import type { ServerTime } from "../server-time.ts";
import type { CallCoordinator } from "./contracts.ts";
import { createSender, type Sent } from "./sender.ts";
import type { CallStore } from "./state.ts";

type MessengerEffect = Extract<CallEffect, `send${string}` | `reply${string}`>;

export interface Messenger {
  readonly effects: Readonly<Record<MessengerEffect, (event: CallEvent) => void>>;
  /** Sends the acceptance of the current ring. */
  accept(): void;
  /** Confirms the answer of this device of the other side. */
  confirm(peerDevice: string): void;
  /** Sets the number of attempts per message, because a new core starts before its chat connection is open. */
  setTries(tries: number): void;
  /** Rings every 2 s until the other side confirms, so that a person who comes online meanwhile is reached (docs/calls.md#ringing). */
  keepRinging(): void;
  stopRinging(): void;
  stop(): void;
}

export function createMessenger(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly serverTime: Pick<ServerTime, "now">;
  readonly store: Pick<Store, "notice">;
  readonly chat: ChatCommands;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly coordinator: Pick<CallCoordinator, "whenOpened" | "terminate">;
  readonly dispatch: (event: CallEvent) => void;
  readonly notice: (code: ErrorCode) => void;
  /** The ring is sent once more, since no device has answered it. */
  readonly onRingRepeated: () => void;
  /** What the person has chosen for calls (docs/calls.md#do-not-disturb). */
  readonly quiet: () => QuietCalls;
}): Messenger {
  const { env, calls, chat, dispatch, notice } = deps;
  let tries = 1;

  const sender = createSender(deps);
  const sendOwn = (
    action: CallAction,
    done: Sent,
    answer: { status?: boolean; result?: string } = {},
  ): void => {
    const { priv, slice } = calls;
    if (priv !== null) {
      sender.send(messageOf(action, slice, priv, deps.serverTime.now(), answer), done, tries);
    }
  };
  /** Calls `run` only while the same call exists. */
  const guarded = (run: Sent): Sent => {
    const callId = calls.slice.info?.callId;
    return (failed, refused) => {
      if (callId !== undefined && calls.slice.info?.callId === callId) run(failed, refused);
    };
  };
  const ignore = (): void => undefined;

  let again: Timer | null = null;
  const stopRinging = (): void => {
    again?.cancel();
    again = null;
  };
  /** @param unheard no device had time to confirm the ring yet */
  const ringOn = (unheard: boolean): void => {
    stopRinging();
    again = env.clock.after(deps.config.ringRetryMillis, () => {
      if (unheard) env.log("calls", "warn", "callee is not online!");
      sendOwn("sendRing", ignore);
      deps.onRingRepeated();
      ringOn(false);
    });
  };
  const keepRinging = (): void => ringOn(true);

  const replyRing = (event: CallEvent, status: boolean, quiet?: QuietCalls): void => {
    if (event.type !== "rxRing") return;
    sender.send(
      ringReply(event.message, status, chat.device(), deps.serverTime.now(), quiet),
      ignore,
    );
  };
  const accept = (): void =>
    sendOwn(
      "sendAnswer",
      guarded((failed) => {
        if (failed) dispatch({ type: "answerSendFailed", code: "call.answer-send-failed" });
      }),
      { result: ANSWER_ACCEPT },
    );
  const confirm = (peerDevice: string): void => {
    calls.keep({ peerDevice });
    sendOwn(
      "confirmAnswer",
      guarded((failed) =>
        dispatch(
          failed
            ? { type: "confirmSendFailed", code: "call.confirm-send-failed" }
            : { type: "confirmSent" },
        ),
      ),
      { result: ANSWER_ACCEPT },
    );
    dispatch({ type: "confirmHanded" });
  };

  const effects: Messenger["effects"] = {
    sendRing: () => {
      const current = guarded(() => {
        calls.keep({ ringHanded: true });
        sendOwn(
          "sendRing",
          guarded((failed, refused) => {
            if (!failed && calls.slice.status === "sendRing") keepRinging();
            const code = refused ? "call.not-allowed" : "call.ring-send-failed";
            dispatch(failed ? { type: "ringSendFailed", code } : { type: "ringSent" });
          }),
        );
      });
      deps.coordinator.whenOpened(() => {
        // another opening of the media must not ring again
        if (calls.priv?.ringHanded === false) current(false, false);
      });
    },
    replyRingTrue: (event) => replyRing(event, true),
    replyRingFalse: (event) => replyRing(event, false),
    replyRingQuiet: (event) => replyRing(event, false, deps.quiet()),
    sendAccept: accept,
    sendRefuse: () =>
      sendOwn(
        "sendAnswer",
        (failed) => {
          if (failed) notice("call.answer-send-failed");
        },
        { result: ANSWER_REFUSE },
      ),
    sendConfirm: (event) => {
      if (event.type === "rxAnswer") confirm(event.message.fromUserDevId);
    },
    sendCancel: () => {
      const done = (failed: boolean): void => {
        if (failed) notice("call.cancel-failed");
        else {
          const { style, text } = CANCEL_DONE;
          deps.store.notice({ style, text, key: CALL_NOTICE_KEYS.cancelDone, topic: "call" });
        }
      };
      if (calls.priv?.ringHanded === true) sendOwn("cancelCall", done);
      else done(false);
    },
    sendCancelQuietly: () => {
      if (calls.priv?.ringHanded === true) sendOwn("cancelCall", ignore);
    },
    sendTerminate: (event) => {
      const { priv, slice } = calls;
      if (priv === null) return;
      // built now, because the call may be closed when it is needed
      const message = messageOf("cancelCall", slice, priv, deps.serverTime.now());
      const byChat = (): void => sender.send(message, ignore);
      if (!deps.coordinator.terminate(reasonOf(event), byChat)) byChat();
    },
  };

  return {
    effects,
    accept,
    confirm,
    setTries(next) {
      tries = next;
    },
    keepRinging,
    stopRinging,
    stop: () => {
      stopRinging();
      sender.stop();
    },
  };
}
