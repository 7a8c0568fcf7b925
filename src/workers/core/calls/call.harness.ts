/**
 * Two persons for tests: a chat that delivers, a signalling server that follows the rules of protocol/signalling, tabs with media
 * ports that behave like rtc-main, and one clock. Each failure can be switched on.
 */
import { ticketPath } from "../../../shared/protocol/rest/rtc.ts";
import type { CallAction, CallMessage } from "../../../shared/protocol/call-message.ts";
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import {
  clientSignalSchema,
  OP,
  RESULT,
  type PeerMessage,
  type ServerSignal,
} from "../../../shared/protocol/signalling.ts";
import type { CallSlice, QualitySlice } from "../../../shared/protocol/state.ts";
import { AppError, type WireError } from "../../../shared/errors.ts";
import type {
  ChatCommands,
  Claim,
  CoreEnv,
  MediaPort,
  Session,
  SessionUser,
  SocketLike,
  Store,
  TabInfo,
  Tabs,
} from "../contracts.ts";
import { createFakeClock, createFakeEnv, createFakeOnline, settle } from "../core.fake.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { createCalls } from "./index.ts";

export type FakeStore = Store & {
  readonly notices: { style: string; text: string; key: string }[];
  readonly call: CallSlice;
};
export function createFakeStore(): FakeStore {
  const quality: QualitySlice = {
    upload: "closed",
    uploadAttempts: 0,
    uploadQueued: 0,
    streams: {},
    events: [],
  };
  const slices: Record<string, unknown> = { call: {}, quality };
  const notices: FakeStore["notices"] = [];
  const parentOf = (path: readonly (string | number)[]): Record<string, unknown> => {
    let at = slices as Record<string, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
    return at;
  };
  return {
    get: (slice) => slices[slice] as never,
    set(path, value) {
      parentOf(path)[String(path.at(-1))] = structuredClone(value);
    },
    del(path) {
      delete parentOf(path)[String(path.at(-1))];
    },
    flush: () => undefined,
    notice: ({ style, text, key }) => void notices.push({ style, text, key }),
    notices,
    get call() {
      return slices["call"] as CallSlice;
    },
  };
}

/** Connections between tabs: connected when both sides have both descriptions and the network is up. */
class Net {
  up = true;
  offers = 0;
  readonly restarts: string[] = [];
  readonly ends = new Map<string, Set<FakeTab>>();
  meet(rtcId: string, tab: FakeTab): void {
    const ends = this.ends.get(rtcId) ?? new Set<FakeTab>();
    ends.add(tab);
    this.ends.set(rtcId, ends);
  }
  complete(rtcId: string): void {
    if (this.up) this.ice(rtcId, "connected");
  }
  ice(rtcId: string, state: Extract<MediaEvent, { t: "ice" }>["state"]): void {
    for (const tab of this.ends.get(rtcId) ?? []) tab.emit({ t: "ice", rtcId, state });
  }
}

type Emitted = MediaEvent extends infer T ? (T extends unknown ? Omit<T, "epoch"> : never) : never;

export class FakeTab {
  readonly commands: MediaCommand[] = [];
  readonly rtcIds = new Set<string>();
  epoch: number | null = null;
  callId = "";
  /** Answers nothing, like a frozen page. */
  frozen = false;
  openError: WireError | null = null;
  hasVideo = true;
  /** Opens the devices only on request, like a browser that shows a permission prompt. */
  prompt = false;
  private handlers = new Set<(event: MediaEvent) => void>();
  readonly tabId: string;
  private readonly net: Net;
  focusedAt: number;
  visible = true;

