/**
 * Two persons for tests: a chat that delivers, a signalling server that follows the rules of protocol/signalling, tabs with media
 * ports that behave like rtc-main, and one clock. Each failure can be switched on.
 */
import { ticketPath } from "../../../shared/protocol/rest/rtc.ts";
import type { CallAction, CallMessage } from "../../../shared/protocol/call-message.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";
import { AppError } from "../../../shared/errors.ts";
import type {
  ChatCommands,
  Claim,
  CoreEnv,
  Session,
  SessionUser,
  TabInfo,
  Tabs,
} from "../contracts.ts";
import {
  createFakeClock,
  createFakeEnv,
  createFakeOnline,
  settle,
  UNREAD_STATS,
} from "../core.fake.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { createCalls } from "./index.ts";
import { createFakeStore, type FakeStore } from "./store.fake.ts";
import { FakeNet, FakeTab } from "./tab.fake.ts";
import { FakeServer } from "./server.fake.ts";

type Handler = (message: CallMessage, from: string) => void;
interface Device {
  readonly user: string;
  readonly device: string;
  handlers: Set<Handler>;
}

export interface World {
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly net: FakeNet;
  readonly server: FakeServer;
  /** Every message that chat has carried. */
  readonly sent: CallMessage[];
  /** Actions whose sending fails. */
  readonly failing: Set<CallAction>;
  /** Actions that chat loses without an error. */
  readonly losing: Set<CallAction>;
  person(user: string, device?: string, engine?: "native" | "agora"): Person;
  /** Runs everything that is due while time passes in small steps. */
  run(ms?: number): Promise<void>;
}

