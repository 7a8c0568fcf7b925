/**
 * Runs the table of shared/domain/call-connection: passes descriptions and candidates between the owner tab and the other side. Every
 * message is idempotent by rtcId, so anything that a lost socket may have swallowed is simply sent again.
 */
import {
  type CallConnectionEvent,
  type CallConnectionState,
  callConnectionStep,
} from "../../../shared/domain/call-connection.ts";
import type { MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { CallLink } from "../../../shared/protocol/state.ts";
import { OP, type PeerMessage } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { CallConfig } from "./config.ts";
import { createEarlyCandidates } from "./early-candidates.ts";
import { createOutgoing, type Outgoing } from "./outgoing.ts";
import type { OwnerCommand } from "../media-owner/index.ts";

const MAX_RETIRED = 50;

export interface CallConnectionSnapshot {
  readonly state: CallConnectionState;
  readonly rtcId: string | null;
}
export interface CallConnectionDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "report">;
  readonly config: CallConfig;
  readonly caller: boolean;
  /** Sends to the owner tab; false when it is not ready. */
  readonly toTab: (command: OwnerCommand) => boolean;
  /** Sends to the other side; resolves to a result code, 0 when it was passed on. */
  readonly relay: (body: PeerMessage) => Promise<number>;
  /** The other side is in the signalling room, so that relayed messages arrive. */
  readonly reachable: () => boolean;
  /** Both sides know that the call is established; a connection that fails now is a failure of the call. */
  readonly live: () => boolean;
  readonly onLink: (link: CallLink, snapshot: CallConnectionSnapshot) => void;
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
  fromTab(event: MediaEvent): void;
  fromPeer(body: PeerMessage): void;
  reachableChanged(): void;
  stop(): void;
  /** Stops the timers and keeps everything else for the next core. */
  dispose(): void;
}

