/**
 * A call of two becomes a group call (docs/calls.md#adding-people): interprets the table of shared/domain/call-growth. The two sides talk
 * over the call's signalling session. The media stay in the call's owner tab, which carries the call and the conference together until both
 * sides have sound and picture by way of the conference. A core that dies meanwhile leaves the call of two as it is.
 */
import {
  GROWTH_TIMEOUTS,
  type GrowthEffect,
  type GrowthEvent,
  type GrowthState,
  growthStep,
} from "../../../shared/domain/call-growth.ts";
import { noticeIn } from "../../../shared/domain/notice-texts.ts";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import type { GrowthMessage } from "../../../shared/protocol/call-growth.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";
import type { Calls } from "../calls/index.ts";
import type { CoreEnv, Store, Timer } from "../contracts.ts";
import type { GrownFrom } from "../group-calls/contracts.ts";
import type { GroupCalls } from "../group-calls/index.ts";
import { createRestartableTimer } from "../restartable-timer.ts";

/** A message without an answer is sent again after `ms`, `times` times, because the other side's socket may be lost for a moment. */
const AGAIN = { ms: 1_000, times: 10 } as const;

export interface CallGrowthDeps {
  readonly env: Pick<CoreEnv, "clock">;
  readonly store: Pick<Store, "get" | "notice">;
  readonly call: Pick<Calls, "ready" | "codecs" | "tellGrowth" | "grown">;
  readonly group: Pick<GroupCalls, "ready" | "grow" | "leave">;
  readonly conference: {
    /** Whether everything that this member sends arrives here. */
    receives(memName: string): boolean;
    /** Whether a tile shows this member's picture, if one is sent. */
    shows(memName: string): boolean;
    /** Microphone and camera of the conference. */
    setLocal(local: { readonly audioMuted: boolean; readonly videoOff: boolean }): Promise<unknown>;
    onChange(handler: () => void): () => void;
  };
}

export interface CallGrowth {
  readonly grow: Handlers<"groupCall">["grow"];
  /** Whether the call of two becomes a group call just now. */
  readonly running: boolean;
  received(message: GrowthMessage): void;
  /** The person is about to hang up. */
  hangup(): void;
  /** The call of two is over. */
  callClosed(): void;
  /** The person has turned a device of the call on or off. */
  localChanged(): void;
  stop(): void;
}

const MOVING: readonly GrowthState[] = ["moving", "ownUp", "peerUp", "bothUp"];

interface Asked {
  readonly people: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: AppError) => void;
}

