/**
 * Interprets the call table (shared/domain/call). Each event changes state and storage and runs its effects before the next event.
 * Nothing waits in here: an asynchronous result comes back as an event, and is dropped when its call is over.
 */
import type {
  CallEffect,
  CallEvent,
  CallEventOf,
  CallSay,
} from "../../../shared/domain/call-events.ts";
import { callStep, CALL_TIMEOUTS } from "../../../shared/domain/call.ts";
import type { CallState } from "../../../shared/domain/call-states.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import type { Step } from "../../../shared/domain/machine.ts";
import { noticeIn } from "../../../shared/domain/notice-texts.ts";
import { AppError, type ErrorCode, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { CALL_TYPE } from "../../../shared/protocol/call-message.ts";
import { idleCall } from "../../../shared/protocol/initial-state.ts";
import type { ChatCommands, CoreEnv, Session, Store } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import type { CallCoordinator } from "./coordinator.ts";
import { createDeadline } from "./deadline.ts";
import type { CallEvents, CallReply } from "./events.ts";
import { createMessenger } from "./messenger.ts";
import { isSay, outcomeOf } from "./outcomes.ts";
import { type CallStore, newCall, type NewCall } from "./state.ts";

export interface MachineDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "report">;
  readonly store: Pick<Store, "notice">;
  readonly session: Pick<Session, "user">;
  readonly chat: ChatCommands;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly events: CallEvents;
  readonly coordinator: Pick<
    CallCoordinator,
    "begin" | "prepare" | "whenOpened" | "enterRoom" | "terminate" | "close"
  >;
  /** True while the person is in a conference. */
  readonly inConference: () => boolean;
}

export interface CallMachine {
  /** The person's request in call.start. @returns the call's id, once the ring was sent or the other side's ring was answered */
  dial(dial: Omit<CallEventOf<"dial">, "type">): Promise<string>;
  /** Continues timers and messages of an earlier core's call. */
  resume(): void;
  stop(): void;
}

/** Texts that are the dialling command's error instead of a notice. */
const REFUSALS: Partial<Record<CallSay, ErrorCode>> = {
  saySelf: "call.self",
  sayBusySelf: "call.busy-self",
};

