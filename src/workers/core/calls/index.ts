/**
 * One-to-one calls. machine.ts interprets the call table and gives orders to coordinator.ts, which joins the owner tab's media, the
 * signalling session and the connection. What happens to those comes back through the queue of events.ts. A call outlives its tab, its socket and this core. It ends when a person,
 * the other side or a table ends it.
 */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { CALL_NOTICE_KEYS, NO_DATA_TEXTS } from "../../../shared/domain/call-texts.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import type { GrowthMessage } from "../../../shared/protocol/call-growth.ts";
import type { VideoCodecs } from "../../../shared/protocol/confr-model.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import type {
  ChatCommands,
  ChatSignals,
  Claim,
  CoreEnv,
  Http,
  Session,
  SessionUser,
  Stats,
  Store,
  Tabs,
} from "../contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { CONFERENCE_CLAIM } from "../claims.ts";
import { CALL_CONFIG, type CallConfig } from "./config.ts";
import { createChatSignalling } from "./chat-signalling.ts";
import { createCallMachine } from "./machine.ts";
import { createCallCoordinator } from "./coordinator.ts";
import { askedFor, deviceNotice } from "./own-devices.ts";
import { createElsewhere } from "./elsewhere.ts";
import { createCallEvents } from "./events.ts";
import { createJournal } from "./journal.ts";
import { createServerTime } from "../server-time.ts";
import { eventOf } from "./messages.ts";
import { type CallRecord, createCallStore } from "./state.ts";
import { createTickets } from "./tickets.ts";

