/** A signalling server that follows the rules of protocol/signalling. Each failure can be switched on. */
import {
  clientSignalSchema,
  OP,
  RESULT,
  type PeerMessage,
  type ServerSignal,
} from "../../../shared/protocol/signalling.ts";
import type { SocketLike } from "../contracts.ts";

interface ServerSocket {
  readonly socket: SocketLike;
  memName: string;
  sessId: string;
  confrId: string;
}

/** The signalling server: one session per member and conference; the test controls the grace time of lost sockets. */
export class FakeServer {
  up = true;
  /** Sockets that were ever opened, and pings that arrived. */
  opened = 0;
  pings = 0;
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
  private readonly states = new WeakMap<SocketLike, { readyState: number }>();
  private ids = 0;

  open(): SocketLike {
    this.opened += 1;
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
      this.states.get(entry.socket)!.readyState = 1; // made two lines above
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
        const text = String(data);
        queueMicrotask(() => this.receive(entry(), JSON.parse(text)));
      },
      close: () => {
        state.readyState = 3;
        this.lost(entry());
      },
    };
    this.states.set(socket, state);
    return socket;
  }
  private lost(entry: ServerSocket): void {
    this.sockets.delete(entry);
    const key = `${entry.confrId} ${entry.memName}`;
    if (this.members.get(key) === entry) this.members.set(key, null);
  }
  end(entry: ServerSocket, code: number): void {
    this.states.get(entry.socket)!.readyState = 3; // every socket has one
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
        this.send(entry, { op: OP.response, tsxId, result: this.refuse });
        return;
      }
      const { confrId = "", memName = "" } = signal.ticket ?? {};
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
        op: OP.response,
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
    if (signal.op === OP.ping) this.pings += 1;
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
      this.send(entry, { op: OP.response, tsxId, sessId, result: sent ? 0 : RESULT.notFound });
    } else if (signal.op === OP.terminate) {
      this.terminated.push({ from: entry.memName, reason: signal.reason });
      this.send(entry, { op: OP.response, tsxId, sessId, result: 0 });
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
      this.send(entry, { op: OP.response, tsxId, sessId, result: 0 });
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
