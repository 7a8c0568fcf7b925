/** Fakes for tests of conferences: a tab that only pretends to connect, a signalling server of one conference, and its REST calls. */
import type { CaptureSources } from "../../../shared/protocol/confr-publish.ts";
import { AppError } from "../../../shared/errors.ts";
import { noConference } from "../../../shared/protocol/initial-state.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../../shared/protocol/confr-media.ts";
import {
  type ConferenceMember,
  type ConferenceRole,
  type ConferenceStream,
} from "../../../shared/protocol/confr-model.ts";
import { type ConferenceClientSignal, toWire } from "../../../shared/protocol/confr-signalling.ts";
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { ConferenceSlice } from "../../../shared/protocol/state.ts";
import type { Claim, MediaPort, SessionUser, Store, TabInfo, Tabs } from "../contracts.ts";
import type { CaptureStates } from "./local.ts";
import { createFakeEnv, type FakeSocket, settle, UNREAD_STATS } from "../core.fake.ts";
import { type Conferences, type ConferencesDeps, createConferences } from "./index.ts";

type Slices = Record<string, unknown>;

export class PaperTab {
  readonly orders: ConferenceMediaCommand[] = [];
  readonly openConnections = new Map<string, ConferenceMediaCommand["t"]>();
  epoch: number | null = null;
  callId = "";
  /** The ICE servers that the tab got when it became the owner. */
  iceServers: unknown = null;
  /** How often the tab was asked for samples. */
  samples = 0;
  /** The size of the published picture; null: the tab does not report it. */
  size: { readonly w: number; readonly h: number } | null = null;
  frozen = false;
  private held: MediaCommand[] = [];
  /** Connections become connected automatically. */
  auto = true;
  handlers = new Set<(event: MediaEvent) => void>();
  readonly info: TabInfo;
  constructor(tabId: string, focusedAt: number) {
    this.info = { tabId, visible: true, focusedAt, connectedAt: 0 };
  }
  get claim(): Claim | null {
    return this.epoch === null
      ? null
      : { callId: this.callId, ownerEpoch: this.epoch, rtcIds: [...this.openConnections.keys()] };
  }
  emit(event: object): void {
    for (const handler of this.handlers) handler({ ...event, epoch: this.epoch } as MediaEvent);
  }
  emitConferenceEvent(body: ConferenceMediaEvent): void {
    this.emit({ t: "conference", body });
  }
  ice(rtcId: string, state: "connected" | "disconnected" | "failed" | "closed"): void {
    this.emitConferenceEvent({ t: "ice", rtcId, state });
  }
  readonly mediaPort: MediaPort = {
    onEvent: (handler) => {
      this.handlers.add(handler);
      return () => this.handlers.delete(handler);
    },
    send: (command) => {
      if (this.frozen) this.held.push(command);
      else this.obey(command);
    },
  };
  /** The thread is free again, and the tab obeys what came meanwhile. */
  thaw(): void {
    this.frozen = false;
    for (const command of this.held.splice(0)) this.obey(command);
  }
  /** The results of opening the devices. */
  devices: CaptureStates = { audio: "on", video: "on" };
  retries = 0;
  /** Where the core says that sound and picture come from. */
  sources: CaptureSources | undefined;
  /** The devices that a tab would have opened, each once. */
  readonly opened: ("audio" | "video")[] = [];
  private wanted: { audioOff?: boolean | undefined; videoOff: boolean } = { videoOff: false };
  private last = "";
  private want(command: Extract<MediaCommand, { t: "own" | "local" }>): void {
    this.wanted = command;
    this.sources = command.sources;
    const isOff = { audio: command.audioOff === true, video: command.videoOff };
    for (const kind of ["audio", "video"] as const) {
      const opens = !isOff[kind] && command.sources?.[kind] !== "own";
      if (opens && !this.opened.includes(kind)) this.opened.push(kind);
    }
  }
  /** Reports the device states if they changed, as a tab does. */
  capture(): void {
    if (this.epoch === null) return;
    const audio = this.wanted.audioOff === true ? "off" : this.devices.audio;
    const video = this.wanted.videoOff ? "off" : this.devices.video;
    const now = `${this.epoch} ${audio} ${video}`;
    if (now === this.last) return;
    this.last = now;
    this.emit({ t: "capture", audio, video });
  }
  private obey(command: MediaCommand): void {
    if (command.t === "own") {
      if (this.callId !== command.callId) this.openConnections.clear();
      this.epoch = command.epoch;
      this.callId = command.callId;
      this.want(command);
      this.iceServers = command.rtcCfg.iceServers;
      queueMicrotask(() => {
        this.emit({ t: "owned" });
        this.capture();
      });
      return;
    }
    if (command.t === "release") {
      const { epoch } = command;
      this.openConnections.clear();
      for (const handler of this.handlers) handler({ t: "released", epoch });
      this.epoch = null;
      return;
    }
    if (command.t === "replay" && command.epoch === this.epoch) {
      queueMicrotask(() => {
        this.emit({ t: "owned" });
        this.capture();
      });
      return;
    }
    if (command.t === "local" && command.epoch === this.epoch) {
      this.want(command);
      if (command.retry) {
        this.retries += 1;
        this.last = "";
      }
      queueMicrotask(() => this.capture());
      return;
    }
    if (command.t === "sample") this.samples += 1;
    if (command.t !== "conference" || command.epoch !== this.epoch) return;
    const { body } = command;
    this.orders.push(body);
    if (body.t === "publish") {
      this.openConnections.set(body.rtcId, "publish");
      const { rtcId, restart } = body;
      if (this.size !== null) this.emitConferenceEvent({ t: "resolution", rtcId, ...this.size });
      queueMicrotask(() =>
        this.emitConferenceEvent({ t: "description", rtcId, type: "offer", sdp: "offer", restart }),
      );
    } else if (body.t === "subscribe") {
      this.openConnections.set(body.rtcId, "subscribe");
      const { rtcId, restart } = body;
      queueMicrotask(() =>
        this.emitConferenceEvent({ t: "description", rtcId, type: "offer", sdp: "offer", restart }),
      );
    } else if (body.t === "offer") {
      const { rtcId } = body;
      queueMicrotask(() => {
        this.emitConferenceEvent({
          t: "description",
          rtcId,
          type: "answer",
          sdp: "answer",
          restart: false,
        });
        if (this.auto) this.ice(rtcId, "connected");
      });
    } else if (body.t === "answer") {
      const { rtcId } = body;
      if (this.auto) queueMicrotask(() => this.ice(rtcId, "connected"));
    } else if (body.t === "close") this.openConnections.delete(body.rtcId);
  }
}

