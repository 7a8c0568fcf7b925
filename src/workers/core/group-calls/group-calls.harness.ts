/** People for tests of group calls: a chat that delivers, a server that keeps conferences, conferences that only count members, and one clock. */
import { NOT_QUIET, type QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import {
  groupCallInviteCall,
  groupCallStartCall,
} from "../../../shared/protocol/rest/group-calls.ts";
import { AppError } from "../../../shared/errors.ts";
import type { CallAction, CallMessage } from "../../../shared/protocol/call-message.ts";
import { parsePerson } from "../../../shared/protocol/group-call.ts";
import { initialSlices, noConference } from "../../../shared/protocol/initial-state.ts";
import type { RestCall } from "../../../shared/protocol/rest/index.ts";
import type { GroupCallSlice } from "../../../shared/protocol/state.ts";
import type { ChatCommands, CoreEnv, Http, Session, SessionUser } from "../contracts.ts";
import { createFakeClock, createFakeEnv, settle } from "../core.fake.ts";
import { createStore } from "../store/index.ts";
import type { CallConference } from "./contracts.ts";
import { createGroupCalls, type GroupCalls } from "./index.ts";

interface FakeConference {
  readonly confrId: string;
  readonly callId: string;
  readonly media: "voice" | "video";
  readonly groupId: string | null;
  readonly inside: Set<string>;
  readonly attrs: Record<string, string>;
}

export interface GroupPerson {
  readonly name: string;
  readonly calls: GroupCalls;
  readonly slice: Readonly<GroupCallSlice>;
  /** Texts that were shown. */
  readonly texts: string[];
  /** A call of two is on. */
  calling: boolean;
  /** What the person has chosen for calls. */
  quiet: QuietCalls;
  start(people: string[], groupId?: string | null): Promise<{ callId: string }>;
  answer(accept?: boolean): Promise<null>;
  /** What everybody inside sees of those who are rung. */
  readonly rung: Record<string, string>;
  /** The conference ends here, as when the server refuses it. */
  drop(): void;
  logout(): void;
  /** The core dies and another one starts. */
  restart(): Promise<void>;
}

export function createGroupWorld() {
  const clock = createFakeClock();
  const conferences = new Map<string, FakeConference>();
  const sent: CallMessage[] = [];
  const failing = new Set<CallAction>();
  const losing = new Set<CallAction>();
  const devices: { name: string; device: string; receive: (message: CallMessage) => void }[] = [];
  const everyone: { look(): void; calls(): GroupCalls }[] = [];
  let ids = 0;
  const refresh = (): void => {
    for (const one of everyone) one.look();
    for (const one of everyone) one.calls().changed();
  };
  const run = async (ms = 0): Promise<void> => {
    await settle(60);
    for (let left = ms; left > 0; left -= 100) {
      clock.advance(Math.min(100, left));
      await settle(30);
    }
  };

  function person(name: string, device = `${name}-pc`): GroupPerson {
    const fake = createFakeEnv();
    const env: CoreEnv = { ...fake, clock, newId: () => `id${(ids += 1)}` };
    let account: SessionUser | null = {
      accountId: `acc-${name}`,
      username: name,
      name,
      supplierId: null,
    };
    const onUser = new Set<(user: SessionUser | null) => void>();
    const texts: string[] = [];
    let receive: (message: CallMessage) => void = () => undefined;
    devices.push({ name, device, receive: (message) => receive(message) });
    let entered: string | null = null;
    let store = createStore({
      clock,
      epoch: "e",
      newId: env.newId,
      slices: initialSlices({ coreId: "c", build: "b", now: clock.now() }),
    });
    const handlers = new Set<() => void>();
    let calling = false;
    let quiet: QuietCalls = NOT_QUIET;

    const chat: ChatCommands = {
      me: () => name,
      device: () => device,
      nameOf: (one) => one.toUpperCase(),
      shownName: () => null,
      findName: (one) => Promise.resolve(one.toUpperCase()),
      onMessage(handler) {
        receive = (message) => handler(message, message.fromUser);
        return () => undefined;
      },
      async send(to, action, message) {
        await settle(2);
        if (failing.has(action)) throw new AppError("chat.send-failed");
        sent.push(message);
        if (losing.has(action)) return;
        for (const other of devices) {
          if (other.name === to) other.receive(structuredClone(message));
        }
      },
    };
    const look = (): void => {
      const now = entered === null ? undefined : conferences.get(entered);
      if (now === undefined) {
        if (store.get("conference").status !== "idle") store.set(["conference"], noConference());
      } else {
        store.set(["conference"], {
          ...noConference(),
          status: "joined",
          info: { confrId: now.confrId, name: "", type: 10, isCreator: false },
          members: Object.fromEntries(
            [...now.inside].map((memName) => [
              memName,
              { memId: memName, memName, nickName: memName, role: 3, ext: "" },
            ]),
          ),
          attrs: now.attrs,
        });
      }
      for (const handler of handlers) handler();
    };
    const leaveConference = (): void => {
      const left = entered === null ? undefined : conferences.get(entered);
      entered = null;
      left?.inside.delete(name);
      if (left?.inside.size === 0) conferences.delete(left.confrId);
      refresh();
    };
    const conference: CallConference = {
      ready: Promise.resolve(),
      async enter({ confrId }) {
        await settle(2);
        const found = conferences.get(confrId);
        if (found === undefined) throw new AppError("conference.refused");
        entered = confrId;
        found.inside.add(name);
        refresh();
      },
      exit: () => Promise.resolve(leaveConference()),
      setAttrs(changes) {
        const now = entered === null ? undefined : conferences.get(entered);
        for (const { key, val } of changes) if (now !== undefined) now.attrs[key] = val;
        refresh();
        return Promise.resolve();
      },
      forgetExit: () => undefined,
      onChange(handler) {
        handlers.add(handler);
        return () => handlers.delete(handler);
      },
    };
    const call = (async (rest: RestCall, input: { params?: never; body?: never } = {}) => {
      await settle(2);
      if (rest.id === groupCallStartCall.id) {
        const { callId, media, groupId } = groupCallStartCall.body.parse(input.body);
        const confrId = String(100_000_000 + conferences.size + ids);
        conferences.set(confrId, { confrId, callId, media, groupId, inside: new Set(), attrs: {} });
        return { confrId, callId, media };
      }
      if (rest.id === groupCallInviteCall.id) return null;
      return {
        calls: [...conferences.values()].map(({ inside, attrs: _attrs, ...one }) => ({
          ...one,
          startedBy: "x",
          startedByName: "x",
          startedAt: 0,
          inside: inside.size,
        })),
      };
    }) as Http["call"];
    const make = (): GroupCalls =>
      createGroupCalls({
        env,
        store: { ...store, notice: ({ text }) => void texts.push(text) },
        tabs: { best: () => null, onLeave: () => () => undefined },
        session: {
          user: () => account,
          accessToken: () => Promise.resolve(""),
          onUser(handler) {
            onUser.add(handler);
            return () => onUser.delete(handler);
          },
        } satisfies Session,
        http: { call },
        chat,
        conference,
        calling: () => calling,
        quiet: () => quiet,
        inConference: () => store.get("conference").status !== "idle",
      });
    let calls = make();
    everyone.push({ look, calls: () => calls });
    const tab = { tabId: "t", id: "i" };
    return {
      name,
      get quiet() {
        return quiet;
      },
      set quiet(next) {
        quiet = next;
      },
      get calling() {
        return calling;
      },
      set calling(on) {
        calling = on;
      },
      get calls() {
        return calls;
      },
      get slice() {
        return store.get("groupCall");
      },
      texts,
      start: (people: string[], groupId: string | null = null) =>
        calls.handlers.start({ media: "video", groupId, people, codecs: undefined }, tab),
      answer: (accept = true) => calls.handlers.answer({ accept, codecs: undefined }, tab),
      get rung() {
        return Object.fromEntries(
          Object.entries(store.get("conference").attrs).map(([key, text]) => [
            key,
            parsePerson(text)?.state ?? "",
          ]),
        );
      },
      drop: leaveConference,
      logout() {
        account = null;
        for (const handler of onUser) handler(null);
      },
      async restart() {
        await run();
        calls.stop();
        handlers.clear();
        const before = store.get("conference");
        const slices = initialSlices({ coreId: "c2", build: "b", now: clock.now() });
        store = createStore({ clock, epoch: "e2", newId: env.newId, slices });
        store.set(["conference"], before);
        calls = make();
        await run();
      },
    };
  }

  /** Delivers a message as another client would send it. */
  const deliver = (to: string, message: CallMessage): void => {
    for (const other of devices) if (other.name === to) other.receive(message);
  };

  return { clock, conferences, sent, failing, losing, person, run, deliver };
}
