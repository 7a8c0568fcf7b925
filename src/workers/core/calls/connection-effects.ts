/** The effects of the table of shared/domain/call-connection: what each does to the state, the owner tab, the other side and the timer. */
import type {
  CallConnectionEffect,
  CallConnectionEvent,
} from "../../../shared/domain/call-connection.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import type { CallConfig } from "./config.ts";
import {
  type Connection,
  newConnection,
  replaceConnection,
  settleConnection,
} from "./connection-state.ts";
import type { EarlyCandidates } from "./early-candidates.ts";
import type { Outgoing } from "./outgoing.ts";
import type { TabCommands } from "./tab-commands.ts";

/** @param rtcId the current connection, "" without one */
export type RunEffect = (event: CallConnectionEvent, rtcId: string) => void;

export function createEffects(deps: {
  readonly connection: Connection;
  readonly tab: TabCommands;
  readonly outgoing: Outgoing;
  readonly early: EarlyCandidates;
  readonly config: CallConfig;
  readonly newId: () => string;
  /** Starts the timer of the table, whose end is a tick. */
  readonly wait: (ms: number) => void;
  readonly clearTimer: () => void;
  /** The connection works; a former one may be closed once its media come by this one. */
  readonly settled: () => void;
  readonly report: (what: "up" | "down" | "weak" | "failed", rtcId: string) => void;
}): Readonly<Record<CallConnectionEffect, RunEffect>> {
  const { connection, tab, outgoing, early, config, wait, report } = deps;

  const close = (rtcId: string | null): void => {
    if (rtcId !== null) tab.send({ t: "close", rtcId });
  };
  const begin = (rtcId: string, ownerIsNew: boolean): void => {
    const replaced = replaceConnection(connection, rtcId, ownerIsNew);
    if (replaced.retired !== null) early.drop(replaced.retired);
    close(replaced.close);
    outgoing.begin(rtcId);
  };
  const describe = (rtcId: string, type: "offer" | "answer", sdp: string): void => {
    tab.send({ t: "description", rtcId, type, sdp });
    connection.described = true;
    const cands = early.takeCandidates(rtcId);
    if (cands.length > 0) tab.send({ t: "candidates", rtcId, cands });
  };

  return {
    newConnection: (event) =>
      begin(deps.newId(), event.type === "ownerChanged" && event.sameTab !== true),
    adopt: (event) => begin(event.rtcId ?? "", false),
    askOffer: (_event, rtcId) => tab.send({ t: "offer", rtcId, iceRestart: false }),
    askRestart: (_event, rtcId) => tab.send({ t: "offer", rtcId, iceRestart: true }),
    feedOffer: ({ sdp }, rtcId) => {
      if (sdp === undefined) return;
      connection.remoteOffer = sdp;
      outgoing.begin(rtcId);
      describe(rtcId, "offer", sdp);
    },
    feedAnswer: ({ sdp }, rtcId) => {
      if (sdp === undefined) return;
      outgoing.answered();
      describe(rtcId, "answer", sdp);
    },
    resend: outgoing.resend,
    wantOffer: () => outgoing.sendToPeer({ op: OP.ping, want: "offer" }),
    countRebuild: () => {
      connection.rebuilds += 1;
    },
    settle: () => {
      settleConnection(connection);
      deps.settled();
    },
    forget: () => {
      Object.assign(connection, newConnection());
      tab.forget();
      early.clear();
      outgoing.begin(null);
      outgoing.stop();
    },
    connectTimer: () => wait(config.iceWaitBuildMillis),
    silentTimer: () => wait(config.silentMillis),
    weakTimer: () => wait(config.networkWeakMillis),
    restartTimer: () => wait(config.iceRestartDelayMillis),
    iceTimer: () => wait(config.iceRestartTimeoutMillis),
    rebuildTimer: ({ type }) => {
      // Firefox says at once that no address leads out. All attempts would be over before the person could read why.
      const failedAgain = type === "iceFailed" && connection.rebuilds > 1;
      wait(failedAgain ? config.iceWaitBuildMillis : config.iceRebuildIntervalMillis);
    },
    wantTimer: () => wait(config.wantOfferMillis),
    clearTimer: deps.clearTimer,
    reportUp: (_event, rtcId) => report("up", rtcId),
    reportDown: (_event, rtcId) => report("down", rtcId),
    reportWeak: (_event, rtcId) => report("weak", rtcId),
    reportFailed: (_event, rtcId) => report("failed", rtcId),
  };
}
