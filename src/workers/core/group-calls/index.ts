/**
 * Group calls in the core (docs/calls.md#group-calls). A group call runs on a conference, which carries its media and survives its tab. This
 * module rings, answers, and publishes who is being rung. The next core continues the call.
 */
import { createServerTime } from "../server-time.ts";
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallMessage } from "../../../shared/protocol/call-message.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import {
  groupCallInviteCall,
  groupCallOpenCall,
  groupCallStartCall,
  type OpenGroupCall,
} from "../../../shared/protocol/rest/group-calls.ts";
import type { GroupCallEvent } from "../../../shared/domain/group-call.ts";
import type { QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import type { ChatCommands, CoreEnv, Http, Session, Store, Tabs } from "../contracts.ts";
import type { CallConference, Codecs, GrownFrom } from "./contracts.ts";
import { createGroupCallKeeper, type KeptGroupCall } from "./kept.ts";
import { createGroupCallMachine, type EnterWish, type Reply } from "./machine.ts";
import { createRungPeople } from "./people.ts";
import { createGroupCallState } from "./state.ts";

export interface GroupCallsDeps {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "newId" | "log">;
  readonly store: Store;
  readonly tabs: Pick<Tabs, "best" | "onLeave">;
  readonly session: Session;
  readonly http: Pick<Http, "call">;
  readonly chat: ChatCommands;
  readonly conference: CallConference;
  /** The person is in a call of two. */
  readonly calling: () => boolean;
  /** The person is in a conference or enters one. */
  readonly inConference: () => boolean;
  /** What the person has chosen for calls (docs/calls.md#do-not-disturb). */
  readonly quiet: () => QuietCalls;
}

/** A call of two becomes a group call (call-growth/). */
export type Growing = { readonly media: "voice" | "video"; readonly codecs: Codecs } & (
  | { readonly people: readonly string[] }
  | { readonly channel: string; readonly callId: string; readonly by: string }
);

export interface GroupCalls {
  /** `grow` belongs to call-growth/. */
  readonly handlers: Omit<Handlers<"groupCall">, "grow">;
  /** Creates the conference, or joins the one that the other side created, with the media in this tab. Rejects with AppError. */
  grow(growing: Growing, tabId: string, from: GrownFrom): Promise<void>;
  /** Leaves the group call, if there is one. */
  leave(): void;
  /** Resolves when the call of an earlier core is known. */
  readonly ready: Promise<void>;
  /** Whether a group call rings here or is on. */
  active(): boolean;
  /** The server says that calls began, ended, or that people came and left. */
  changed(): void;
  /** Stops timers. The next core continues the call. */
  stop(): void;
}

export function createGroupCalls(deps: GroupCallsDeps): GroupCalls {
  const { env, store, tabs, session, http, chat, conference } = deps;
  const keeper = createGroupCallKeeper(env);
  const state = createGroupCallState({ store, session, keeper });
  const serverTime = createServerTime(env.clock, store);
  const people = createRungPeople({ env, serverTime, store, chat, state, conference });
  const active = (): boolean => state.slice.status !== "idle";
  /** Raised with every call, so that answers for an earlier one are dropped. */
  let generation = 0;
  let grownFrom: GrownFrom | null = null;

  /** Makes the conference if the call is new, enters it, and rings. */
  async function enter({ tabId, codecs, start, grows }: EnterWish): Promise<void> {
    const ownGeneration = generation;
    const from = grows ? grownFrom : null;
    let { info } = state.slice;
    if (info === null) return;
    if (start !== null) {
      const { callId, media, groupId } = info;
      const made = await http.call(groupCallStartCall, {
        body: {
          callId,
          media,
          groupId,
          people: [...(from === null ? [] : [from.peer]), ...start.people],
        },
      });
      if (ownGeneration !== generation) return;
      info = { ...info, channel: made.confrId, callId: made.callId };
      state.patch({ info });
      from?.made({ channel: info.channel, callId: info.callId });
    }
    const { channel, media } = info;
    const videoOff = media === "voice" || from?.videoOff === true;
    const audioMuted = from?.audioMuted === true;
    await conference.enter({ confrId: channel, audioMuted, videoOff, codecs }, tabId);
    if (ownGeneration !== generation) return void conference.exit().catch(() => undefined);
    machine.dispatch({ type: "entered" });
    follow();
    if (start !== null) people.invite(start.people);
  }
  async function ringPeople(names: readonly string[]): Promise<void> {
    const ownGeneration = generation;
    const { info } = state.slice;
    if (info === null) return;
    await http.call(groupCallInviteCall, {
      params: { confrId: info.channel },
      body: { people: [...names] },
    });
    if (ownGeneration === generation) people.invite(names);
  }
  /** A failure of a call that is over by now is no error. */
  function settle(work: Promise<void>, reply: Reply | null, failed: (error: AppError) => void) {
    const ownGeneration = generation;
    work.then(
      () => reply?.resolve(),
      (reason: unknown) => {
        if (ownGeneration !== generation) return reply?.resolve();
        const error = AppError.from(reason, "server.unavailable");
        failed(error);
        reply?.reject(error);
      },
    );
  }

  const machine = createGroupCallMachine({
    env,
    serverTime,
    store,
    chat,
    state,
    ownName: () => session.user()?.name ?? "",
    people,
    enter(wish, reply) {
      generation += 1;
      settle(enter(wish), reply, ({ code }) => machine.dispatch({ type: "enterFailed", code }));
    },
    ringPeople: (names, reply) => settle(ringPeople(names), reply, () => undefined),
    leaveConference() {
      generation += 1;
      conference.exit().catch(() => undefined);
    },
    busy: () => deps.calling() || deps.inConference(),
    inConference: deps.inConference,
    quiet: deps.quiet,
    ringTab: () => tabs.best()?.tabId ?? null,
    onRing: () => void lookUp(),
  });

  /** The conference that carried a call last. */
  let carried = "";
  /** Follows the conference that carries the call. */
  function follow(): void {
    const { status, info } = state.slice;
    const slice = store.get("conference");
    if (info !== null && info.channel !== "") carried = info.channel;
    if (slice.status === "idle" && carried !== "") conference.forgetExit(carried);
    if (status !== "inCall" || info === null) return;
    if (slice.status === "idle") return machine.dispatch({ type: "exited" });
    if (slice.info?.confrId !== info.channel || slice.status !== "joined") return;
    people.inside(new Set(Object.values(slice.members).map(({ memName }) => memName)));
  }

  const openCalls = async (): Promise<OpenGroupCall[]> =>
    (await http.call(groupCallOpenCall)).calls;
  /** Asks the server about the call that rings: which group calls, and whether it goes on. */
  async function lookUp(): Promise<void> {
    const callId = state.slice.info?.callId;
    if (state.slice.status !== "ringing") return;
    const calls = await openCalls().catch(() => null);
    const { status, info } = state.slice;
    if (calls === null || status !== "ringing" || info === null || info.callId !== callId) return;
    const found = calls.find(({ confrId }) => confrId === info.channel);
    if (found === undefined) machine.dispatch({ type: "over" });
    else if (found.groupId !== info.groupId) {
      state.patch({ info: { ...info, groupId: found.groupId } });
    }
  }

  // --- the call of an earlier core
  let loaded = false;
  let held: KeptGroupCall | null = null;
  function consider(): void {
    const user = session.user();
    const kept = held;
    if (kept === null || user === null) return;
    held = null;
    const slice = store.get("conference");
    const goesOn =
      kept.slice.status === "ringing" ||
      (slice.status !== "idle" && slice.info?.confrId === kept.slice.info?.channel);
    if (kept.accountId !== user.accountId || !goesOn || active()) {
      if (!active()) void keeper.save(null);
      return;
    }
    const status = kept.slice.status === "ringing" ? "ringing" : "inCall";
    state.restore({ ...kept, slice: { ...kept.slice, status } });
    people.restore(kept.rung);
    machine.resume();
    follow();
    void lookUp();
  }
  const ready = Promise.all([keeper.load(), conference.ready]).then(([kept]) => {
    loaded = true;
    held = kept;
    consider();
  });

  const received = (message: CallMessage): void => {
    switch (message.action) {
      case "sendRing":
        return machine.dispatch({ type: "rxRing", message });
      case "confirmAnswer":
        return machine.dispatch({ type: "rxConfirmAnswer", message });
      case "cancelCall":
        return machine.dispatch({ type: "rxCancel", message });
      default: {
        // a reply for another device of this person
        const { toUserDevId } = message;
        if (toUserDevId === "" || toUserDevId === chat.device()) people.received(message);
      }
    }
  };
  const stops = [
    conference.onChange(follow),
    session.onUser((user) => {
      if (!loaded) return;
      if (user !== null && held !== null) consider();
      else if (user === null && active()) machine.dispatch({ type: "sessionEnded" });
    }),
    tabs.onLeave((tabId) => {
      if (state.slice.ringTab === tabId) state.patch({ ringTab: tabs.best()?.tabId ?? null });
    }),
    chat.onMessage((message) => {
      if (message.type !== CALL_TYPE.group) return;
      if (loaded) received(message);
      else void ready.then(() => received(message));
    }),
  ];

  /** A conference that is being left keeps the devices for a moment. */
  const left = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (store.get("conference").status === "leaving") return;
        end();
        resolve();
      };
      const end = conference.onChange(look);
      look();
    });
  async function run(event: GroupCallEvent, codecs?: Codecs): Promise<void> {
    await ready;
    if (session.user() === null) throw new AppError("auth.required");
    await new Promise<void>((resolve, reject) =>
      machine.dispatch(event, { resolve, reject }, codecs),
    );
  }
  const mustBeOn = (): void => {
    if (!active()) throw new AppError("call.not-active");
  };

  return {
    active,
    ready,
    async grow({ media, codecs, ...growing }, tabId, from) {
      await left();
      grownFrom = from;
      const event: GroupCallEvent =
        "people" in growing
          ? { type: "grow", media, people: growing.people, tabId }
          : { type: "growIn", media, ...growing, tabId };
      await run(event, codecs);
    },
    leave: () => machine.dispatch({ type: "leave" }),
    changed: () => void lookUp(),
    handlers: {
      async start({ media, groupId, people: names, codecs }, { tabId }) {
        if (chat.me() === null) throw new AppError("chat.not-connected");
        await left();
        await run({ type: "start", media, groupId, people: names, tabId }, codecs);
        return { callId: state.slice.info?.callId ?? "" };
      },
      async join({ confrId, codecs }, { tabId }) {
        await left();
        const call = (await openCalls()).find((one) => one.confrId === confrId);
        if (call === undefined) throw new AppError("call.over");
        const { callId, media, groupId } = call;
        await run({ type: "join", channel: confrId, callId, media, groupId, tabId }, codecs);
        return null;
      },
      async answer({ accept, codecs }, { tabId }) {
        await ready;
        mustBeOn();
        await run(accept ? { type: "accept", tabId } : { type: "refuse" }, codecs);
        return null;
      },
      async invite({ people: names }) {
        await ready;
        mustBeOn();
        await run({ type: "invite", people: names });
        return null;
      },
      async leave() {
        await run({ type: "leave" });
        return null;
      },
    },
    stop() {
      for (const stop of stops) stop();
      machine.stop();
      people.stop();
    },
  };
}