  constructor(tabId: string, net: Net, focusedAt: number) {
    this.tabId = tabId;
    this.net = net;
    this.focusedAt = focusedAt;
  }
  get info(): TabInfo {
    const { tabId, visible, focusedAt } = this;
    return { tabId, visible, focusedAt, connectedAt: 0 };
  }
  get claim(): Claim | null {
    return this.epoch === null
      ? null
      : { callId: this.callId, ownerEpoch: this.epoch, rtcIds: [...this.rtcIds] };
  }
  of<T extends MediaCommand["t"]>(t: T): Extract<MediaCommand, { t: T }>[] {
    return this.commands.filter((c) => c.t === t) as Extract<MediaCommand, { t: T }>[];
  }
  emit(event: Emitted, epoch = this.epoch): void {
    if (epoch === null) return;
    for (const handler of this.handlers) handler({ ...event, epoch } as MediaEvent);
  }
  /** Removes the old core's handlers, for a new core. */
  detach(): void {
    this.handlers = new Set();
  }
  readonly link: MediaPort = {
    onEvent: (handler) => {
      this.handlers.add(handler);
      return () => this.handlers.delete(handler);
    },
    send: (command) => {
      if (this.frozen) return;
      this.commands.push(structuredClone(command));
      queueMicrotask(() => this.handle(command));
    },
  };
  opened(): void {
    if (this.openError === null)
      this.emit({ t: "opened", hasAudio: true, hasVideo: this.hasVideo });
    else this.emit({ t: "failed", error: this.openError });
  }
  private handle(command: MediaCommand): void {
    if (command.t === "own") {
      this.epoch = command.epoch;
      this.callId = command.callId;
      this.rtcIds.clear();
      this.emit({ t: "owned" });
      if (!this.prompt) this.opened();
      return;
    }
    if (command.epoch !== this.epoch) return;
    if (command.t === "replay") {
      if (!this.prompt) this.opened();
    } else if (command.t === "release") {
      this.emit({ t: "released" });
      this.epoch = null;
      this.rtcIds.clear();
    } else if (command.t === "offer") {
      this.rtcIds.add(command.rtcId);
      this.net.offers += 1;
      if (command.iceRestart) this.net.restarts.push(command.rtcId);
      this.net.meet(command.rtcId, this);
      const sdp = `offer ${command.rtcId} ${this.net.offers}`;
      const { rtcId, iceRestart } = command;
      this.emit({ t: "description", rtcId, type: "offer", sdp, iceRestart });
      this.emit({ t: "candidates", rtcId, cands: [{ candidate: `of ${this.tabId}` }] });
    } else if (command.t === "description") {
      this.rtcIds.add(command.rtcId);
      this.net.meet(command.rtcId, this);
      const { rtcId } = command;
      if (command.type === "answer") this.net.complete(rtcId);
      else {
        this.emit({
          t: "description",
          rtcId,
          type: "answer",
          sdp: `to ${command.sdp}`,
          iceRestart: false,
        });
        this.emit({ t: "candidates", rtcId, cands: [{ candidate: `of ${this.tabId}` }] });
      }
    } else if (command.t === "close") {
      this.rtcIds.delete(command.rtcId);
      this.net.ends.get(command.rtcId)?.delete(this);
    }
  }
}

interface ServerSocket {
  readonly socket: SocketLike;
  memName: string;
  sessId: string;
  confrId: string;
}

/** The signalling server: one session per member and conference; the test controls the grace time of lost sockets. */
class Server {
  up = true;
  /** Result with which the next enters are refused. */
  refuse = 0;
  /** Sockets whose messages the server does not receive: half-open connections. */
  deaf = new Set<ServerSocket>();
  refusals = Number.POSITIVE_INFINITY;
  /** Relays for which this returns true are lost without an answer. */
  swallow: ((from: string, body: PeerMessage) => boolean) | null = null;
  /** All relays are lost without an answer. */
  mute = false;
  readonly relayed: { from: string; body: PeerMessage }[] = [];
  readonly terminated: { from: string; reason: number }[] = [];
  readonly sockets = new Set<ServerSocket>();
  readonly members = new Map<string, ServerSocket | null>();
  readonly sessions = new Map<string, string>();
  private ids = 0;

