/**
 * The controlled side: another member asks for the own shared screen, this person agrees, and the tab that shares the screen executes the
 * input (docs/conferences.md#control-of-a-screen). The table is shared/domain/controlled-screen.ts.
 */
import {
  type ControlledEffect,
  type ControlledEvent,
  controlledStep,
  type ControlSender,
} from "../../../../shared/domain/controlled-screen.ts";
import {
  CONTROL_EVENT,
  type ControlEnd,
  type ControlledState,
} from "../../../../shared/domain/remote-control.ts";
import { CONFERENCE_REFUSALS } from "../../../../shared/domain/conference-refusals.ts";
import { CONFR_RESULT } from "../../../../shared/protocol/confr-signalling.ts";
import {
  type ControlCounts,
  type PanelArg,
  readActions,
} from "../../../../shared/protocol/remote-control.ts";
import { RESULT } from "../../../../shared/protocol/signalling.ts";
import { createRestartableTimer } from "../../restartable-timer.ts";
import type { MemberRequest } from "../member-requests.ts";
import { invalid } from "../rules.ts";
import { argOf, type ControlDeps, nameOf, type Other, patchControl, sayEnd } from "./wire.ts";

/** What a message of a controller is to the table, by its `evt`. */
const TYPES = {
  [CONTROL_EVENT.input]: "input",
  [CONTROL_EVENT.ask]: "ask",
  [CONTROL_EVENT.release]: "release",
  [CONTROL_EVENT.keepAlive]: "keepAlive",
} as const;

export interface ControlledScreen {
  /** A message of another member about the own screen. */
  requested(request: MemberRequest, arg: PanelArg & { readonly evt: keyof typeof TYPES }): void;
  /** The tab that shares the screen can execute input, or cannot any more. */
  able(able: boolean): void;
  /** Another tab owns the media. */
  moved(): void;
  removed(streamId: string): void;
  gone(memId: string): void;
  /** The session or the conference is over. */
  over(): void;
  /** @throws AppError conference.invalid 'Other has been controled.' */
  answer(id: string, agree: boolean): void;
  stop(): void;
}

const NO_COUNTS: ControlCounts = { executed: 0, late: 0, missing: 0, bad: 0 };
interface Control {
  readonly by: ControlSender;
  readonly other: Other;
  readonly request: MemberRequest;
  readonly id: string;
}

