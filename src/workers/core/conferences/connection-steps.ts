/** Moves the connections of a conference through the connection table and runs its effects: timers, commands to the tab, negotiation. */
import {
  conferenceConnectionTable,
  type ConferenceConnectionEffect,
  type ConferenceConnectionEvent,
  conferenceConnectionGuards,
} from "../../../shared/domain/conference-connection.ts";
import type { ConferenceConnectionState } from "../../../shared/domain/conference-states.ts";
import { step } from "../../../shared/domain/machine.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv } from "../contracts.ts";
import { createBuilding } from "./building.ts";
import type { ConferenceConfig } from "./config.ts";
import type { Connection, Wish } from "./connection.ts";
import { createNegotiation, type Negotiation, type NegotiationDeps } from "./negotiation.ts";
import type { Answer } from "./session.ts";

/** After so many failed series the time of an attempt grows no further. */
const MOST_PATIENCE = 3;

/** All connections of a conference. */
export interface ConnectionSet {
  readonly byKey: Map<string, Connection>;
  readonly byRtcId: Map<string, Connection>;
}

export type StepsDeps = Pick<
  NegotiationDeps,
  "ask" | "sendWithoutAnswer" | "command" | "own" | "settings" | "reachable"
> & {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly config: ConferenceConfig;
  readonly onPublished: NegotiationDeps["onPublished"];
  readonly onState: (key: string, state: ConferenceConnectionState) => void;
  /** Reports push-success or sub-success (docs/conferences.md#connections), once per connection. */
  readonly onUp: (wish: Wish, rtcId: string) => void;
  /** The server refused, and another attempt would not change that, as with a limit of the conference. */
  readonly onRefused: (one: Connection, answer: Answer, endReason: number | null) => void;
  /** Reports push-fail or sub-fail (docs/conferences.md#connections). */
  readonly onFailed: (wish: Wish) => void;
};

export interface Steps {
  readonly negotiation: Negotiation;
  dispatch(one: Connection, type: ConferenceConnectionEvent["type"]): void;
  /** Names the connection for the tab. An earlier name is forgotten. */
  name(one: Connection, rtcId: string | null): void;
  cancelTimer(one: Connection): void;
}

export function createSteps(deps: StepsDeps, { byKey, byRtcId }: ConnectionSet): Steps {
  const { env, config } = deps;
  const building = createBuilding(config.buildAtOnce);
  const negotiation = createNegotiation({
    ...deps,
    isKnown: (one) => byKey.get(one.key) === one,
    dispatch,
  });

  function dispatch(one: Connection, type: ConferenceConnectionEvent["type"]): void {
    const context = {
      rebuilds: one.rebuilds,
      maxRebuilds: config.iceRebuildCount,
      // The time to come up begins with the place.
      reachable: deps.reachable() && !building.waits(one),
    };
    const found = step(conferenceConnectionTable, conferenceConnectionGuards, one.state, context, {
      type,
    });
    if (found.rule < 0) return;
    const before = one.state;
    one.state = found.to;
    for (const effect of found.effects) run(one, effect);
    if (one.state !== "connecting") building.leave(one);
    if (one.state !== before) deps.onState(one.key, one.state);
  }
  const cancelTimer = (one: Connection): void => {
    one.timer?.cancel();
    one.timer = null;
  };
  const arm = (one: Connection, ms: number): void => {
    cancelTimer(one);
    one.timer = env.clock.after(ms, () => {
      one.timer = null;
      dispatch(one, "tick");
    });
  };
  const name = (one: Connection, rtcId: string | null): void => {
    if (one.rtcId !== null) byRtcId.delete(one.rtcId);
    one.rtcId = rtcId;
    if (rtcId !== null) byRtcId.set(rtcId, one);
  };
  const close = (one: Connection): void => {
    one.turn += 1;
    const { rtcId, wish } = one;
    const isKnown = !building.waits(one);
    building.leave(one);
    if (rtcId === null) return;
    name(one, null);
    if (!isKnown) return;
    deps.command({ t: "close", rtcId });
    // A rebuilt publisher keeps its stream: the server drops the old connection when the new one arrives.
    if (wish.kind === "sub")
      deps.sendWithoutAnswer({ op: OP.unsubscribe, rtcId, subSId: wish.stream.id });
  };

  const TIMERS: Partial<Record<ConferenceConnectionEffect, number>> = {
    buildTimer: config.iceWaitBuildMillis,
    weakTimer: config.networkWeakMillis,
    restartTimer: config.iceRestartDelayMillis,
    restartWaitTimer: config.iceRestartTimeoutMillis,
    rebuildTimer: config.iceRebuildIntervalMillis,
    codecTimer: config.codecSwitchMillis,
    retryTimer: config.retryFailedMillis,
  };
  function run(one: Connection, effect: ConferenceConnectionEffect): void {
    const ms = TIMERS[effect];
    // After a failed series an attempt may take longer: what keeps a machine busy may be the attempts.
    const patience = effect === "buildTimer" ? 1 + Math.min(one.failures, MOST_PATIENCE) : 1;
    if (ms !== undefined) return arm(one, ms * patience);
    switch (effect) {
      case "open": {
        const rtcId = env.newId().replaceAll("-", "").slice(0, 32);
        name(one, rtcId);
        return building.enter(one, () => {
          negotiation.begin(one, rtcId, false);
          run(one, "buildTimer");
        });
      }
      case "close":
        return close(one);
      case "askRestart":
        if (one.rtcId === null) return;
        return negotiation.begin(one, one.rtcId, true);
      case "countRebuild":
        one.rebuilds += 1;
        return;
      case "forgetRebuilds":
        one.rebuilds = 0;
        return;
      case "clearTimer":
        return cancelTimer(one);
      case "tellUp":
        one.rebuilds = 0;
        one.failures = 0;
        if (one.rtcId !== null) deps.onUp(one.wish, one.rtcId);
        return;
      case "tellFailed":
        one.failures += 1;
        return deps.onFailed(one.wish);
    }
  }

  return { negotiation, dispatch, name, cancelTimer };
}
