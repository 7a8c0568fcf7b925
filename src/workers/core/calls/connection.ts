/**
 * Runs the table of shared/domain/call-connection: passes descriptions and candidates between the owner tab and the other side. Every
 * message is idempotent by rtcId, so anything that a lost socket may have swallowed is simply sent again.
 */
import {
  type CallConnectionEvent,
  callConnectionStep,
} from "../../../shared/domain/call-connection.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { ShownConnection } from "../../../shared/protocol/state.ts";
import { OP, type PeerMessage } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv } from "../contracts.ts";
import type { OwnerCommand } from "../media-owner/contracts.ts";
import { createRestartableTimer } from "../restartable-timer.ts";
import type { CallConfig } from "./config.ts";
import { createEffects } from "./connection-effects.ts";
import {
  awaitNewOwner,
  type CallConnectionSnapshot,
  isUp,
  dropFormer,
  type Kind,
  shownConnectionOf,
  newConnection,
  peerEventOf,
  replacesFormer,
  resumeConnection,
  retireEarlier,
  snapshotOf,
  tabEventOf,
} from "./connection-state.ts";
import { createEarlyCandidates } from "./early-candidates.ts";
import { createOutgoing, type Outgoing } from "./outgoing.ts";
import { createTabCommands } from "./tab-commands.ts";

export interface CallConnectionDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly config: CallConfig;
  readonly caller: boolean;
  /** Sends to the owner tab; false when it is not ready. */
  readonly toTab: (command: OwnerCommand) => boolean;
  /** Sends to the other side; resolves to a result code, 0 when it was passed on. */
  readonly relay: (body: PeerMessage) => Promise<number>;
  /** The other side is in the signalling session, so that relayed messages arrive. */
  readonly reachable: () => boolean;
  /** Both sides know that the call is established; a connection that fails now is a failure of the call. */
  readonly live: () => boolean;
  /** Sound and picture that the other side sends. */
  readonly sends: () => ReadonlySet<Kind>;
  /** The other side receives by this connection what a former one brought. */
  readonly onFlows?: (rtcId: string) => void;
  readonly onShown: (shown: ShownConnection, snapshot: CallConnectionSnapshot) => void;
  readonly onReport: (what: "up" | "down" | "weak" | "failed", rtcId: string) => void;
}

export interface CallConnection {
  readonly snapshot: CallConnectionSnapshot;
  start(): void;
  /** The owner tab with this epoch has opened its devices. */
  ownerReady(epoch: number): void;
  /** A new core continues with the existing owner tab and its connection. */
  resume(snapshot: CallConnectionSnapshot, epoch: number): void;
  /** A new core will get a new owner; it offers a new connection as soon as that is ready. */
  renegotiate(): void;
  /** Offers a connection in a tab that takes over from the owner of the connection `earlier`. */
  takeOver(epoch: number, earlier: string | null): void;
  /** Offers another connection in the same tab, and keeps the present one until that is up. */
  renew(): void;
  /** The own network changed: ICE restarts. */
  networkChanged(): void;
  /** Calls `onShown` with the present state. */
  show(): void;
  fromTab(event: MediaEvent): void;
  fromPeer(body: PeerMessage): void;
  reachableChanged(): void;
  stop(): void;
  /** Stops the timers and keeps everything else for the next core. */
  dispose(): void;
}

