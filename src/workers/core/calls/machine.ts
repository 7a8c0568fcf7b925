/**
 * Interprets the call table (shared/domain/call). Each event changes state and storage and runs its effects before the next event.
 * Nothing waits in here: an asynchronous result comes back as an event, and is dropped when its call is over.
 */
import {
  type CallEffect,
  type CallEvent,
  callStep,
  CALL_TIMEOUTS,
} from "../../../shared/domain/call.ts";
import { noticeIn } from "../../../shared/domain/notice-texts.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import { AppError, type ErrorCode, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { CALL_TYPE } from "../../../shared/protocol/call-message.ts";
import { idleCall } from "../../../shared/protocol/initial-state.ts";
import type { ChatCommands, CoreEnv, Session, Store } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import { createDeadline } from "./deadline.ts";
import { codeOf, isSay, outcomeOf, type Say } from "./outcomes.ts";
import type { CallCoordinator } from "./coordinator.ts";
import { type CallStore, newCall, type NewCall } from "./state.ts";
import { createMessenger } from "./messenger.ts";

/** The person's request in call.start. */
export interface Dial {
  readonly userName: string;
  readonly name: string;
  readonly media: "voice" | "video";
  readonly tabId: string;
  readonly resolve: (callId: string) => void;
  readonly reject: (error: AppError) => void;
}

export interface MachineDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "report">;
  readonly store: Pick<Store, "notice">;
  readonly session: Pick<Session, "user">;
  readonly chat: ChatCommands;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly coordinator: () => CallCoordinator;
  /** True while the person is in a conference. */
  readonly inConference: () => boolean;
}

export interface CallMachine {
  dispatch(event: CallEvent): void;
  dial(dial: Dial): void;
  /** Accepts the call, with the media in the tab of the gesture. */
  accept(tabId: string): void;
  /** Continues timers and messages of an earlier core's call. */
  resume(): void;
  stop(): void;
}

