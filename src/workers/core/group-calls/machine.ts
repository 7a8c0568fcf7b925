/**
 * Interprets the table of this person's side of a group call (shared/domain/group-call). Events are handled one after the other; what
 * takes time comes back as a later event, and is dropped when its call is over.
 */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import {
  GROUP_CALL_TIMEOUTS,
  type GroupCallEffect,
  type GroupCallEvent,
  type GroupCallSay,
  groupCallStep,
} from "../../../shared/domain/group-call.ts";
import { noticeFields } from "../../../shared/domain/notice-texts.ts";
import { AppError, type ErrorCode, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import { ANSWER_ACCEPT, ANSWER_REFUSE } from "../../../shared/protocol/call-message.ts";
import { CALL_CONFIG } from "../calls/config.ts";
import { ringReply } from "../calls/messages.ts";
import { createSender } from "../calls/sender.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import type { ChatCommands, CoreEnv, Store, Timer } from "../contracts.ts";
import type { ServerTime } from "../server-time.ts";
import type { Codecs, GroupCallState } from "./contracts.ts";
import type { RungPeople } from "./people.ts";

/** Settles the command that caused an event. */
export interface Reply {
  readonly resolve: () => void;
  readonly reject: (error: AppError) => void;
}
export interface EnterWish {
  readonly tabId: string;
  readonly codecs: Codecs;
  /** Whom to ring once inside; null: the call exists. */
  readonly start: { readonly people: readonly string[] } | null;
  /** A call of two becomes this call. */
  readonly grows: boolean;
}

export interface GroupCallMachine {
  /** @param codecs of the tab that gave the command */
  dispatch(event: GroupCallEvent, reply?: Reply, codecs?: Codecs): void;
  /** Continues the timer of an earlier core's call. */
  resume(): void;
  stop(): void;
}

/** Texts that are the command's error instead of a notice. */
const REFUSALS: Partial<Record<GroupCallSay, ErrorCode>> = {
  saySelf: "call.self",
  sayBusySelf: "call.busy-self",
};

export function createGroupCallMachine(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly serverTime: Pick<ServerTime, "now">;
  readonly store: Pick<Store, "notice">;
  readonly chat: ChatCommands;
  readonly state: GroupCallState;
  /** The name of this person. */
  readonly ownName: () => string;
  readonly people: RungPeople;
  /** Makes the conference if need be, enters it, and rings. Its outcome comes back as an event. */
  readonly enter: (wish: EnterWish, reply: Reply | null) => void;
  readonly ringPeople: (people: readonly string[], reply: Reply | null) => void;
  readonly leaveConference: () => void;
  /** The person is in a call of two, or in a conference that is not this call's. */
  readonly busy: () => boolean;
  readonly inConference: () => boolean;
  /** What the person has chosen for calls (docs/calls.md#do-not-disturb). */
  readonly quiet: () => QuietCalls;
  readonly ringTab: () => string | null;
  /** A ring came: what it lacks has to be asked of the server. */
  readonly onRing: () => void;
}): GroupCallMachine {
  const { env, store, chat, state, people } = deps;
  const { clock } = env;
  const { serverTime } = deps;
  const sender = createSender({ env, chat, config: CALL_CONFIG });
  let timer: Timer | null = null;
  let stopped = false;
  const queue: { event: GroupCallEvent; reply: Reply | null; codecs: Codecs }[] = [];
  let running = false;

  const wait = (ms: number): void => {
    timer?.cancel();
    timer = clock.after(ms, () => {
      timer = null;
      dispatch({ type: "timeout" });
    });
  };
  const arm = (ms: number): void => {
    state.patch({ deadline: clock.now() + ms });
    wait(ms);
  };
  const answer = (result: string, done: (failed: boolean) => void): void => {
    const { info } = state.slice;
    const { caller } = state;
    if (info === null || caller === null) return;
    sender.send(
      {
        action: "sendAnswer",
        result,
        channel: info.channel,
        callId: info.callId,
        type: CALL_TYPE.group,
        media: info.media,
        fromUser: chat.me() ?? "",
        toUser: caller.userName,
        fromUserDevId: chat.device(),
        toUserDevId: caller.device,
        ts: serverTime.now(),
      },
      done,
    );
  };
  /** A core that has shown no list of people yet knows no names. */
  const learnName = async (userName: string, callId: string): Promise<void> => {
    const fromName = await chat.findName(userName);
    const { info } = state.slice;
    if (fromName !== null && info?.callId === callId) state.patch({ info: { ...info, fromName } });
  };
  const notice = (code: ErrorCode): void =>
    store.notice({ style: "error", text: ERROR_CATALOGUE[code].zh, key: code, code });
  const replyRing = (event: GroupCallEvent, status: boolean, quiet?: QuietCalls): void => {
    if (event.type !== "rxRing") return;
    const reply = ringReply(event.message, status, chat.device(), serverTime.now(), quiet);
    sender.send(reply, () => undefined);
  };
  const noticeRing = (event: GroupCallEvent, key: "call-missed-in-conference" | "call-quiet") => {
    if (event.type !== "rxRing") return;
    const args = { name: chat.nameOf(event.message.fromUser) };
    store.notice({ style: "info", ...noticeFields(key, args) });
  };

  type Plain = Exclude<GroupCallEffect, GroupCallSay>;
  interface Context {
    readonly reply: Reply | null;
    readonly codecs: Codecs;
  }
  const effects: Record<Plain, (event: GroupCallEvent, context: Context) => void> = {
    replyRingTrue: (event) => replyRing(event, true),
    replyRingFalse: (event) => replyRing(event, false),
    replyRingQuiet: (event) => replyRing(event, false, deps.quiet()),
    sendAccept() {
      const callId = state.slice.info?.callId;
      answer(ANSWER_ACCEPT, (failed) => {
        if (failed && state.slice.info?.callId === callId) {
          dispatch({ type: "answerSendFailed", code: "call.answer-send-failed" });
        }
      });
    },
    sendRefuse: () =>
      answer(ANSWER_REFUSE, (failed) => {
        if (failed) notice("call.answer-send-failed");
      }),
    begin(event) {
      if (event.type !== "start" && event.type !== "grow") return;
      const me = chat.me() ?? "";
      const { media, tabId } = event;
      const groupId = event.type === "start" ? event.groupId : null;
      state.patch({
        info: {
          // the server will name it
          channel: "",
          callId: env.newId(),
          media,
          groupId,
          fromUser: me,
          fromName: deps.ownName(),
        },
        gestureTab: tabId,
      });
    },
    adopt(event) {
      if (event.type === "join") {
        const { channel, callId, media, groupId, tabId } = event;
        const me = chat.me() ?? "";
        state.patch({
          info: { channel, callId, media, groupId, fromUser: me, fromName: deps.ownName() },
          gestureTab: tabId,
        });
      }
      if (event.type === "growIn") {
        const { channel, callId, media, by, tabId } = event;
        const info = { channel, callId, media, groupId: null, fromUser: by };
        state.patch({ info: { ...info, fromName: chat.nameOf(by) }, gestureTab: tabId });
      }
      if (event.type !== "rxRing") return;
      const { channel, callId, media, fromUser, fromUserDevId } = event.message;
      state.keep({ caller: { userName: fromUser, device: fromUserDevId } });
      state.patch({
        info: {
          channel,
          callId,
          media,
          groupId: null,
          fromUser,
          fromName: chat.nameOf(fromUser),
        },
        ringTab: deps.ringTab(),
      });
      if (chat.nameOf(fromUser) === fromUser) void learnName(fromUser, callId);
      deps.onRing();
    },
    enter(event, { reply, codecs }) {
      if (!("tabId" in event)) return;
      state.patch({ gestureTab: event.tabId });
      const grows = event.type === "grow" || event.type === "growIn";
      const start = "people" in event ? { people: event.people } : null;
      deps.enter({ tabId: event.tabId, codecs, start, grows }, reply);
    },
    ringPeople(event, { reply }) {
      if (event.type === "invite") deps.ringPeople(event.people, reply);
    },
    leaveConference: deps.leaveConference,
    answerTimer: () => arm(GROUP_CALL_TIMEOUTS.answer),
    confirmTimer() {
      state.keep({ awaitsConfirm: true });
      arm(GROUP_CALL_TIMEOUTS.confirm);
    },
    clearTimer() {
      timer?.cancel();
      timer = null;
      state.keep({ awaitsConfirm: false });
      if (state.slice.deadline !== null) state.patch({ deadline: null });
    },
    markStarted: () => state.patch({ startedAt: clock.now() }),
    close() {
      people.reset();
      state.clear();
    },
    noticeMissed(event) {
      if (deps.inConference()) noticeRing(event, "call-missed-in-conference");
    },
    noticeQuiet: (event) => noticeRing(event, "call-quiet"),
    sayFailure(event) {
      // a failure to enter is the error of the command that asked for it
      if ("code" in event && event.type !== "enterFailed") notice(event.code);
    },
  };

  function handle(event: GroupCallEvent, reply: Reply | null, codecs: Codecs): void {
    const { status, info } = state.slice;
    const step = groupCallStep(
      status,
      {
        me: chat.me() ?? "",
        device: chat.device(),
        call: info,
        busy: status === "idle" && deps.busy(),
        quiet: deps.quiet().on,
        awaitsConfirm: state.awaitsConfirm,
      },
      event,
    );
    if (step.rule < 0) return reply?.resolve();
    if (status !== step.to) state.patch({ status: step.to });
    for (const effect of step.effects) {
      if (!(effect in CALL_TEXTS)) effects[effect as Plain](event, { reply, codecs });
      else {
        const name = effect as GroupCallSay;
        const refusal = REFUSALS[name];
        const { style, text } = CALL_TEXTS[name];
        if (refusal === undefined) store.notice({ style, text, key: name, topic: "call" });
        else reply?.reject(new AppError(refusal));
      }
    }
    if (!step.effects.includes("enter") && !step.effects.includes("ringPeople")) reply?.resolve();
  }
  function dispatch(event: GroupCallEvent, reply?: Reply, codecs?: Codecs): void {
    if (stopped) return reply?.reject(new AppError("core.gone"));
    queue.push({ event, reply: reply ?? null, codecs });
    if (running) return;
    running = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        handle(next.event, next.reply, next.codecs);
      }
    } finally {
      running = false;
    }
  }

  return {
    dispatch,
    resume() {
      const { deadline } = state.slice;
      if (deadline !== null) wait(Math.max(0, deadline - clock.now()));
    },
    stop() {
      stopped = true;
      timer?.cancel();
      sender.stop();
    },
  };
}
