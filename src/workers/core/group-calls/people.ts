/**
 * The people whom this side rings (docs/calls.md#group-calls): interprets the table of rung people, with a timer for each of them, and
 * says their states to everybody inside by attributes of the conference.
 */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { CALL_TEXTS } from "../../../shared/domain/call-texts.ts";
import { GROUP_CALL_TIMEOUTS } from "../../../shared/domain/group-call.ts";
import {
  type GroupPersonEffect,
  type GroupPersonEvent,
  type GroupPersonSay,
  groupPersonStep,
} from "../../../shared/domain/group-call-person.ts";
import { type ErrorCode, ERROR_CATALOGUE } from "../../../shared/errors.ts";
import {
  ANSWER_ACCEPT,
  type CallAction,
  type CallMessage,
} from "../../../shared/protocol/call-message.ts";
import type { RungPerson } from "../../../shared/protocol/group-call.ts";
import { CALL_CONFIG } from "../calls/config.ts";
import { createSender } from "../calls/sender.ts";
import type { ChatCommands, CoreEnv, Store, Timer } from "../contracts.ts";
import type { ServerTime } from "../server-time.ts";
import type { CallConference, GroupCallState } from "./contracts.ts";
import type { Rung } from "./kept.ts";

/** ms for which changes of states are collected before they are published to all members. */
const SAY_MS = 200;
/** Matches no device, so a confirmation that names it ends the ringing on every device. */
const NO_DEVICE = "-";

interface Person extends Rung {
  timer: Timer | null;
  again: Timer | null;
}

export interface RungPeople {
  invite(userNames: readonly string[]): void;
  /** A message about the call of somebody whom this side rings. Others are ignored. */
  received(message: CallMessage): void;
  /** @param inside chat user names of those in the conference */
  inside(inside: ReadonlySet<string>): void;
  /** Says the states again, as after the conference was entered. */
  sayAll(): void;
  restore(rung: Readonly<Record<string, Rung>>): void;
  /** The call is over on this side. */
  reset(): void;
  /** Stops all timers and leaves the people to the next core. */
  stop(): void;
}