export function createWorld(): World {
  const clock = createFakeClock();
  const net = new FakeNet();
  const server = new FakeServer();
  const sent: CallMessage[] = [];
  const failing = new Set<CallAction>();
  const losing = new Set<CallAction>();
  const devices = new Set<Device>();
  let ids = 0;
  let conferences = 0;

  const run = async (ms = 0): Promise<void> => {
    await settle(120);
    for (let left = ms; left > 0; left -= 50) {
      clock.advance(Math.min(50, left));
      await settle(60);
    }
  };

  const person: World["person"] = (user, device = `${user}-pc`, engine = "native") => {
    const entry: Device = { user, device, handlers: new Set() };
    devices.add(entry);
    const online = createFakeOnline();
    const fake = createFakeEnv();
    const env: CoreEnv = {
      ...fake,
      config: { ...fake.config, engine, agora: engine === "agora" ? { appId: "app" } : null },
      clock,
      online,
      newId: () => `id${(ids += 1)}`,
      openSocket: () => server.open(),
    };
    const chat: ChatCommands = {
      me: () => user,
      device: () => device,
      nameOf: (name) => name.toUpperCase(),
      onMessage(handler) {
        entry.handlers.add(handler);
        return () => entry.handlers.delete(handler);
      },
      async send(to, action, ext) {
        await settle(2);
        if (failing.has(action)) throw new AppError("chat.send-failed");
        sent.push(ext);
        if (losing.has(action)) return;
        for (const other of devices) {
          if (other.user !== to) continue;
          for (const handler of other.handlers) handler(structuredClone(ext), user);
        }
      },
    };
    let account: SessionUser | null = {
      accountId: `acc-${user}`,
      username: user,
      name: user,
      supplierId: null,
    };
    const onUser = new Set<(user: SessionUser | null) => void>();
    const session: Session = {
      user: () => account,
      accessToken: () => Promise.resolve("token"),
      onUser(handler) {
        onUser.add(handler);
        return () => onUser.delete(handler);
      },
    };
    const tabs = new Map<string, FakeTab>();
    const joins = new Set<(tab: TabInfo, claim: Claim | null) => void>();
    const leaves = new Set<(tabId: string) => void>();
    const fakeTabs: Tabs = {
      list: () => [...tabs.values()].map((tab) => tab.info),
      best: (except) =>
        [...tabs.values()]
          .filter((tab) => tab.tabId !== except)
          .sort((a, b) => Number(b.visible) - Number(a.visible) || b.focusedAt - a.focusedAt)
          .map((tab) => tab.info)[0] ?? null,
      media: (tabId) => tabs.get(tabId)?.link ?? null,
      onJoin(handler) {
        joins.add(handler);
        return () => joins.delete(handler);
      },
      onLeave(handler) {
        leaves.add(handler);
        return () => leaves.delete(handler);
      },
    };
    const http = {
      refuse: null as AppError | null,
      requests: [] as { path: string; body: unknown }[],
      async provider(
        request: { path: string; body?: unknown },
        schema: { parse(v: unknown): unknown },
      ) {
        http.requests.push({ path: request.path, body: request.body });
        await settle(2);
        if (http.refuse !== null) throw http.refuse;
        if (request.path !== ticketPath("easemob")) {
          return schema.parse({ code: "200", accessToken: "agora", expireTime: 1, agoraUserId: 7 });
        }
        const body = request.body as { uid: string; confrId?: string };
        const confrId = body.confrId ?? `room${(conferences += 1)}`;
        return schema.parse({
          error: 0,
          confrId,
          type: 13,
          ticket: {
            confrId,
            memName: body.uid,
            tktId: "t",
            url: "/signalling",
            type: "P2P",
            timestamp: 1,
          },
          rtcCfg: { iceServers: [] },
        });
      },
    };
    const qoe: Qoe & { log: string[] } = {
      log: [],
      start: () => void qoe.log.push("start"),
      event: (code) => void qoe.log.push(`event ${code}`),
      mark: (kind) => void qoe.log.push(kind),
      samples: () => void qoe.log.push("samples"),
      stop: () => void qoe.log.push("stop"),
      close: () => void qoe.log.push("close"),
    };
    let store = createFakeStore();
    const build = (over: Partial<CoreEnv> = {}) =>
      createCalls({
        env: { ...env, ...over },
        store,
        tabs: fakeTabs,
        session,
        http: http as never,
        chat,
        stats: UNREAD_STATS,
        qoe,
        nextEpoch: (last) => last + 1,
        busy: () => conference,
      });
    let conference = false;
    let calls = build();
    const first = new FakeTab(`${user}-1`, net, 10);
    tabs.set(first.tabId, first);
    const context = (tabId = first.tabId) => ({ tabId, id: `cmd${(ids += 1)}` });

    return {
      user,
      env,
      http,
      qoe,
      tabs,
      first,
      online,
      get store() {
        return store;
      },
      get call() {
        return store.call;
      },
      get calls() {
        return calls;
      },
      texts: () => store.notices.map((notice) => notice.text),
      addTab(tabId, focusedAt = 1) {
        const tab = new FakeTab(tabId, net, focusedAt);
        tabs.set(tabId, tab);
        for (const handler of joins) handler(tab.info, null);
        return tab;
      },
      joinTab(tab) {
        tabs.set(tab.tabId, tab);
        for (const handler of joins) handler(tab.info, tab.claim);
      },
      leaveTab(tab) {
        tabs.delete(tab.tabId);
        tab.epoch = null;
        for (const handler of leaves) handler(tab.tabId);
      },
      start: (userName, media = "video", tabId) =>
        calls.handlers.start({ userName, name: "", media }, context(tabId)),
      answer: (accept = true, tabId) => calls.handlers.answer({ accept }, context(tabId)),
      hangup: () => calls.handlers.hangup({}, context()),
      setLocal: (local) => calls.handlers.setLocal(local, context()),
      bringHere: (tabId) => calls.handlers.bringHere({}, context(tabId)),
      enterConference() {
        conference = true;
      },
      setUser(next) {
        account = next;
        for (const handler of onUser) handler(next);
      },
      receive(message, from = message.fromUser) {
        for (const handler of entry.handlers) handler(message, from);
      },
      crashCore() {
        calls.stop();
        const all = [...tabs.values()];
        tabs.clear();
        for (const tab of all) tab.detach();
        store = createFakeStore();
        return all;
      },
      startCore(over) {
        calls = build(over);
      },
    };
  };

  return { clock, net, server, sent, failing, losing, person, run };
}

export interface Person {
  readonly user: string;
  readonly env: CoreEnv;
  readonly http: { refuse: AppError | null; requests: { path: string; body: unknown }[] };
  readonly qoe: { readonly log: string[] };
  readonly tabs: Map<string, FakeTab>;
  readonly first: FakeTab;
  readonly online: ReturnType<typeof createFakeOnline>;
  readonly store: FakeStore;
  readonly call: CallSlice;
  readonly calls: ReturnType<typeof createCalls>;
  texts(): string[];
  addTab(tabId: string, focusedAt?: number): FakeTab;
  joinTab(tab: FakeTab): void;
  leaveTab(tab: FakeTab): void;
  start(userName: string, media?: "voice" | "video", tabId?: string): Promise<{ callId: string }>;
  answer(accept?: boolean, tabId?: string): Promise<null>;
  hangup(): Promise<null>;
  setLocal(local: { audioMuted?: boolean; videoOff?: boolean }): Promise<null>;
  bringHere(tabId: string): Promise<null>;
  /** Puts the person in a conference. */
  enterConference(): void;
  setUser(user: SessionUser | null): void;
  receive(message: CallMessage, from?: string): void;
  /** The core dies; returns its tabs, which keep running. */
  crashCore(): FakeTab[];
  startCore(over?: Partial<CoreEnv>): void;
}