/** The server of one conference, with one real member. The test plays the other members. */
export class PaperServer {
  cver = 0;
  sessions = 0;
  sessId = "";
  members = new Map<string, ConferenceMember>();
  streams = new Map<string, ConferenceStream>();
  readonly heard: ConferenceClientSignal[] = [];
  socket: FakeSocket | null = null;
  /** Answers that replace success, by op. */
  refuse: Partial<
    Record<number, { result: number; endReason?: number; msg?: string; wait?: number }>
  > = {};
  /** Whether the session survives a lost socket. */
  resumes = true;
  role: ConferenceRole = 7;
  /** The ICE servers in the answer to an enter. */
  iceServers: readonly { urls: string }[] | null = null;
  /** The address in the answer to an enter. */
  yourIp: string | null = null;
  /** The marks over all streams, as the answers to enter and copy have them. */
  annotations: readonly object[] = [];
  /** The server receives frames and answers none. */
  mute = false;
  /** Own streams by their connections. */
  readonly rtcIds = new Map<string, string>();
  private ids = 0;

  sendFrame(frame: object): void {
    this.cver += 1;
    this.socket?.receive({ ...frame, sessId: this.sessId, cver: this.cver });
  }
  enter(memId: string, role: ConferenceRole = 3): ConferenceMember {
    const mem: ConferenceMember = {
      memId,
      memName: memId,
      nickName: memId,
      role,
      ext: "",
      acptOps: [],
      vcodes: [],
    };
    this.members.set(memId, mem);
    this.sendFrame({ op: 300, mem: toWire(mem) });
    return mem;
  }
  /** A member's role or mute changes. */
  change(memId: string, part: Partial<ConferenceMember>, roleToken = "token"): void {
    const before = this.members.get(memId);
    if (before === undefined) throw new Error(`nobody is ${memId}`);
    const mem = { ...before, ...part };
    this.members.set(memId, mem);
    if (memId === "me" && part.role !== undefined) {
      this.socket?.receive({ op: 412, sessId: this.sessId, role: part.role, roleToken });
    }
    this.sendFrame({ op: 310, mem: toWire(mem) });
  }
  publish(
    memId: string,
    id: string,
    type: ConferenceStream["type"] = 0,
    rtcId = `r-${id}`,
  ): ConferenceStream {
    const stream: ConferenceStream = {
      id,
      memId,
      type,
      voff: 0,
      aoff: 0,
      hasVideo: true,
      hasAudio: true,
      sver: (this.streams.get(id)?.sver ?? 0) + 1,
      vcodes: ["VP8"],
      layers: ["low", "high"],
      resolution: null,
      ext: "",
    };
    this.streams.set(id, stream);
    // A publisher learns its own stream by its answer.
    if (memId === "me") this.rtcIds.set(rtcId, id);
    if (memId === "me") this.cver += 1;
    else this.sendFrame({ op: 302, memId, pubS: stream });
    return stream;
  }
  requestsOfOp(op: number): ConferenceClientSignal[] {
    return this.heard.filter((frame) => frame.op === op);
  }
  handle(socket: FakeSocket, frame: ConferenceClientSignal): void {
    this.heard.push(frame);
    if (this.mute) return;
    const { tsxId } = frame;
    if (frame.op === 200 && this.refuse[200] !== undefined) {
      socket.receive({ op: 1001, tsxId, ...this.refuse[200] });
      return;
    }
    if (frame.op === 200) {
      this.socket = socket;
      const resumed = this.resumes && frame.sessId !== undefined && frame.sessId === this.sessId;
      if (!resumed) {
        this.sessions += 1;
        this.sessId = `s${this.sessions}`;
        for (const one of this.streams.values())
          if (one.memId === "me") this.streams.delete(one.id);
      }
      const self: ConferenceMember = {
        memId: "me",
        memName: "me",
        nickName: "我",
        role: this.role,
        ext: "",
        acptOps: [],
        vcodes: [],
      };
      this.members.set("me", self);
      socket.receive({
        op: 1001,
        tsxId,
        result: 0,
        sessId: this.sessId,
        memId: "me",
        role: this.role,
        roleToken: "token",
        mems: [...this.members.values()].map(toWire),
        streams: [...this.streams.values()],
        cver: this.cver,
        cattrs: [],
        cstate: { muteAll: false },
        annotations: this.annotations,
        resumed,
        ...(this.yourIp === null ? {} : { yourIp: this.yourIp }),
        ...(this.iceServers === null ? {} : { rtcCfg: { iceServers: this.iceServers } }),
      });
      return;
    }
    if (frame.op === 100) {
      socket.receive({ op: 101, tsxId, sessId: this.sessId, cver: this.cver });
      return;
    }
    const refusal = this.refuse[frame.op];
    const answer = { op: 1001, tsxId, sessId: this.sessId, result: 0, ...refusal };
    if (frame.op === 102) {
      if (refusal !== undefined) {
        socket.receive({ ...answer, rtcId: frame.rtcId });
        return;
      }
      const { rtcId, pubS, subSId } = frame;
      if (pubS === undefined) socket.receive({ ...answer, rtcId, streamId: subSId });
      else {
        this.ids += 1;
        const id = pubS.id ?? `own${this.ids}`;
        // The same connection again is an ICE restart.
        const known = this.rtcIds.has(rtcId);
        const { voff, aoff } = pubS;
        const stream = known
          ? {}
          : { stream: Object.assign(this.publish("me", id, pubS.type, rtcId), { voff, aoff }) };
        const { cver } = this;
        socket.receive({ ...answer, rtcId, streamId: id, cver, ...stream });
      }
      const sdp = JSON.stringify({ type: "ANSWER", sdp: "answer" });
      socket.receive({ op: 106, sessId: this.sessId, rtcId, sdp });
    } else if (frame.op === 107) {
      const gone = frame.pubSId ?? this.rtcIds.get(frame.rtcId) ?? "";
      if (!this.streams.delete(gone)) return socket.receive(answer);
      this.cver += 1;
      socket.receive({ ...answer, rtcId: frame.rtcId, pubSId: gone, cver: this.cver });
    } else if (frame.op === 1000) {
      socket.receive({
        ...answer,
        mems: [...this.members.values()].map(toWire),
        streams: [...this.streams.values()],
        cver: this.cver,
        cattrs: [],
        cstate: { muteAll: false },
        ...(frame.annotations === true ? { annotations: this.annotations } : {}),
      });
    } else if (frame.op === 400) {
      socket.receive(answer);
      const own = this.streams.get(this.rtcIds.get(frame.rtcId) ?? "");
      if (own === undefined || refusal !== undefined) return;
      Object.assign(own, { voff: frame.voff, aoff: frame.aoff });
      const { id: streamId, memId, voff, aoff } = own;
      this.sendFrame({ op: 400, streamId, memId, voff, aoff });
    } else if (frame.op === 1001 || frame.op === 1002) {
      if (refusal !== undefined) socket.receive(answer);
    } else socket.receive(answer);
  }
}