export function createRungPeople(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly serverTime: ServerTime;
  readonly store: Pick<Store, "notice">;
  readonly chat: ChatCommands;
  readonly state: GroupCallState;
  readonly conference: Pick<CallConference, "setAttrs">;
}): RungPeople {
  const { env, store, chat, state } = deps;
  const { clock } = env;
  const { serverTime } = deps;
  const sender = createSender({ env, chat, config: CALL_CONFIG });
  const people = new Map<string, Person>();
  /** Texts that were shown since the last invitation: ten rings are one request. */
  const said = new Set<string>();
  const unsaid = new Set<string>();
  let saying: Timer | null = null;
  let present: ReadonlySet<string> = new Set();

  const keep = (): void =>
    state.keep({
      rung: Object.fromEntries(
        [...people].map(([userName, { state: now, at, deadline, device }]) => [
          userName,
          { state: now, at, deadline, device },
        ]),
      ),
    });
  const sayNow = (): void => {
    saying = null;
    const changes = [...unsaid].flatMap((key) => {
      const person = people.get(key);
      if (person === undefined) return [];
      const val: RungPerson = {
        state: person.state,
        name: chat.nameOf(key),
        by: chat.me() ?? "",
        // the others compare it with their clock
        at: serverTime.fromLocal(person.at),
      };
      return [{ key, val: JSON.stringify(val) }];
    });
    unsaid.clear();
    // Members receive the states with the next change, or when they enter.
    if (changes.length > 0) deps.conference.setAttrs(changes).catch(() => undefined);
  };
  const sayLater = (userName: string): void => {
    unsaid.add(userName);
    saying ??= clock.after(SAY_MS, sayNow);
  };

  const build = (
    userName: string,
    action: CallAction,
    toUserDevId: string,
    answer: { status?: boolean; result?: string } = {},
  ): CallMessage | null => {
    const { info } = state.slice;
    if (info === null) return null;
    return {
      action,
      channel: info.channel,
      callId: info.callId,
      type: CALL_TYPE.group,
      media: info.media,
      fromUser: chat.me() ?? "",
      toUser: userName,
      fromUserDevId: chat.device(),
      toUserDevId,
      ts: serverTime.now(),
      ...answer,
    } as CallMessage;
  };
  const ignore = (): void => undefined;
  /** Calls `run` only while the same call goes on. */
  const guarded = (run: (failed: boolean) => void): ((failed: boolean) => void) => {
    const callId = state.slice.info?.callId;
    return (failed) => {
      if (callId !== undefined && state.slice.info?.callId === callId) run(failed);
    };
  };
  const keepRinging = (userName: string, person: Person): void => {
    person.again?.cancel();
    person.again = clock.after(CALL_CONFIG.ringRetryMillis, () => {
      sender.send(build(userName, "sendRing", ""), ignore);
      keepRinging(userName, person);
    });
  };
  const wait = (userName: string, person: Person, ms: number): void => {
    person.timer?.cancel();
    person.timer = clock.after(ms, () => dispatch(userName, { type: "timeout" }));
  };
  const notice = (code: ErrorCode): void =>
    store.notice({ style: "error", text: ERROR_CATALOGUE[code].zh, key: code, code });
  const notifyPerson = (name: GroupPersonSay): void => {
    if (said.has(name)) return;
    said.add(name);
    const { style, text } = CALL_TEXTS[name];
    store.notice({ style, text, key: name, topic: "call" });
  };

  type Plain = Exclude<GroupPersonEffect, GroupPersonSay>;
  const effects: Record<
    Plain,
    (userName: string, person: Person, event: GroupPersonEvent) => void
  > = {
    sendRing(userName, person) {
      sender.send(
        build(userName, "sendRing", ""),
        guarded((failed) =>
          dispatch(
            userName,
            failed
              ? { type: "ringSendFailed", code: "call.ring-send-failed" }
              : { type: "ringSent" },
          ),
        ),
      );
      keepRinging(userName, person);
    },
    stopRinging(_userName, person) {
      person.again?.cancel();
      person.again = null;
    },
    sendConfirm(userName, person, event) {
      if (event.type !== "rxAnswer") return;
      person.device = event.message.fromUserDevId;
      sender.send(
        build(userName, "confirmAnswer", person.device, { result: ANSWER_ACCEPT }),
        guarded((failed) => {
          if (failed) {
            dispatch(userName, { type: "confirmSendFailed", code: "call.confirm-send-failed" });
          }
        }),
      );
    },
    sendTaken: (userName) =>
      sender.send(build(userName, "confirmAnswer", NO_DEVICE, { result: ANSWER_ACCEPT }), ignore),
    sendCancel: (userName) => sender.send(build(userName, "cancelCall", ""), ignore),
    ringTimer(userName, person) {
      person.deadline = clock.now() + GROUP_CALL_TIMEOUTS.ring;
      wait(userName, person, GROUP_CALL_TIMEOUTS.ring);
    },
    clearTimer(_userName, person) {
      person.timer?.cancel();
      person.timer = null;
      person.deadline = null;
    },
    sayFailure(_userName, _person, event) {
      if ("code" in event) notice(event.code);
    },
  };

  const rings = (person: Person): boolean =>
    person.state === "invited" || person.state === "ringing";
  const lastHope = (userName: string): boolean => {
    const me = chat.me();
    const others = [...people].some(([name, person]) => name !== userName && rings(person));
    return !others && ![...present].some((name) => name !== me);
  };

  function dispatch(userName: string, event: GroupPersonEvent): void {
    const person = people.get(userName);
    const { info } = state.slice;
    if (person === undefined || info === null) return;
    const context = { call: info, lastHope: lastHope(userName) };
    const step = groupPersonStep(person.state, context, event);
    if (step.rule < 0) return;
    if (step.to !== person.state) {
      person.state = step.to;
      person.at = clock.now();
      sayLater(userName);
    }
    for (const effect of step.effects) {
      if (effect in CALL_TEXTS) notifyPerson(effect as GroupPersonSay);
      else effects[effect as Plain](userName, person, event);
    }
    keep();
  }

  const stopTimers = (): void => {
    for (const person of people.values()) {
      person.timer?.cancel();
      person.again?.cancel();
    }
    saying?.cancel();
    saying = null;
  };

  return {
    invite(userNames) {
      said.clear();
      for (const userName of userNames) {
        if (!people.has(userName)) {
          const fresh: Rung = { state: "none", at: clock.now(), deadline: null, device: "" };
          people.set(userName, { ...fresh, timer: null, again: null });
        }
        if (present.has(userName)) dispatch(userName, { type: "entered" });
        else dispatch(userName, { type: "invite" });
      }
    },
    received(message) {
      if (message.action === "confirmRing") {
        dispatch(message.fromUser, { type: "rxConfirmRing", message });
      } else if (message.action === "sendAnswer") {
        dispatch(message.fromUser, { type: "rxAnswer", message });
      }
    },
    inside(now) {
      const before = present;
      present = now;
      for (const userName of people.keys()) {
        if (now.has(userName) && !before.has(userName)) dispatch(userName, { type: "entered" });
        if (!now.has(userName) && before.has(userName)) dispatch(userName, { type: "gone" });
      }
    },
    sayAll() {
      for (const userName of people.keys()) sayLater(userName);
    },
    restore(rung) {
      for (const [userName, kept] of Object.entries(rung)) {
        const person: Person = { ...kept, timer: null, again: null };
        people.set(userName, person);
        if (person.state === "invited") keepRinging(userName, person);
        if (rings(person) && person.deadline !== null) {
          wait(userName, person, Math.max(0, person.deadline - clock.now()));
        }
      }
    },
    reset() {
      stopTimers();
      people.clear();
      unsaid.clear();
      said.clear();
      present = new Set();
    },
    stop() {
      stopTimers();
      sender.stop();
    },
  };
}