export function createCallMachine(deps: MachineDeps): CallMachine {
  const { env, calls, chat, config, coordinator, events } = deps;
  /** The command whose ring was not sent yet. */
  let dialing: CallReply | null = null;

  const notice = (code: ErrorCode): void =>
    deps.store.notice({ style: "error", text: ERROR_CATALOGUE[code].zh, key: code, code });
  const say = (name: CallSay): void => {
    const { style, text } = CALL_TEXTS[name];
    deps.store.notice({ style, text, key: name });
  };
  const messenger = createMessenger({ ...deps, dispatch: events.dispatch, notice });
  const deadline = createDeadline({
    clock: env.clock,
    calls,
    onPassed: () => events.dispatch({ type: "timeout" }),
  });
  const currentCallId = (): string =>
    calls.slice.info?.callId ?? calls.slice.lastOutcome?.callId ?? "";
  const settleDial = (error: AppError | null): void => {
    const pending = dialing;
    dialing = null;
    if (error !== null) pending?.reject(error);
    else pending?.resolve(currentCallId());
  };

  const begin = (call: NewCall): void => {
    const me = chat.me() ?? "";
    const accountId = deps.session.user()?.accountId ?? "";
    const { priv, slice } = newCall(call, { me, accountId, device: chat.device() });
    const { status, lastOutcome, gestureTab } = calls.slice;
    calls.setPrivate(priv);
    calls.patch({ ...slice, status, lastOutcome, gestureTab });
    coordinator.begin();
  };

  type Plain = Exclude<CallEffect, CallSay>;
  interface Context {
    readonly step: Step<CallState, CallEffect>;
    readonly reply: CallReply | null;
  }
  const effects: Record<Plain, (event: CallEvent, context: Context) => void> = {
    ...messenger.effects,
    begin: (event, { reply }) => {
      if (event.type !== "dial") return;
      const { to: userName, name, media } = event;
      dialing = reply;
      begin({
        out: true,
        // the ticket will contain it
        channel: "",
        callId: env.newId(),
        type: CALL_TYPE.single,
        media,
        peer: { userName, name: name === "" ? chat.nameOf(userName) : name },
        peerDevice: "",
      });
    },
    adopt: (event) => {
      if (event.type !== "rxRing") return;
      const { channel, callId, type, media, fromUser, fromUserDevId } = event.message;
      begin({
        out: false,
        channel,
        callId,
        type,
        media,
        peer: { userName: fromUser, name: chat.nameOf(fromUser) },
        peerDevice: fromUserDevId,
      });
    },
    abandon: () => {
      coordinator.close();
      calls.setPrivate(null);
    },
    noticeMissed: (event) => {
      if (event.type !== "rxRing") return;
      const args = { name: chat.nameOf(event.message.fromUser) };
      const key = "call-missed-in-conference";
      deps.store.notice({ style: "info", text: noticeIn("zh", key, args) ?? "", key, args });
    },
    prepareMedia: (event) => {
      // in a glare the other side's call is answered in the tab that dialled
      const tabId = "tabId" in event ? event.tabId : calls.slice.gestureTab;
      calls.patch({ gestureTab: tabId });
      coordinator.prepare(tabId ?? undefined);
    },
    enterRoom: () => coordinator.enterRoom(),
    markStarted: () => calls.patch({ startedAt: env.clock.now() }),
    ringTimer: () => deadline.arm(CALL_TIMEOUTS.ring),
    answerTimer: () => deadline.arm(CALL_TIMEOUTS.answer),
    confirmTimer: () => deadline.arm(CALL_TIMEOUTS.confirm),
    clearTimer: deadline.clear,
    close: (event, { step }) => {
      const { info, startedAt } = calls.slice;
      const now = env.clock.now();
      const ended = info !== null && {
        callId: info.callId,
        outcome: outcomeOf(event, step),
        duration: startedAt === null ? null : Math.max(0, now - startedAt),
        at: now,
      };
      coordinator.close();
      calls.setPrivate(null);
      calls.patch({ ...idleCall(), lastOutcome: ended === false ? null : ended });
      // a failure before the ring was sent is the command's error, which sayFailure reports
      if (!("code" in event)) settleDial(null);
    },
    sayFailure: (event) => {
      if (!("code" in event)) return;
      if (dialing === null) notice(event.code);
      else settleDial(new AppError(event.code));
    },
  };

  events.handle((event, reply) => {
    const { info, status, peer } = calls.slice;
    const step = callStep(
      status,
      {
        me: chat.me() ?? "",
        device: chat.device(),
        call: info,
        peer: peer?.userName,
        inConference: deps.inConference(),
      },
      event,
    );
    if (step.rule < 0) return;
    if (status !== step.to) calls.patch({ status: step.to });
    if (step.to !== "sendRing") messenger.stopRinging();
    for (const effect of step.effects) {
      const refusal = isSay(effect) ? REFUSALS[effect] : undefined;
      if (refusal !== undefined) reply?.reject(new AppError(refusal));
      else if (isSay(effect)) say(effect);
      else effects[effect](event, { step, reply });
    }
    // the dial succeeded: its ring was sent, or it became the answer to that person's ring
    if (event.type === "ringSent" || step.to === "sendAnswer") {
      settleDial(null);
      reply?.resolve(currentCallId());
    }
  });

  return {
    dial: (dial) =>
      new Promise((resolve, reject) =>
        events.dispatch({ type: "dial", ...dial }, { resolve, reject }),
      ),
    resume() {
      const { status } = calls.slice;
      deadline.resume();
      messenger.setTries(config.chatRetries);
      if (status === "sendRing" && calls.priv?.ringHanded === false) {
        events.dispatch({ type: "ringSendFailed", code: "call.ring-send-failed" });
      } else if (status === "sendRing") messenger.keepRinging();
      else if (status === "sendAnswer") messenger.accept();
      else if (status === "receivedAnswer" || status === "confirmAnswer") {
        messenger.confirm(calls.priv?.peerDevice ?? "");
      }
      messenger.setTries(1);
    },
    stop() {
      events.stop();
      deadline.stop();
      messenger.stop();
      settleDial(new AppError("core.gone"));
    },
  };
}