export function createConnection(deps: CallConnectionDeps): CallConnection {
  const { env, config } = deps;
  let state: CallConnectionState = "idle";
  let rtcId: string | null = null;
  /** The former connection, which was connected and is kept until the new one is. */
  let old: string | null = null;
  let retired = new Set<string>();
  let remoteOffer: string | null = null;
  const early = createEarlyCandidates();
  /** The tab has the other side's description of the current connection. */
  let described = false;
  let rebuilds = 0;
  let everUp = false;
  let downSince: number | null = null;
  let boundEpoch: number | null = null;
  let queue: OwnerCommand[] = [];
  let timer: Timer | null = null;

  const arm = (ms: number): void => {
    timer?.cancel();
    timer = env.clock.after(ms, () => {
      timer = null;
      dispatch({ type: "tick" });
    });
  };
  const clearTimer = (): void => {
    timer?.cancel();
    timer = null;
  };

  const toTab = (command: OwnerCommand): void => {
    if (boundEpoch === null || !deps.toTab(command)) queue.push(command);
  };

  const up = (): boolean => state === "connected" || state === "weak";
  const outgoing: Outgoing = createOutgoing({
    ...deps,
    // an answer that led to a connection has arrived
    settled: () => up() && !outgoing.awaitsAnswer,
  });

  const retire = (id: string): void => {
    retired.add(id);
    early.drop(id);
    if (retired.size > MAX_RETIRED) {
      const [first] = retired;
      if (first !== undefined) retired.delete(first);
    }
  };
  const begin = (id: string, ownerIsNew: boolean): void => {
    if (rtcId !== null && rtcId !== id) {
      retire(rtcId);
      // keep a working connection until the next one works; a connection that never worked is closed
      if (!ownerIsNew) {
        if (up() && old === null) old = rtcId;
        else toTab({ t: "close", rtcId });
      }
    }
    if (ownerIsNew) old = null;
    rtcId = id;
    remoteOffer = null;
    outgoing.begin(id);
    described = false;
  };
  const describe = (): void => {
    described = true;
    if (rtcId === null) return;
    const cands = early.take(rtcId);
    if (cands.length > 0) toTab({ t: "candidates", rtcId, cands });
  };

  const effects: Record<
    ReturnType<typeof callConnectionStep>["effects"][number],
    (event: CallConnectionEvent, id: string) => void
  > = {
    newConnection: (event) => begin(env.newId(), event.type === "ownerChanged"),
    adopt: (event) => begin(event.rtcId ?? "", false),
    askOffer: (_event, id) => toTab({ t: "offer", rtcId: id, iceRestart: false }),
    askRestart: (_event, id) => toTab({ t: "offer", rtcId: id, iceRestart: true }),
    feedOffer: (event, id) => {
      if (event.sdp === undefined) return;
      remoteOffer = event.sdp;
      outgoing.begin(id);
      toTab({ t: "description", rtcId: id, type: "offer", sdp: event.sdp });
      describe();
    },
    feedAnswer: (event, id) => {
      if (event.sdp === undefined) return;
      outgoing.answered();
      toTab({ t: "description", rtcId: id, type: "answer", sdp: event.sdp });
      describe();
    },
    resend: outgoing.resend,
    wantOffer: () => outgoing.say({ op: OP.ping, want: "offer" }),
    countRebuild: () => {
      rebuilds += 1;
    },
    settle: () => {
      rebuilds = 0;
      downSince = null;
      everUp = true;
      if (old !== null) toTab({ t: "close", rtcId: old });
      old = null;
    },
    forget: () => {
      rtcId = null;
      old = null;
      queue = [];
      boundEpoch = null;
      retired = new Set();
      early.clear();
      outgoing.begin(null);
      outgoing.stop();
      remoteOffer = null;
      described = false;
      rebuilds = 0;
      everUp = false;
      downSince = null;
    },
    connectTimer: () => arm(config.iceWaitBuildMillis),
    weakTimer: () => arm(config.networkWeakMillis),
    restartTimer: () => arm(config.iceRestartDelayMillis),
    iceTimer: () => arm(config.iceRestartTimeoutMillis),
    rebuildTimer: () => arm(config.iceRebuildIntervalMillis),
    wantTimer: () => arm(config.wantOfferMillis),
    clearTimer,
    reportUp: (_event, id) => deps.onReport("up", id),
    reportDown: (_event, id) => deps.onReport("down", id),
    reportWeak: (_event, id) => deps.onReport("weak", id),
    reportFailed: (_event, id) => deps.onReport("failed", id),
  };

  const linkOf = (): CallLink => {
    if (state === "idle") return "none";
    if (state === "connected" || state === "weak" || state === "failed") return state;
    return everUp ? "restarting" : "connecting";
  };

  function dispatch(event: CallConnectionEvent): void {
    const before = linkOf();
    const result = callConnectionStep(
      state,
      {
        caller: deps.caller,
        rtcId,
        remoteOffer,
        retired,
        awaitsAnswer: outgoing.awaitsAnswer,
        mayRebuild: rebuilds < config.iceRebuildCount,
        reachable: deps.reachable() && deps.live(),
        gaveUp:
          deps.live() && downSince !== null && env.clock.now() - downSince >= config.giveUpMillis,
      },
      event,
    );
    if (result.rule < 0) return;
    // the effects of a new connection read the state that it replaces
    if (result.to !== "connected" && result.to !== "idle") downSince ??= env.clock.now();
    for (const effect of result.effects) {
      effects[effect](event, rtcId ?? "");
    }
    state = result.to;
    if (state === "failed") clearTimer();
    if (linkOf() !== before || result.from !== result.to) {
      deps.onLink(linkOf(), { state, rtcId });
    }
  }

  const flush = (): void => {
    const commands = queue;
    queue = [];
    for (const command of commands) toTab(command);
  };

  return {
    get snapshot() {
      return { state, rtcId };
    },
    start: () => dispatch({ type: "start" }),
    ownerReady(epoch) {
      const changed = boundEpoch !== null && boundEpoch !== epoch;
      boundEpoch = epoch;
      if (changed) {
        queue = [];
        dispatch({ type: "ownerChanged" });
      } else flush();
    },
    resume(snapshot, epoch) {
      boundEpoch = epoch;
      rtcId = snapshot.rtcId;
      outgoing.begin(rtcId);
      described = true;
      everUp = true;
      downSince = null;
      queue = [];
      state = "connected";
      deps.onLink(linkOf(), { state, rtcId });
    },
    renegotiate() {
      everUp = true;
      downSince = env.clock.now();
      // no real epoch is -1, so the first ready owner counts as a changed one
      boundEpoch = -1;
      state = "rebuilding";
      deps.onLink(linkOf(), { state, rtcId });
    },
    fromTab(event) {
      if (event.t === "ice") {
        if (event.rtcId !== rtcId) return;
        if (event.state === "connected" || event.state === "completed") dispatch({ type: "iceUp" });
        else if (event.state === "disconnected") dispatch({ type: "iceDown" });
        else if (event.state === "failed" || event.state === "closed")
          dispatch({ type: "iceFailed" });
        return;
      }
      if (event.t === "failed") {
        if (event.rtcId === rtcId) dispatch({ type: "iceFailed" });
        return;
      }
      if (event.t === "description") {
        if (event.rtcId !== rtcId) return;
        outgoing.describe({ type: event.type, sdp: event.sdp, iceRestart: event.iceRestart });
        return;
      }
      if (event.t === "candidates" && event.rtcId === rtcId) {
        outgoing.candidates(event.cands);
      }
    },
    fromPeer(body) {
      if (body.op === OP.init) {
        dispatch({
          type: "peerOffer",
          rtcId: body.rtcId,
          sdp: body.sdp,
          iceRestart: body.iceRestart,
        });
      } else if (body.op === OP.answer) {
        dispatch({ type: "peerAnswer", rtcId: body.rtcId, sdp: body.sdp });
      } else if (body.op === OP.ping) {
        dispatch({ type: "peerWants" });
      } else if (body.op === OP.candidates) {
        if (body.rtcId === rtcId && described) {
          toTab({ t: "candidates", rtcId: body.rtcId, cands: body.cands });
          return;
        }
        if (retired.has(body.rtcId)) return;
        if (!early.keep(body.rtcId, body.cands)) {
          env.report("link: candidates of too many connections");
        }
      }
    },
    reachableChanged() {
      if (deps.reachable()) outgoing.reachable();
    },
    dispose() {
      clearTimer();
      outgoing.stop();
    },
    stop() {
      if (state !== "idle") dispatch({ type: "stop" });
      else {
        clearTimer();
        effects.forget({ type: "stop" }, "");
      }
    },
  };
}