export function createCallGrowth(deps: CallGrowthDeps): CallGrowth {
  const { env, store, call, group, conference } = deps;
  let state: GrowthState = "idle";
  /** Raised with each growth, so that what an earlier one left behind is dropped. */
  let generation = 0;
  /** The command on this side; null on the side that follows. */
  let asked: Asked | null = null;
  let made: { readonly channel: string; readonly callId: string } | null = null;
  let peer: CallSlice["peer"] = null;
  /** This side has been in the group call, and left it if that is idle again. */
  let entered = false;
  /** The other side knows that this side has sound and picture by way of the conference. */
  let heard = false;
  const timer = createRestartableTimer(env.clock);
  /** Runs while both are inside and nothing has come of the other side. */
  const silent = createRestartableTimer(env.clock);
  /** Runs while the other side's picture comes and no tile shows it. */
  const unseen = createRestartableTimer(env.clock);
  const resending = new Set<Timer>();

  const calling = (): Readonly<CallSlice> => store.get("call");
  const able = (): boolean => {
    const { status, owner } = calling();
    return status === "chat" && owner?.ready === true && store.get("groupCall").status === "idle";
  };
  const inConference = (): boolean => {
    const { info } = store.get("groupCall");
    const slice = store.get("conference");
    return slice.status === "joined" && slice.info?.confrId === info?.channel;
  };
  const peerInside = (): boolean =>
    peer !== null &&
    inConference() &&
    Object.values(store.get("conference").members).some(
      ({ memName }) => memName === peer?.userName,
    );

  /** @param times how often it is sent again while the other side is not reached */
  function sendGrowth(body: GrowthMessage, times: number = AGAIN.times): void {
    const ownGeneration = generation;
    void call.tellGrowth(body).then((reached) => {
      if (ownGeneration !== generation) return;
      if (reached && body.step === "up") {
        heard = true;
        dispatch({ type: "upHeard" });
      }
      if (reached) return;
      if (times === 0) return body.step === "ask" ? dispatch({ type: "askFailed" }) : undefined;
      const again = env.clock.after(AGAIN.ms, () => {
        resending.delete(again);
        sendGrowth(body, times - 1);
      });
      resending.add(again);
    });
  }
  const refuse = (code: ErrorCode): void => {
    asked?.reject(new AppError(code));
    asked = null;
  };
  const clear = (): void => {
    timer.cancel();
    silent.cancel();
    unseen.cancel();
    for (const again of resending) again.cancel();
    resending.clear();
  };

  const from = (): GrownFrom => ({
    peer: peer?.userName ?? "",
    get audioMuted() {
      return calling().local.audioMuted;
    },
    get videoOff() {
      return calling().local.videoOff;
    },
    made(named) {
      made = named;
      dispatch({ type: "made" });
    },
  });
  function enter(growing: Parameters<GroupCalls["grow"]>[0]): void {
    const ownGeneration = generation;
    const tabId = calling().owner?.tabId ?? "";
    group.grow(growing, tabId, from()).then(
      () => {
        if (ownGeneration === generation) look();
      },
      (reason: unknown) => {
        const { code } = AppError.from(reason, "call.growth-failed");
        if (ownGeneration === generation) dispatch({ type: "conferenceFailed", code });
      },
    );
  }
  const media = (): "voice" | "video" => calling().info?.media ?? "voice";

  const effects: Record<GrowthEffect, (event: GrowthEvent) => void> = {
    sendAsk: () => sendGrowth({ step: "ask" }, 0),
    sendAgree: () => sendGrowth({ step: "agree" }),
    sendRefuse: () => sendGrowth({ step: "refuse" }),
    sendConference: () => made !== null && sendGrowth({ step: "room", ...made }),
    sendUp: () => sendGrowth({ step: "up" }),
    sendStop: () => sendGrowth({ step: "stop" }, 0),
    makeConference() {
      if (asked === null) return;
      enter({ people: asked.people, codecs: call.codecs(), media: media() });
    },
    enterConference(event) {
      if (event.type !== "rxConference") return;
      const { channel, callId } = event;
      enter({ channel, callId, by: peer?.userName ?? "", codecs: call.codecs(), media: media() });
    },
    leaveConference: () => group.leave(),
    closeCall: () => call.grown(),
    askTimer: () => timer.start(GROWTH_TIMEOUTS.ask, () => dispatch({ type: "timeout" })),
    moveTimer: () => timer.start(GROWTH_TIMEOUTS.move, () => dispatch({ type: "timeout" })),
    clearTimer: clear,
    settle() {
      asked?.resolve();
    },
    refuseOver: () => refuse("call.over"),
    refuseBusy: () => refuse("call.growth-running"),
    refuseOld: () => refuse("call.peer-old"),
    refuseFailed: (event) => refuse("code" in event ? event.code : "call.growth-failed"),
    sayGrown() {
      if (asked !== null) return;
      const key = "call-grown";
      const args = { name: peer?.name ?? "" };
      store.notice({ style: "info", text: noticeIn("zh", key, args) ?? "", key, args });
    },
  };

  const queue: GrowthEvent[] = [];
  let handling = false;
  function handle(event: GrowthEvent): void {
    const context = {
      able: able(),
      caller: calling().direction === "out",
      peerInside: peerInside(),
      heard,
    };
    const step = growthStep(state, context, event);
    if (step.rule < 0) return;
    if (state === "idle" && step.to !== "idle") {
      generation += 1;
      made = null;
      entered = false;
      heard = false;
      ({ peer } = calling());
    }
    state = step.to;
    for (const effect of step.effects) effects[effect](event);
    if (state === "idle") {
      asked = null;
      generation += 1;
    }
  }
  function dispatch(event: GrowthEvent): void {
    queue.push(event);
    if (handling) return;
    handling = true;
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) handle(next);
    } finally {
      handling = false;
    }
  }

  /** Looks whether the conference carries sound and picture of the other side. */
  function look(): void {
    if (!MOVING.includes(state)) return;
    if (store.get("groupCall").status !== "idle") entered = true;
    else if (entered) return dispatch({ type: "conferenceFailed", code: "call.growth-failed" });
    if (!inConference()) return;
    sameDevices();
    if (!peerInside()) {
      unseen.cancel();
      return silent.cancel();
    }
    const name = peer?.userName ?? "";
    const comes = conference.receives(name);
    if (comes && conference.shows(name)) return dispatch({ type: "up" });
    if (comes && !unseen.pending) {
      unseen.start(GROWTH_TIMEOUTS.unseen, () => dispatch({ type: "up" }));
    }
    // Without devices the other side publishes nothing.
    if (!silent.pending) silent.start(GROWTH_TIMEOUTS.silent, () => dispatch({ type: "up" }));
  }
  /** What the person turned off in the call stays off in the conference. */
  function sameDevices(): void {
    const { audioMuted, videoOff: off } = calling().local;
    const videoOff = off || media() === "voice";
    const { local } = store.get("conference");
    if (local.audioMuted === audioMuted && local.videoOff === videoOff) return;
    conference.setLocal({ audioMuted, videoOff }).catch(() => undefined);
  }
  const stopChange = conference.onChange(look);

  // The call of an earlier core goes on as a call of two.
  void Promise.all([call.ready, group.ready]).then(() => {
    if (state === "idle" && calling().status === "chat") group.leave();
  });

  return {
    async grow({ people }) {
      await call.ready;
      if (calling().status !== "chat") throw new AppError("call.not-active");
      if (people.includes(calling().peer?.userName ?? "")) throw new AppError("call.self");
      if (state !== "idle") throw new AppError("call.growth-running");
      await new Promise<void>((resolve, reject) => {
        asked = { people, resolve, reject };
        dispatch({ type: "add", people });
      });
      return null;
    },
    get running() {
      return state !== "idle";
    },
    received(message) {
      switch (message.step) {
        case "ask":
          return dispatch({ type: "rxAsk" });
        case "agree":
          return dispatch({ type: "rxAgree" });
        case "refuse":
          return dispatch({ type: "rxRefuse" });
        case "room":
          return dispatch({
            type: "rxConference",
            channel: message.channel,
            callId: message.callId,
          });
        case "up":
          return dispatch({ type: "rxUp" });
        case "stop":
          return dispatch({ type: "rxStop" });
      }
    },
    hangup: () => dispatch({ type: "hangup" }),
    callClosed: () => dispatch({ type: "callEnded" }),
    localChanged: look,
    stop() {
      stopChange();
      clear();
      generation += 1;
    },
  };
}