export const TICKET = {
  confrId: "c1",
  memName: "me",
  tktId: "t",
  url: "/conference",
  type: "CONFR",
  timestamp: 1,
};

export function createConferenceWorld(over: Partial<ConferencesDeps> = {}) {
  const env = createFakeEnv();
  const ticket = { ...TICKET };
  const says = { type: 10 };
  const server = new PaperServer();
  const calls: { path: string; body: unknown; withoutLogin: boolean }[] = [];
  const answers: Record<string, object> = {};
  const refuseRest: Record<string, { error: number; errorMessage: string } | AppError> = {};
  const notices: string[] = [];
  const tabs: PaperTab[] = [];
  const joins = new Set<(tab: TabInfo, claim: Claim | null) => void>();
  const leaves = new Set<(tabId: string) => void>();
  const slices: Slices = { session: { chatUserName: "me" }, conference: noConference() };
  let user: SessionUser | null = { accountId: "1", username: "me", name: "我", supplierId: "1" };
  const userHandlers = new Set<(user: SessionUser | null) => void>();

  const store: Pick<Store, "get" | "set" | "flush" | "del" | "notice"> = {
    get: (slice) => slices[slice] as never,
    set(path, value) {
      let at = slices;
      for (const key of path.slice(0, -1)) at = at[key] as Slices;
      at[String(path.at(-1))] = structuredClone(value);
    },
    del: () => undefined,
    flush: () => undefined,
    notice: ({ text }) => void notices.push(text),
  };
  const fakeTabs: Tabs = {
    list: () => tabs.map(({ info }) => info),
    best: (except) => tabs.filter(({ info }) => info.tabId !== except).at(-1)?.info ?? null,
    media: (tabId) => tabs.find(({ info }) => info.tabId === tabId)?.mediaPort ?? null,
    onJoin(handler) {
      joins.add(handler);
      return () => joins.delete(handler);
    },
    onLeave(handler) {
      leaves.add(handler);
      return () => leaves.delete(handler);
    },
  };
  const info = {
    confrId: "c1",
    type: 10,
    name: "例会",
    hasPassword: false,
    createdBy: "x",
    createdByName: "x",
    createdAt: 1,
    members: 1,
    limits: {},
  };
  const rest = async (
    request: { path: string; body?: unknown; withoutLogin?: boolean },
    schema: { parse(value: unknown): unknown },
  ): Promise<unknown> => {
    const { path, body, withoutLogin = false } = request;
    calls.push({ path, body, withoutLogin });
    const refused = Object.entries(refuseRest).find(([end]) => request.path.endsWith(end));
    if (refused?.[1] instanceof AppError) throw refused[1];
    if (refused !== undefined) return schema.parse(refused[1]);
    const given = Object.entries(answers).find(([end]) => path.endsWith(end));
    if (given !== undefined) return schema.parse(given[1]);
    const answer = path.endsWith("/req/ticket")
      ? { error: 0, confrId: "c1", type: says.type, ticket, rtcCfg: { iceServers: [] } }
      : request.path.endsWith("/select/confr")
        ? { error: 0, confr: info }
        : { error: 0 };
    return schema.parse(answer);
  };
  const deps: ConferencesDeps = {
    env,
    store: store as Store,
    tabs: fakeTabs,
    session: {
      user: () => user,
      onUser(handler) {
        userHandlers.add(handler);
        return () => userHandlers.delete(handler);
      },
    },
    http: {
      provider: rest as never,
    },
    stats: UNREAD_STATS,
    nextEpoch: (last) => last + 1,
    busy: () => false,
    ...over,
  };
  const make = (): Conferences => createConferences(deps);
  /** How many frames of each socket the server has handled. */
  const seen = new Map<FakeSocket, number>();
  let unreachable = false;
  const pump = (): boolean => {
    let moved = false;
    for (const socket of env.sockets) {
      if (socket.closedWith !== null) continue;
      if (socket.readyState === 0) {
        if (unreachable) {
          socket.end(1006);
          continue;
        }
        socket.accept();
        moved = true;
      }
      const from = seen.get(socket) ?? 0;
      seen.set(socket, socket.sent.length);
      for (const frame of socket.sent.slice(from)) {
        moved = true;
        server.handle(socket, frame as ConferenceClientSignal);
      }
    }
    return moved;
  };
  /** Runs everything that is due while time passes in small steps. */
  const run = async (ms = 0): Promise<void> => {
    for (let left = ms; ; left -= 50) {
      do await settle(60);
      while (pump());
      if (left <= 0) return;
      env.clock.advance(Math.min(50, left));
    }
  };
  return {
    env,
    /** What the server gives. */
    ticket,
    /** How the server says to publish and subscribe, as the type of a conference. */
    says,
    now: () => env.clock.now(),
    server,
    calls,
    /** Answers of REST calls in place of the usual ones, by the end of their path. */
    answers,
    /** Refusals of REST calls, by the end of their path; an AppError is thrown. */
    refuseRest,
    notices,
    tabs,
    run,
    deps,
    make,
    get slice() {
      return slices["conference"] as ConferenceSlice;
    },
    /** No socket can be opened. */
    set unreachable(on: boolean) {
      unreachable = on;
    },
    /** Resets the slice, as a new core does. */
    forget: () => void (slices["conference"] = noConference()),
    openTab(tabId: string, claim: Claim | null = null): PaperTab {
      const tab = new PaperTab(tabId, tabs.length + 1);
      tabs.push(tab);
      for (const handler of joins) handler(tab.info, claim);
      return tab;
    },
    closeTab(tab: PaperTab): void {
      tabs.splice(tabs.indexOf(tab), 1);
      for (const handler of leaves) handler(tab.info.tabId);
    },
    logOut(): void {
      user = null;
      for (const handler of userHandlers) handler(null);
    },
    listeners: () =>
      joins.size +
      leaves.size +
      userHandlers.size +
      tabs.reduce((sum, tab) => sum + tab.handlers.size, 0),
  };
}
export const at = (tabId: string) => ({ tabId, id: "1" });
export const ENTRY = {
  nickName: "",
  ext: "",
  publish: true,
  audioMuted: false,
  videoOff: false,
  autoSub: true,
};

export type World = ReturnType<typeof createConferenceWorld>;

/** Creates a conference as its admin and publishes from tab t1. */
export async function joined(
  over: Parameters<typeof createConferenceWorld>[0] = {},
  entry = ENTRY,
) {
  const world = createConferenceWorld(over);
  const tab = world.openTab("t1");
  const conferences = world.make();
  const began = conferences.handlers.create(
    { type: 10, name: "例会", password: "", limits: {}, ...entry },
    at("t1"),
  );
  await world.run(200);
  await began;
  await world.run(200);
  return { world, tab, conferences };
}
/** The own stream in the slice. */
export const own = (world: World) => Object.values(world.slice.streams).find((one) => one.located);
/** The code and the specified text of what is thrown; "none" when nothing is. */
export const errorOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "none";
  } catch (error) {
    const { code, details } = error as { code: string; details?: { text?: string } };
    return details?.text === undefined ? code : `${code}: ${details.text}`;
  }
};