export function createCallMachine(deps: MachineDeps): CallMachine {
  const { env, calls, chat, config } = deps;
  const queue: CallEvent[] = [];
  let running = false;
  let dialing: Dial | null = null;
  /** The tab in which the person answered. */
  let gestureTab: string | undefined;
  let outcome = "ended";
  let stopped = false;

  const notice = (code: ErrorCode): void =>
    deps.store.notice({ style: "error", text: ERROR_CATALOGUE[code].zh, key: code, code });
  const say = (name: Say): void => {
    const { style, text } = CALL_TEXTS[name];
    deps.store.notice({ style, text, key: name });
  };
  const messenger = createMessenger({ ...deps, dispatch, notice });
  const deadline = createDeadline({
    clock: env.clock,
    calls,
    onPassed: () => dispatch({ type: "timeout" }),
  });
  const ignore = (): void => undefined;
  const settleDial = (error: AppError | null): void => {
    const pending = dialing;
    dialing = null;
    if (pending === null) return;
    if (error !== null) pending.reject(error);
    else pending.resolve(calls.slice.info?.callId ?? calls.slice.lastOutcome?.callId ?? "");
  };

  const begin = (call: NewCall): void => {
    const me = chat.me() ?? "";
    const accountId = deps.session.user()?.accountId ?? "";
    const { priv, slice } = newCall(call, { me, accountId, device: chat.device() });
    const { status, lastOutcome } = calls.slice;
    calls.setPrivate(priv);
    calls.patch({ ...slice, status, lastOutcome });
    outcome = "ended";
    deps.coordinator().begin();
  };

  type Plain = Exclude<CallEffect, Say>;
  const effects: Record<Plain, (event: CallEvent) => void> = {
    ...messenger.effects,
    begin: () => {
      if (dialing === null) return;
      const { userName, name, media } = dialing;
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
    adopt: ({ message }) => {
      if (message === undefined) return;
      const { channel, callId, type, media, fromUser } = message;
      begin({
        out: false,
        channel,
        callId,
        type,
        media,
        peer: { userName: fromUser, name: chat.nameOf(fromUser) },
        peerDevice: message.fromUserDevId,
      });
    },
    abandon: () => {
      deps.coordinator().close();
      calls.setPrivate(null);
    },
    noticeMissed: ({ message }) => {
      const args = { name: chat.nameOf(message?.fromUser ?? "") };
      const key = "call-missed-in-conference";
      deps.store.notice({ style: "info", text: noticeIn("zh", key, args) ?? "", key, args });
    },
    prepareMedia: () => {
      calls.patch({ gestureTab: gestureTab ?? null });
      deps.coordinator().prepare(gestureTab);
    },
    enterRoom: () => deps.coordinator().enterRoom(),
    // the connection is negotiated from enterRoom on; the new state makes its failures count
    startMedia: ignore,
    markStarted: () => calls.patch({ startedAt: env.clock.now() }),
    ringTimer: () => deadline.arm(CALL_TIMEOUTS.ring),
    answerTimer: () => deadline.arm(CALL_TIMEOUTS.answer),
    confirmTimer: () => deadline.arm(CALL_TIMEOUTS.confirm),
    clearTimer: deadline.clear,
    // tabs play the ringtone while the state is confirmRing
    ringSound: ignore,
    close: (event) => {
      const { info, startedAt } = calls.slice;
      const failed = event.code === undefined ? null : codeOf(event);
      const now = env.clock.now();
      deps.coordinator().close();
      gestureTab = undefined;
      calls.setPrivate(null);
      calls.patch({
        ...idleCall(),
        lastOutcome:
          info === null
            ? null
            : {
                callId: info.callId,
                outcome,
                duration: startedAt === null ? null : Math.max(0, now - startedAt),
                at: now,
              },
      });
      // a failure before the ring was sent is the command's error; later failures were shown as a text
      if (failed === null || dialing === null) settleDial(null);
    },
    sayFailure: (event) => {
      const code = codeOf(event);
      if (dialing === null) notice(code);
      else settleDial(new AppError(code));
    },
  };

  function run(event: CallEvent): void {
    const { info, status, peer } = calls.slice;
    const result = callStep(
      status,
      {
        me: chat.me() ?? "",
        device: chat.device(),
        call: info,
        peer: peer?.userName,
        inConference: deps.inConference(),
        ...(dialing === null ? {} : { dialTo: dialing.userName }),
      },
      event,
    );
    if (result.rule < 0) return;
    if (result.effects.includes("close")) outcome = outcomeOf(event, result.from, result.effects);
    if (status !== result.to) calls.patch({ status: result.to });
    if (result.to !== "sendRing") messenger.stopRinging();
    for (const effect of result.effects) {
      if (effect === "saySelf") settleDial(new AppError("call.self"));
      else if (effect === "sayBusySelf") settleDial(new AppError("call.busy-self"));
      else if (isSay(effect)) say(effect);
      else effects[effect](event);
    }
    // the dial succeeded: its ring was sent, or it became the answer to that person's ring
    if (event.type === "ringSent" || result.to === "sendAnswer") settleDial(null);
  }

  function dispatch(event: CallEvent): void {
    if (stopped) return;
    queue.push(event);
    if (running) return;
    running = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) run(next);
    } finally {
      running = false;
    }
  }

  return {
    dispatch,
    dial(dial) {
      // one at a time: an earlier dial that still rings keeps its own promise
      const earlier = dialing;
      dialing = dial;
      const { status, peer } = calls.slice;
      if (status === "idle" || peer?.userName === dial.userName) gestureTab ??= dial.tabId;
      dispatch({ type: "dial" });
      if (dialing === null) dialing = earlier;
    },
    accept(tabId) {
      gestureTab = tabId;
      dispatch({ type: "accept" });
    },
    resume() {
      const { status } = calls.slice;
      deadline.resume();
      messenger.setTries(config.chatRetries);
      if (status === "sendRing" && calls.priv?.ringHanded === false) {
        dispatch({ type: "ringSendFailed", code: "call.ring-send-failed" });
      } else if (status === "sendRing") messenger.keepRinging();
      else if (status === "sendAnswer") effects.sendAccept({ type: "accept" });
      else if (status === "receivedAnswer" || status === "confirmAnswer") {
        effects.sendConfirm({ type: "rxAnswer" });
      }
      messenger.setTries(1);
    },
    stop() {
      stopped = true;
      deadline.stop();
      messenger.stop();
      settleDial(new AppError("core.gone"));
    },
  };
}