export interface CallsDeps {
  readonly env: CoreEnv;
  readonly store: Store;
  readonly tabs: Tabs;
  readonly session: Session;
  readonly http: Pick<Http, "call" | "provider">;
  readonly chat: ChatCommands;
  /** Carries the signalling of calls if the configuration says so. */
  readonly signals: ChatSignals;
  /** Puts a text with extension fields into the conversation with a person. */
  readonly sendText: (
    to: string,
    text: string,
    ext: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
  readonly stats: Pick<Stats, "socket" | "socketTraffic" | "takeover">;
  readonly qoe: Qoe;
  /** Returns the next owner epoch; calls and conferences share the sequence. */
  readonly nextEpoch: (last: number) => number;
  /** True while the person is in a conference, which uses the microphone. */
  readonly busy: () => boolean;
  /** What the person has chosen for calls (docs/calls.md#do-not-disturb). */
  readonly quiet: () => QuietCalls;
  /** What the other side says about becoming a group call (call-growth/). */
  readonly onGrowth: (message: GrowthMessage) => void;
  /** A call is over. */
  readonly onClosed: () => void;
}

export interface Calls {
  readonly handlers: Handlers<"call">;
  /** Whether there is a call; a core that is asked to retire waits until it ends. */
  active(): boolean;
  /** Resolves when the call of an earlier core is known. */
  readonly ready: Promise<void>;
  /** What the owner's browser receives and sends; undefined when it did not say. */
  codecs(): VideoCodecs | undefined;
  /** Says something about becoming a group call. @returns whether the other side was reached */
  tellGrowth(message: GrowthMessage): Promise<boolean>;
  /** The person's calls may have changed, on whichever device. */
  ownCallsChanged(): void;
  /** Closes the call of two, which the group call carries on. */
  grown(): void;
  /** Stops timers and sockets. The call itself is not ended: the next core continues it. */
  stop(): void;
}

export function createCalls(deps: CallsDeps): Calls {
  const { env, store, tabs, session, chat } = deps;
  const config: CallConfig = CALL_CONFIG;
  const calls = createCallStore({ env, store });
  const tickets = createTickets({ env, http: deps.http });
  const events = createCallEvents();
  const serverTime = createServerTime(env.clock, store);
  const journal = createJournal({ env, http: deps.http, session, serverTime });
  const { engine, callSignalling } = env.config;
  const overChat =
    engine === "native" && callSignalling === "chat"
      ? createChatSignalling({
          env,
          config,
          chat,
          signals: deps.signals,
          sendText: deps.sendText,
          calls,
          known: () => loaded && held === null,
          onRing: (message) => events.dispatch({ type: "rxRing", message }),
        })
      : null;

  const coordinator = createCallCoordinator({
    nextEpoch: deps.nextEpoch,
    env,
    tabs,
    stats: deps.stats,
    config,
    calls,
    tickets,
    qoe: deps.qoe,
    overChat: overChat?.connect ?? null,
    signals: deps.signals,
    dispatch: events.dispatch,
    onGrowth: deps.onGrowth,
    beside: deps.busy,
    onDeviceNotice: (error) => store.notice(deviceNotice(error)),
    onNoData(direction, noData, report) {
      if (calls.slice.noData[direction] !== noData) {
        calls.patch({ noData: { ...calls.slice.noData, [direction]: noData } });
      }
      if (!report) return;
      const { style, text } = NO_DATA_TEXTS[direction];
      store.notice({ style, text, key: CALL_NOTICE_KEYS.noData[direction] });
      deps.qoe.mark("no-data", direction);
    },
  });
  // Both need the server's signalling session.
  const elsewhere =
    engine === "native" && overChat === null ? createElsewhere({ ...deps, calls }) : null;
  const machine = createCallMachine({
    env,
    serverTime,
    store,
    session,
    chat,
    config,
    calls,
    events,
    coordinator,
    journal,
    inConference: deps.busy,
    onClosed(channel) {
      if (channel !== null) elsewhere?.ended(channel);
      else elsewhere?.changed();
      deps.onClosed();
    },
    quiet: deps.quiet,
    ringTab: () => tabs.best()?.tabId ?? null,
    onRingRepeated: () => overChat?.ringRepeated(),
  });
  const active = (): boolean => calls.slice.status !== "idle";

  // --- state that an earlier core stored
  const claims = new Map<string, Claim>();
  let loaded = false;
  let held: CallRecord | null = null;
  /** Tells tabs to release media that belong to no call, or that another tab has by now. */
  const claimedNow = (): void => {
    for (const [tabId, claim] of claims) coordinator.claimed(tabId, claim);
    claims.clear();
  };
  const consider = (user: SessionUser): void => {
    const record = held;
    held = null;
    const { slice, priv } = record ?? { slice: null, priv: null };
    // Of a call that was still on its way here the other device has charge.
    const isOwnCall = priv?.accountId === user.accountId && !priv.arriving;
    if (slice === null || priv === null || !isOwnCall) {
      if (record?.priv != null) calls.setPrivate(null);
      claimedNow();
      return;
    }
    calls.setPrivate(priv);
    // the connection is shown as being restored until a tab claims it
    calls.patch({ ...slice, owner: null });
    const { status } = slice;
    const hasConnection = !["idle", "sendRing", "receivedRing", "confirmRing"].includes(status);
    const media = hasConnection || status !== "confirmRing";
    coordinator.restore(claims, { hasConnection, media });
    claimedNow();
    machine.resume();
  };
  const ready = calls.load().then((record) => {
    loaded = true;
    held = record;
    if (record !== null) coordinator.seed(record.ownerEpoch);
    const user = session.user();
    if (user !== null) consider(user);
  });

  const stops = [
    session.onUser((user) => {
      if (!loaded) return;
      if (user !== null && held !== null) consider(user);
      else if (user === null || user.accountId !== calls.priv?.accountId) {
        held = null;
        if (active()) events.dispatch({ type: "sessionEnded" });
      }
    }),
    tabs.onJoin((tab, claim) => {
      // conferences handle their own claims
      if (claim === null || claim.callId.startsWith(CONFERENCE_CLAIM)) return;
      if (!loaded || held !== null) claims.set(tab.tabId, claim);
      else coordinator.claimed(tab.tabId, claim);
    }),
    tabs.onLeave((tabId) => {
      claims.delete(tabId);
      if (calls.slice.ringTab === tabId) calls.patch({ ringTab: tabs.best()?.tabId ?? null });
    }),
    chat.onMessage((message, from) => {
      if (loaded) received(message, from);
      else void ready.then(() => received(message, from));
    }),
  ];

  function received(message: CallMessage, from: string): void {
    if (message.fromUser !== from || message.toUser !== chat.me()) {
      env.log("calls", "warn", "a message whose sender or receiver is not what it says");
      return;
    }
    // group-calls/ has the others
    if (message.type === CALL_TYPE.group) return;
    const { action } = message;
    // A confirmed answer says that another device has the call.
    const ended = action === "cancelCall" || action === "confirmAnswer";
    if (ended) overChat?.withdrawn(message.callId, from);
    if (action !== "sendRing") {
      // only the other side may send messages about a call
      if (calls.slice.peer?.userName !== from) return;
      // A reply for another device of this person is ignored. A confirmation says which device won, so all devices read it.
      const forOther = message.toUserDevId !== "" && message.toUserDevId !== chat.device();
      if (forOther && (action === "confirmRing" || action === "sendAnswer")) return;
    } else if (overChat !== null) return overChat.rung(message);
    events.dispatch(eventOf(message));
  }

  const mustBeOn = (): void => {
    if (!active()) throw new AppError("call.not-active");
  };

  const handlers: Handlers<"call"> = {
    async start({ userName, name, media }, { tabId }) {
      await ready;
      if (session.user() === null) throw new AppError("auth.required");
      if (deps.busy()) throw new AppError("conference.current-calling");
      if (chat.me() === null) throw new AppError("chat.not-connected");
      return {
        callId: await machine.dial({ to: userName, name, media, tabId }),
      };
    },
    async answer({ accept }, { tabId }) {
      await ready;
      mustBeOn();
      // another tab has answered already
      if (calls.slice.status !== "confirmRing") return null;
      if (accept && deps.busy()) throw new AppError("conference.current-calling");
      if (accept) events.dispatch({ type: "accept", tabId });
      else events.dispatch({ type: "refuse" });
      return null;
    },
    async hangup() {
      await ready;
      events.dispatch({ type: "hangup" });
      return null;
    },
    async setLocal({ audioMuted, videoOff, publish }) {
      await ready;
      mustBeOn();
      const { local } = calls.slice;
      calls.patch({
        local: {
          ...local,
          audioMuted: audioMuted ?? local.audioMuted,
          videoOff: videoOff ?? local.videoOff,
        },
      });
      coordinator.localChanged(askedFor({ audioMuted, videoOff, publish }));
      return null;
    },
    async bringHere(_input, { tabId }) {
      await ready;
      mustBeOn();
      coordinator.moveTo(tabId);
      return null;
    },
    async goOn(_input, { tabId }) {
      await ready;
      if (deps.busy()) throw new AppError("conference.current-calling");
      if (chat.me() === null) throw new AppError("chat.not-connected");
      const call = elsewhere?.now ?? null;
      if (call === null) throw new AppError("call.not-active");
      events.dispatch({ type: "goOn", call, tabId });
      return null;
    },
  };

  return {
    handlers,
    ownCallsChanged: () => elsewhere?.changed(),
    active,
    ready,
    codecs: () => coordinator.codecs,
    tellGrowth: coordinator.tellGrowth,
    grown: () => events.dispatch({ type: "grown" }),
    stop() {
      for (const stop of stops) stop();
      for (const part of [journal, overChat, elsewhere, machine, coordinator]) part?.stop();
    },
  };
}