export function createConnection(deps: CallConnectionDeps): CallConnection {
  const { env, config } = deps;
  const connection = newConnection();
  const early = createEarlyCandidates();
  const tab = createTabCommands(deps.toTab);
  const outgoing: Outgoing = createOutgoing({
    ...deps,
    // an answer that led to a connection has arrived
    settled: () => isUp(connection) && !outgoing.awaitsAnswer,
  });
  const timer = createRestartableTimer(env.clock);
  const formerTimer = createRestartableTimer(env.clock);
  const effects = createEffects({
    connection,
    tab,
    outgoing,
    early,
    config,
    newId: () => env.newId(),
    wait: (ms) => timer.start(ms, () => dispatch({ type: "tick" })),
    clearTimer: timer.cancel,
    settled() {
      if (connection.former === null) return;
      formerTimer.start(config.formerMillis, closeFormer);
      flowed();
    },
    report: deps.onReport,
  });

  const show = (): void => deps.onShown(shownConnectionOf(connection), snapshotOf(connection));

  function closeFormer(): void {
    formerTimer.cancel();
    const former = dropFormer(connection);
    if (former !== null) tab.send({ t: "close", rtcId: former });
  }
  /** The former connection is closed once nothing is lost by that. */
  function flowed(): void {
    const { rtcId, former } = connection;
    if (former === null || rtcId === null || !replacesFormer(connection, deps.sends())) return;
    closeFormer();
    outgoing.sendToPeer({ op: OP.flows, rtcId });
  }

  function dispatch(event: CallConnectionEvent): void {
    const { rtcId, remoteOffer, retired, rebuilds, downSince } = connection;
    const now = env.clock.now();
    const before = shownConnectionOf(connection);
    const {
      from,
      to,
      rule,
      effects: todo,
    } = callConnectionStep(
      connection.state,
      {
        caller: deps.caller,
        rtcId,
        remoteOffer,
        retired,
        awaitsAnswer: outgoing.awaitsAnswer,
        mayRebuild: rebuilds < config.iceRebuildCount,
        reachable: deps.reachable() && deps.live(),
        gaveUp: deps.live() && downSince !== null && now - downSince >= config.giveUpMillis,
      },
      event,
    );
    if (rule < 0) return;
    // the effects of a new connection read the state that it replaces
    if (to !== "connected" && to !== "idle") connection.downSince ??= now;
    for (const effect of todo) effects[effect](event, connection.rtcId ?? "");
    connection.state = to;
    if (to === "failed") timer.cancel();
    if (shownConnectionOf(connection) !== before || from !== to) show();
  }

  function takeCandidates({ rtcId, cands }: Extract<PeerMessage, { op: typeof OP.candidates }>) {
    if (rtcId === connection.rtcId && connection.described) {
      tab.send({ t: "candidates", rtcId, cands });
    } else if (!connection.retired.has(rtcId) && !early.keep(rtcId, cands)) {
      env.log("calls", "warn", "candidates of too many connections");
    }
  }

  return {
    get snapshot() {
      return snapshotOf(connection);
    },
    start: () => dispatch({ type: "start" }),
    ownerReady(epoch) {
      if (!tab.ownerReady(epoch)) dispatch({ type: "ownerChanged" });
    },
    resume(snapshot, epoch) {
      tab.resume(epoch);
      outgoing.begin(snapshot.rtcId);
      resumeConnection(connection, snapshot);
      show();
    },
    takeOver(epoch, earlier) {
      tab.awaitNewOwner();
      awaitNewOwner(connection, env.clock.now());
      retireEarlier(connection, earlier);
      if (!tab.ownerReady(epoch)) dispatch({ type: "ownerChanged" });
    },
    networkChanged: () => dispatch({ type: "networkChanged" }),
    renew: () => dispatch({ type: "ownerChanged", sameTab: true }),
    show,
    renegotiate() {
      tab.awaitNewOwner();
      awaitNewOwner(connection, env.clock.now());
      show();
    },
    fromTab(event) {
      const change = tabEventOf(event, connection.rtcId);
      if (change !== null) dispatch(change);
      else if (event.t === "first-media" && event.rtcId === connection.rtcId) {
        connection.flowing = new Set([...connection.flowing, event.kind]);
        flowed();
      } else if (event.t === "description" && event.rtcId === connection.rtcId) {
        outgoing.describe({ type: event.type, sdp: event.sdp, iceRestart: event.iceRestart });
      } else if (event.t === "candidates" && event.rtcId === connection.rtcId) {
        outgoing.candidates(event.cands);
      }
    },
    fromPeer(body) {
      const change = peerEventOf(body);
      if (change !== null) dispatch(change);
      else if (body.op === OP.candidates) takeCandidates(body);
      else if (body.op === OP.flows && body.rtcId === connection.rtcId) deps.onFlows?.(body.rtcId);
    },
    reachableChanged() {
      if (deps.reachable()) outgoing.reachable();
    },
    dispose() {
      timer.cancel();
      formerTimer.cancel();
      outgoing.stop();
    },
    stop() {
      formerTimer.cancel();
      if (connection.state !== "idle") dispatch({ type: "stop" });
      else {
        timer.cancel();
        effects.forget({ type: "stop" }, "");
      }
    },
  };
}
