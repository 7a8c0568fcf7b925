/**
 * The controller: this person asks for another's shared screen, and sends mouse and keyboard while it is granted
 * (docs/conferences.md#control-of-a-screen). The table is shared/domain/screen-controller.ts.
 */
import { CONFERENCE_REFUSALS } from "../../../../shared/domain/conference-refusals.ts";
import { STREAM_TYPE } from "../../../../shared/domain/conference-types.ts";
import {
  CONTROL_EVENT,
  type ControlEnd,
  type ControllerState,
} from "../../../../shared/domain/remote-control.ts";
import {
  type ControllerEffect,
  type ControllerEventType,
  controllerStep,
} from "../../../../shared/domain/screen-controller.ts";
import { CONFR_RESULT, REQUIRED_OPS } from "../../../../shared/protocol/confr-signalling.ts";
import type { ControlInput, PanelArg } from "../../../../shared/protocol/remote-control.ts";
import { OP, RESULT } from "../../../../shared/protocol/signalling.ts";
import { createRestartableTimer } from "../../restartable-timer.ts";
import type { MemberAnswer, MemberRequest } from "../member-requests.ts";
import { invalid, showsPicture, TEXTS } from "../rules.ts";
import { createControlSender, type ControlSender } from "./sender.ts";
import {
  argOf,
  controlIdOf,
  type ControlDeps,
  nameOf,
  type Other,
  patchControl,
  sayEnd,
} from "./wire.ts";

export interface ScreenController {
  /** @throws AppError conference.invalid for a stream that cannot be asked for */
  ask(streamId: string): void;
  send(streamId: string, actions: readonly ControlInput[]): void;
  release(): void;
  /** The controlled side says that it has ended the control. */
  endedThere(request: MemberRequest, arg: PanelArg): void;
  removed(streamId: string): void;
  gone(memId: string): void;
  over(): void;
}

const ENDS: Partial<Record<ControllerEffect, ControlEnd>> = {
  sayRejected: "rejected",
  sayBusy: "busy",
  sayNotAllowed: "notAllowed",
  sayLate: "late",
  sayReleased: "released",
  sayStopped: "stopped",
  sayGone: "gone",
};
const NEEDED = [REQUIRED_OPS.panel, OP.message];

const KNOWN: readonly number[] = [
  RESULT.ok,
  CONFR_RESULT.controlRejected,
  CONFR_RESULT.controlBusy,
  RESULT.requestTimeout,
  RESULT.notAllowed,
  RESULT.notFound,
];

/** What an answer to a request means. */
export function meaningOf({
  result,
  by,
}: Pick<MemberAnswer, "result" | "by">): ControllerEventType {
  if (result === RESULT.ok) return "accepted";
  if (result === CONFR_RESULT.controlRejected) return "rejected";
  if (result === CONFR_RESULT.controlBusy) return "busy";
  if (result === RESULT.requestTimeout) return "late";
  if (by === "nobody") return "gone";
  // -405, -507, and any result that nobody knows.
  return "notAllowed";
}