export function createControlledScreen(deps: ControlDeps): ControlledScreen {
  const { env, config, model } = deps;
  let state: ControlledState = "free";
  let able = false;
  let control: Control | null = null;
  let counts = NO_COUNTS;
  /** The highest number that was executed. */
  let lastSn = 0;
  let heardAt = 0;
  /** Requests that wait for their answers. */
  let unanswered: { readonly request: MemberRequest; readonly sn: number }[] = [];
  const answering = createRestartableTimer(env.clock);
  const expiry = createRestartableTimer(env.clock);
  const check = createRestartableTimer(env.clock);

  const show = (): void => {
    const { id = "", other: by = null } = control ?? {};
    patchControl(model, { screen: { state, id, by, since: env.clock.now() } });
  };
  const answerAll = (): void => {
    answering.cancel();
    const all = unanswered;
    unanswered = [];
    for (const { request, sn } of all) request.answer(RESULT.ok, { sn });
  };
  function watch(): void {
    check.start(config.ctrlCheckIntervalMillis, () => {
      if (env.clock.now() - heardAt > config.ctrlTimeoutMillis) on({ type: "silent" });
      else watch();
    });
  }
  function execute(given: readonly unknown[], request: MemberRequest): void {
    const { actions, bad } = readActions(given);
    if (bad > 0 && counts.bad === 0)
      env.log("conferences", "warn", "control: an action without a whole sn, or unreadable");
    const fresh = actions.filter(({ sn }) => {
      if (sn <= lastSn) return false;
      counts = { ...counts, missing: counts.missing + sn - lastSn - 1 };
      lastSn = sn;
      return true;
    });
    counts = {
      ...counts,
      executed: counts.executed + fresh.length,
      late: counts.late + actions.length - fresh.length,
      bad: counts.bad + bad,
    };
    if (fresh.length > 0) deps.toTab({ t: "control-input", actions: fresh });
    unanswered.push({ request, sn: actions.at(-1)?.sn ?? 0 });
    if (!answering.pending) answering.start(config.ctrlAnswerMillis, answerAll);
  }
  /** The state has changed already; `was` is what ended. */
  function freed(was: Control | null, why: ControlEnd, asked: boolean): void {
    if (was === null) return;
    const { other, id } = was;
    patchControl(model, { freed: { ...other, id, why, counts } });
    // A request that nobody answered is no news.
    if (!asked) sayEnd(deps, "controlled", why, other.nickName);
  }

  function on(
    event: ControlledEvent,
    received?: { readonly request: MemberRequest; readonly arg: PanelArg },
  ): void {
    const was = control;
    const step = controlledStep(state, { able, by: control?.by ?? null }, event);
    state = step.to;
    if (state === "free") control = null;
    for (const effect of step.effects) run(effect, was, step.from === "asked", received);
    if (step.from !== step.to || control !== was) show();
  }
  function run(
    effect: ControlledEffect,
    was: Control | null,
    asked: boolean,
    received?: { readonly request: MemberRequest; readonly arg: PanelArg },
  ): void {
    const answer = (result: number): void => {
      const { cId = "" } = received?.arg ?? {};
      received?.request.answer(result, { cId, sn: lastSn });
    };
    switch (effect) {
      case "answerOk":
        return answer(RESULT.ok);
      case "answerRejected":
        return answer(CONFR_RESULT.controlRejected);
      case "answerBusy":
        return answer(CONFR_RESULT.controlBusy);
      case "answerNotAllowed":
        return answer(RESULT.notAllowed);
      case "keepRequest":
        if (received === undefined) return;
        control = controlOf(received);
        counts = NO_COUNTS;
        return expiry.start(config.requestLifeMillis, () => on({ type: "expire" }));
      case "acceptRequest":
        return was?.request.answer(RESULT.ok, { cId: was.by.cId });
      case "rejectRequest":
        expiry.cancel();
        return was?.request.answer(CONFR_RESULT.controlRejected, { cId: was.by.cId });
      case "replace":
        if (received === undefined || was === null) return;
        // The person has agreed already: the control goes on, with new numbers.
        control = { ...controlOf(received), id: was.id };
        [lastSn, heardAt] = [0, env.clock.now()];
        return;
      case "begin": {
        expiry.cancel();
        [lastSn, heardAt] = [0, env.clock.now()];
        if (was !== null) deps.toTab({ t: "control-begin", ...was.other });
        return watch();
      }
      case "execute":
        return received === undefined ? undefined : execute(received.arg.actions, received.request);
      case "heard":
        heardAt = env.clock.now();
        return;
      case "end":
        check.cancel();
        answerAll();
        return deps.toTab({ t: "control-end" });
      case "tellController": {
        if (was === null || !deps.reachable()) return;
        const { by, other } = was;
        const arg = argOf(CONTROL_EVENT.stopped, other.streamId, by.cId);
        void deps.requests.ask(by.memId, arg, { millis: config.requestTimeout });
        return;
      }
      case "sayReleased":
        expiry.cancel();
        return freed(was, "released", asked);
      case "sayStopped":
        return freed(was, "stopped", asked);
      case "sayLate":
        return freed(was, "late", asked);
      case "sayGone":
        expiry.cancel();
        return freed(was, "gone", asked);
    }
  }
  function controlOf(received: {
    readonly request: MemberRequest;
    readonly arg: PanelArg;
  }): Control {
    const { memId, tsxId } = received.request;
    const { cId, streamId } = received.arg;
    const memName = model.slice.members[memId]?.memName ?? memId;
    return {
      by: { memId, memName, cId },
      other: { streamId, memId, nickName: nameOf(model, memId) },
      request: received.request,
      id: tsxId,
    };
  }

  return {
    requested(request, arg) {
      const member = model.slice.members[request.memId];
      if (member === undefined || arg.streamId !== deps.ownScreen()) {
        return request.answer(RESULT.notAllowed, { cId: arg.cId });
      }
      const { memId, memName } = member;
      on({ type: TYPES[arg.evt], from: { memId, memName, cId: arg.cId } }, { request, arg });
    },
    able(now) {
      able = now;
      if (model.slice.control.able !== now) patchControl(model, { able: now });
      if (!now) on({ type: "unshared" });
    },
    moved() {
      able = false;
      if (model.slice.control.able) patchControl(model, { able: false });
      on({ type: "moved" });
    },
    removed(streamId) {
      if (control?.other.streamId === streamId) on({ type: "unshared" });
    },
    gone: (memId) => on({ type: "memberGone", memId }),
    over: () => on({ type: "over" }),
    answer(id, agree) {
      if (state === "asked" && control?.id === id) return on({ type: agree ? "agree" : "refuse" });
      if (state === "controlled" && agree && control?.id !== id) {
        throw invalid(CONFERENCE_REFUSALS.controlled, "屏幕正被他人控制");
      }
    },
    stop: () => on({ type: "stop" }),
  };
}
