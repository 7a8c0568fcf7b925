/**
 * Two persons for tests: a chat that delivers, a signalling server that follows the rules of protocol/signalling, tabs with media
 * ports that behave like rtc-main, and one clock. Each failure can be switched on.
 */
import type { CallReport } from "../../../shared/protocol/rest/call-records.ts";
import type { OwnCall } from "../../../shared/protocol/rest/own-calls.ts";
import { ticketPath } from "../../../shared/protocol/rest/rtc.ts";
import type { GrowthMessage } from "../../../shared/protocol/call-growth.ts";
import type { CallAction, CallMessage } from "../../../shared/protocol/call-message.ts";
import type { CallSlice } from "../../../shared/protocol/state.ts";
import { NOT_QUIET, type QuietCalls } from "../../../shared/protocol/quiet-calls.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Claim, CoreEnv, Session, SessionUser, TabInfo, Tabs } from "../contracts.ts";
import {
  createFakeClock,
  createFakeEnv,
  createFakeOnline,
  settle,
  UNREAD_STATS,
} from "../core.fake.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { createFakeChat, type FakeChat } from "./chat.fake.ts";
import { createCalls } from "./index.ts";
import { createFakeStore, type FakeStore } from "./store.fake.ts";
import { FakeNet, FakeTab } from "./tab.fake.ts";
import { FakeServer } from "./server.fake.ts";

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
  readonly chat: FakeChat;
  person(user: string, device?: string, engine?: "native" | "agora"): Person;
  /** Runs everything that is due while time passes in small steps. */
  run(ms?: number): Promise<void>;
}

/** @param callSignalling what carries the signalling of calls */
export function createWorld(callSignalling: "websocket" | "chat" = "websocket"): World {
  const clock = createFakeClock();
  const net = new FakeNet();
  const server = new FakeServer();
  const chat = createFakeChat();
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
    const chatDevice = chat.device(user, device);
    const online = createFakeOnline();
    const fake = createFakeEnv();
    const env: CoreEnv = {
      ...fake,
      config: {
        ...fake.config,
        engine,
        callSignalling,
        agora: engine === "agora" ? { appId: "app" } : null,
      },
      clock,
      online,
      newId: () => `id${(ids += 1)}`,
      openSocket: () => server.open(),
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
      media: (tabId) => tabs.get(tabId)?.mediaPort ?? null,
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
      reports: [] as CallReport[],
      refuseReports: null as AppError | null,
      own: [] as OwnCall[],
      async call(call: { id: string }, input?: { body: CallReport }) {
        await settle(2);
        if (call.id === "calls.own" || input === undefined) return { calls: http.own };
        const { body } = input;
        if (http.refuseReports !== null) throw http.refuseReports;
        http.reports.push(body);
        return null;
      },
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
        const confrId = body.confrId ?? `channel${(conferences += 1)}`;
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
        chat: chatDevice.commands,
        signals: chatDevice.signals,
        async sendText(to, text) {
          await settle(2);
          chat.texts.push({ from: user, to, text });
        },
        stats: UNREAD_STATS,
        qoe,
        nextEpoch: (last) => last + 1,
        busy: () => conference,
        quiet: () => quiet,
        onGrowth: (message) => void growth.push(message),
        onClosed: () => undefined,
      });
    const growth: GrowthMessage[] = [];
    let conference = false;
    let quiet: QuietCalls = NOT_QUIET;
    let calls = build();
    const first = new FakeTab(`${user}-1`, net, 10);
    tabs.set(first.tabId, first);
    const context = (tabId = first.tabId) => ({ tabId, id: `cmd${(ids += 1)}` });

    return {
      user,
      env,
      http,
      qoe,
      growth,
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
      goOn: () => calls.handlers.goOn({}, context()),
      reports: fake.reports,
      setQuiet(next) {
        quiet = next;
      },
      enterConference() {
        conference = true;
      },
      setUser(next) {
        account = next;
        for (const handler of onUser) handler(next);
      },
      receive(message, from = message.fromUser) {
        chatDevice.receive(message, from);
      },
      connectChat: chatDevice.connect,
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

  const { sent, failing, losing } = chat;
  return { clock, net, server, chat, sent, failing, losing, person, run };
}

export interface Person {
  readonly user: string;
  readonly env: CoreEnv;
  readonly http: {
    refuse: AppError | null;
    requests: { path: string; body: unknown }[];
    /** Records of ended calls that the server has. */
    reports: CallReport[];
    /** What the server says of the person's calls on all devices. */
    own: OwnCall[];
    refuseReports: AppError | null;
  };
  readonly qoe: { readonly log: string[] };
  /** What the other side said about becoming a group call. */
  readonly growth: readonly GrowthMessage[];
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
  setLocal(local: { audioMuted?: boolean; videoOff?: boolean; publish?: true }): Promise<null>;
  bringHere(tabId: string): Promise<null>;
  goOn(): Promise<null>;
  /** Lines of the developers' log. */
  readonly reports: readonly string[];
  /** Sets what the person has chosen for calls. */
  setQuiet(quiet: QuietCalls): void;
  /** Puts the person in a conference. */
  enterConference(): void;
  setUser(user: SessionUser | null): void;
  receive(message: CallMessage, from?: string): void;
  /** The chat connection opens, or is lost. */
  connectChat(open: boolean): void;
  /** The core dies; returns its tabs, which keep running. */
  crashCore(): FakeTab[];
  startCore(over?: Partial<CoreEnv>): void;
}