export function createScreenController(deps: ControlDeps): ScreenController {
  const { env, config, model, requests } = deps;
  let state: ControllerState = "idle";
  let control: { readonly of: Other; readonly cId: string } | null = null;
  let sender: ControlSender | null = null;
  let answeredAt = 0;
  const check = createRestartableTimer(env.clock);

  const show = (): void => {
    patchControl(model, { own: { state, of: control?.of ?? null } });
  };
  /** The answers of a former control count no more. */
  const isCurrent = (cId: string): boolean => control?.cId === cId;
  function watch(): void {
    check.start(config.ctrlCheckIntervalMillis, () => {
      if (control === null) return;
      const { of, cId } = control;
      if (model.slice.streams[of.streamId]?.video !== true) return on("gone");
      if (env.clock.now() - answeredAt > config.ctrlTimeoutMillis) return on("silent");
      if (deps.reachable()) void sendTo(CONTROL_EVENT.keepAlive, of, cId).then(heard(cId));
      watch();
    });
  }
  const sendTo = (
    evt: Parameters<typeof argOf>[0],
    { streamId, memId }: Other,
    cId: string,
    more: Readonly<Record<string, unknown>> = {},
    millis = config.requestTimeout,
  ): Promise<MemberAnswer> =>
    requests.ask(memId, { ...argOf(evt, streamId, cId), ...more }, { millis });
  const heard =
    (cId: string) =>
    (answer: MemberAnswer): void => {
      if (!isCurrent(cId) || state !== "controlling") return;
      const meaning = read(answer);
      if (meaning === "accepted") answeredAt = env.clock.now();
      // Without an answer the check decides.
      else if (meaning !== "late" && answer.by !== "nobody") on(meaning);
    };

  const read = (answer: MemberAnswer): ControllerEventType => {
    if (answer.by !== "nobody" && !KNOWN.includes(answer.result))
      env.log("conferences", "warn", `control: unknown result ${answer.result}`);
    return meaningOf(answer);
  };

  function on(type: ControllerEventType, next: Other | null = null): void {
    const was = control;
    const step = controllerStep(state, type);
    state = step.to;
    if (state === "idle") control = null;
    for (const effect of step.effects) run(effect, was, next);
    if (step.from !== step.to || control !== was) show();
  }
  function run(effect: ControllerEffect, was: typeof control, next: Other | null): void {
    const why = ENDS[effect];
    if (why !== undefined) {
      if (was === null) return;
      patchControl(model, { ended: { ...was.of, id: was.cId, why } });
      return sayEnd(deps, "control", why, was.of.nickName);
    }
    switch (effect) {
      case "sendAsk": {
        if (next === null) return;
        const cId = controlIdOf(env.newId());
        control = { of: next, cId };
        void sendTo(CONTROL_EVENT.ask, next, cId, {}, config.requestLifeMillis).then((answer) => {
          if (isCurrent(cId) && state === "asking") on(read(answer));
        });
        return;
      }
      case "sendRelease":
        if (was !== null && deps.reachable()) void sendTo(CONTROL_EVENT.release, was.of, was.cId);
        return;
      case "begin": {
        if (was === null) return;
        const { of, cId } = was;
        answeredAt = env.clock.now();
        sender = createControlSender({
          env,
          config,
          reachable: deps.reachable,
          send: (actions) =>
            sendTo(CONTROL_EVENT.input, of, cId, { actions }, config.ctrlLostMillis).then(
              heard(cId),
            ),
        });
        return watch();
      }
      case "end":
        sender?.stop();
        sender = null;
        return check.cancel();
      default:
        return;
    }
  }

  return {
    ask(streamId) {
      const stream = model.slice.streams[streamId];
      if (stream === undefined || stream.located || stream.type !== STREAM_TYPE.screen) {
        throw invalid(TEXTS.badStream, "只能请求控制他人共享的屏幕");
      }
      if (!showsPicture(stream)) {
        throw invalid(CONFERENCE_REFUSALS.notSubscribed, "请先接收该屏幕的画面，再请求控制");
      }
      const { memId } = stream;
      const other = { streamId, memId, nickName: nameOf(model, memId) };
      const accepts = model.slice.members[memId]?.acptOps ?? [];
      if (NEEDED.every((op) => accepts.includes(op))) return on("ask", other);
      patchControl(model, { ended: { ...other, id: env.newId(), why: "notAllowed" } });
      sayEnd(deps, "control", "notAllowed", other.nickName);
    },
    send(streamId, actions) {
      if (control?.of.streamId !== streamId || state !== "controlling") return;
      if (model.slice.streams[streamId]?.video === true) sender?.put(actions);
      else on("gone");
    },
    release: () => on("release"),
    endedThere(request, arg) {
      const ours =
        control !== null &&
        control.of.memId === request.memId &&
        control.of.streamId === arg.streamId &&
        control.cId === arg.cId;
      request.answer(ours ? RESULT.ok : RESULT.notAllowed, { cId: arg.cId });
      if (ours) on("stopped");
    },
    removed(streamId) {
      if (control?.of.streamId === streamId) on("gone");
    },
    gone(memId) {
      if (control?.of.memId === memId) on("gone");
    },
    over: () => on("gone"),
  };
}
