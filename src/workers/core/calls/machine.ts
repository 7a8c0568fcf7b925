/**
 * Interprets the call table (shared/domain/call). Each event changes state and storage and runs its effects before the next event.
 * Nothing waits in here: an asynchronous result comes back as an event, and is dropped when its call is over.
 */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import type {
  CallEffect,
  CallEvent,
  CallEventOf,
  CallSay,
} from "../../../shared/domain/call-events.ts";
import { isElsewhere } from "../../../shared/domain/call-results.ts";
import { callStep, CALL_TIMEOUTS } from "../../../shared/domain/call.ts";
import type { CallState } from "../../../shared/domain/call-states.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import type { Step } from "../../../shared/domain/machine.ts";
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { AppError, type ErrorCode, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { idleCall } from "../../../shared/protocol/initial-state.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import type { ChatCommands, CoreEnv, Session, Store } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import type { CallCoordinator } from "./contracts.ts";
import { createDeadline } from "./deadline.ts";
import type { CallEvents, CallReply } from "./events.ts";
import type { Journal } from "./journal.ts";
import { createMessenger } from "./messenger.ts";
import { isSay, missedRing, outcomeOf, reportOf } from "./outcomes.ts";
import type { ServerTime } from "../server-time.ts";
import { type CallStore, newCall, type NewCall } from "./state.ts";

export interface MachineDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly serverTime: Pick<ServerTime, "now">;
  readonly store: Pick<Store, "notice">;
  readonly session: Pick<Session, "user">;
  readonly chat: ChatCommands;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly events: CallEvents;
  readonly coordinator: Pick<
    CallCoordinator,
    "begin" | "prepare" | "whenOpened" | "enterSession" | "terminate" | "close"
  >;
  readonly journal: Pick<Journal, "add">;
  /** True while the person is in a conference. */
  readonly inConference: () => boolean;
  /** A call is over. @param channel null: it goes on on another device of the person */
  readonly onClosed: (channel: string | null) => void;
  /** The tab in which a person would notice a ring first. */
  readonly ringTab: () => string | null;
  /** The ring is sent once more, since no device has answered it. */
  readonly onRingRepeated: () => void;
  /** What the person has chosen for calls (docs/calls.md#do-not-disturb). */
  readonly quiet: () => QuietCalls;
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

/** Ended calls whose repeated rings are known. */
const REMEMBERED = 20;
export function createCallMachine(deps: MachineDeps): CallMachine {
  const { env, calls, chat, config, coordinator, events } = deps;
  /** The command whose ring was not sent yet. */
  let dialing: CallReply | null = null;
  /** The calls that ended here last: a repeated ring may come later than the end. */
  let over: readonly string[] = [];

  const notice = (code: ErrorCode): void =>
    deps.store.notice({ style: "error", text: ERROR_CATALOGUE[code].zh, key: code, code });
  const noticeRing = (event: CallEvent, key: "call-missed-in-conference" | "call-quiet"): void => {
    if (event.type !== "rxRing") return;
    const { fromUser } = event.message;
    const args = { name: chat.shownName(fromUser) ?? chat.nameOf(fromUser) };
    deps.store.notice({ style: "info", ...noticeFields(key, args) });
  };
  const notifyPerson = (name: CallSay, event: CallEvent): void => {
    if (name === "sayPeerQuiet" && event.type === "rxConfirmRing" && event.message.note) {
      const { note } = event.message;
      return deps.store.notice({ style: "warning", ...noticeFields("call-peer-quiet", { note }) });
    }
    const { style, text } = CALL_TEXTS[name];
    deps.store.notice({ style, text, key: name, topic: "call" });
  };
  const messenger = createMessenger({ ...deps, dispatch: events.dispatch, notice });
  const deadline = createDeadline({
    clock: env.clock,
    calls,
    onPassed() {
      if (calls.slice.direction === "out") env.log("calls", "warn", "call timeout");
      events.dispatch({ type: "timeout" });
    },
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
    const { priv, slice } = newCall(call, {
      me,
      accountId,
      device: chat.device(),
      beganAt: env.clock.now(),
    });
    const { status, lastOutcome, gestureTab } = calls.slice;
    calls.setPrivate(priv);
    calls.patch({ ...slice, status, lastOutcome, gestureTab });
    coordinator.begin();
  };

  /** A core that has shown no list of people yet knows no names: the ring shows the user name until the server has said it. */
  const learnName = async (userName: string, callId: string): Promise<void> => {
    const name = await chat.findName(userName);
    const { info, peer } = calls.slice;
    if (name === null || info?.callId !== callId || peer?.userName !== userName) return;
    calls.patch({ peer: { userName, name }, info: { ...info, confrName: name } });
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
      calls.patch({ ringTab: deps.ringTab() });
      if (chat.nameOf(fromUser) === fromUser) void learnName(fromUser, callId);
    },
    arrive: (event) => {
      if (event.type !== "goOn") return;
      const { confrId, outgoing, userName, name } = event.call;
      begin({
        out: outgoing,
        channel: confrId,
        // the other device will say these
        callId: "",
        media: "voice",
        peerDevice: "",
        type: CALL_TYPE.single,
        peer: { userName, name },
      });
      calls.keep({ arriving: true });
      calls.patch({ gestureTab: event.tabId });
    },
    carryOn: (event) => {
      const { info, local } = calls.slice;
      if (event.type !== "moveTold" || info === null) return;
      const { callId, media, peerDevice, began, on, audioMuted, videoOff } = event.call;
      const now = env.clock.now();
      calls.keep({ peerDevice, beganAt: now - began });
      calls.patch({
        info: { ...info, callId, media },
        startedAt: now - on,
        local: { ...local, audioMuted, videoOff },
      });
    },
    abandon: () => {
      coordinator.close();
      calls.setPrivate(null);
    },
    noticeMissed: (event) => noticeRing(event, "call-missed-in-conference"),
    noticeQuiet: (event) => noticeRing(event, "call-quiet"),
    recordMissed: (event) => {
      const accountId = deps.session.user()?.accountId;
      if (event.type !== "rxRing" || accountId === undefined) return;
      deps.journal.add(accountId, missedRing(event.message, env.clock.now()));
    },
    prepareMedia: (event) => {
      // in a glare the other side's call is answered in the tab that dialled
      const tabId = "tabId" in event ? event.tabId : calls.slice.gestureTab;
      calls.patch({ gestureTab: tabId });
      coordinator.prepare(tabId ?? undefined);
    },
    enterSession: () => coordinator.enterSession(),
    markStarted: () => calls.patch({ startedAt: env.clock.now() }),
    ringTimer: () => deadline.arm(CALL_TIMEOUTS.ring),
    answerTimer: () => deadline.arm(CALL_TIMEOUTS.answer),
    confirmTimer: () => deadline.arm(CALL_TIMEOUTS.confirm),
    askTimer: () => deadline.arm(CALL_TIMEOUTS.moveAsk),
    moveTimer: () => deadline.arm(CALL_TIMEOUTS.move),
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
      const arriving = calls.priv?.arriving === true;
      // The device that has the call records it.
      const report = ended === false || arriving ? null : reportOf(calls, ended);
      if (report !== null && calls.priv !== null) {
        deps.journal.add(calls.priv.accountId, report);
      }
      if (info !== null) over = [info.callId, ...over].slice(0, REMEMBERED);
      coordinator.close();
      calls.setPrivate(null);
      calls.patch({ ...idleCall(), lastOutcome: ended === false ? null : ended });
      const goesOn = arriving || (ended !== false && isElsewhere(ended.outcome));
      deps.onClosed(goesOn ? null : (info?.channel ?? null));
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
        quiet: deps.quiet().on,
        over,
        arriving: calls.priv?.arriving === true,
      },
      event,
    );
    if (step.rule < 0) return;
    if (status !== step.to) calls.patch({ status: step.to });
    if (step.to !== "sendRing") messenger.stopRinging();
    for (const effect of step.effects) {
      const refusal = isSay(effect) ? REFUSALS[effect] : undefined;
      if (refusal !== undefined) reply?.reject(new AppError(refusal));
      else if (isSay(effect)) notifyPerson(effect, event);
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