  open(): SocketLike {
    const entry: ServerSocket = {
      socket: this.socket(() => entry),
      memName: "",
      sessId: "",
      confrId: "",
    };
    queueMicrotask(() => {
      if (entry.socket.readyState === 3) return;
      if (!this.up) {
        this.end(entry, 1006);
        return;
      }
      this.sockets.add(entry);
      states.get(entry.socket)!.readyState = 1; // made two lines above
      entry.socket.onopen?.();
    });
    return entry.socket;
  }
  private socket(entry: () => ServerSocket): SocketLike {
    const state = { readyState: 0 };
    const socket: SocketLike = {
      get readyState() {
        return state.readyState;
      },
      onopen: null,
      onmessage: null,
      onclose: null,
      onerror: null,
      send: (data) => {
        const text = data;
        queueMicrotask(() => this.receive(entry(), JSON.parse(text)));
      },
      close: () => {
        state.readyState = 3;
        this.lost(entry());
      },
    };
    states.set(socket, state);
    return socket;
  }
  private lost(entry: ServerSocket): void {
    this.sockets.delete(entry);
    const key = `${entry.confrId} ${entry.memName}`;
    if (this.members.get(key) === entry) this.members.set(key, null);
  }
  end(entry: ServerSocket, code: number): void {
    states.get(entry.socket)!.readyState = 3; // every socket has one
    this.lost(entry);
    entry.socket.onclose?.({ code, reason: "" });
  }
  /** Like a restart: sockets end and sessions are forgotten. */
  crash(): void {
    this.up = false;
    const all = [...this.sockets];
    this.members.clear();
    this.sessions.clear();
    for (const entry of all) this.end(entry, 1006);
  }
  /** The member leaves as if it had requested it. */
  leave(key: string): void {
    const entry = this.members.get(key);
    this.members.delete(key);
    if (entry == null) return;
    for (const { to } of this.others(entry)) {
      this.send(to, {
        op: OP.memberExited,
        sessId: to?.sessId ?? "",
        memId: entry.memName,
        endReason: 0,
      });
    }
  }
  private send(entry: ServerSocket | null | undefined, signal: ServerSignal): boolean {
    if (entry == null || !this.sockets.has(entry)) return false;
    entry.socket.onmessage?.({ data: JSON.stringify(signal) });
    return true;
  }
  private others(entry: ServerSocket): { memName: string; to: ServerSocket | null }[] {
    return [...this.members]
      .filter(([key]) => key.startsWith(`${entry.confrId} `))
      .map(([key, to]) => ({ memName: key.split(" ")[1] ?? "", to }))
      .filter(({ memName }) => memName !== entry.memName);
  }
  private receive(entry: ServerSocket, json: unknown): void {
    if (!this.sockets.has(entry) || this.deaf.has(entry)) return;
    const signal = clientSignalSchema.parse(json);
    const { tsxId } = signal;
    if (signal.op === OP.enter) {
      if (this.refuse !== 0 && this.refusals > 0) {
        this.refusals -= 1;
        this.send(entry, { op: OP.enter, tsxId, result: this.refuse });
        return;
      }
      const { confrId, memName } = signal.ticket;
      Object.assign(entry, { confrId, memName });
      const key = `${confrId} ${memName}`;
      const resumed = signal.sessId !== undefined && this.sessions.get(key) === signal.sessId;
      entry.sessId = resumed ? (signal.sessId ?? "") : `s${(this.ids += 1)}`;
      const wasAway = this.members.get(key) == null;
      this.sessions.set(key, entry.sessId);
      this.members.set(key, entry);
      const member = (name: string) => ({
        memId: name,
        memName: name,
        nickName: "",
        role: 3 as const,
      });
      this.send(entry, {
        op: OP.enter,
        tsxId,
        result: 0,
        sessId: entry.sessId,
        memId: memName,
        resumed,
        mems: this.others(entry).map((o) => member(o.memName)),
      });
      if (!resumed || wasAway) {
        for (const { to } of this.others(entry)) {
          this.send(to, { op: OP.memberEntered, sessId: to?.sessId ?? "", mem: member(memName) });
        }
      }
      return;
    }
    const { sessId } = signal;
    if (signal.op === OP.ping) this.send(entry, { op: OP.pong, tsxId, sessId });
    else if (signal.op === OP.relay) {
      if (this.mute || this.swallow?.(entry.memName, signal.body) === true) return;
      const to = this.members.get(`${entry.confrId} ${signal.to}`);
      const sent = this.send(to, {
        op: OP.relay,
        sessId: to?.sessId ?? "",
        from: entry.memName,
        body: signal.body,
      });
      if (sent) this.relayed.push({ from: entry.memName, body: signal.body });
      this.send(entry, { op: OP.relay, tsxId, sessId, result: sent ? 0 : RESULT.notFound });
    } else if (signal.op === OP.terminate) {
      this.terminated.push({ from: entry.memName, reason: signal.reason });
      this.send(entry, { op: OP.terminate, tsxId, sessId, result: 0 });
      for (const { to } of this.others(entry)) {
        this.send(to, {
          op: OP.terminate,
          sessId: to?.sessId ?? "",
          from: entry.memName,
          endReason: signal.reason,
        });
      }
    } else if (signal.op === OP.leave) {
      this.members.delete(`${entry.confrId} ${entry.memName}`);
      this.send(entry, { op: OP.leave, tsxId, sessId, result: 0 });
      for (const { to } of this.others(entry)) {
        this.send(to, {
          op: OP.memberExited,
          sessId: to?.sessId ?? "",
          memId: entry.memName,
          endReason: 0,
        });
      }
    }
  }
}
const states = new WeakMap<SocketLike, { readyState: number }>();

type Handler = (message: CallMessage, from: string) => void;
interface Device {
  readonly user: string;
  readonly device: string;
  handlers: Set<Handler>;
}

export interface World {
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly net: Net;
  readonly server: Server;
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
  const net = new Net();
  const server = new Server();
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
          type: "P2P",
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
        stats: { socket: () => undefined, socketTraffic: () => undefined },
        qoe,
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
