/**
 * Selective forwarding: publishers, their subscribers, and the rules between them. Transports and clock are injected. It runs in
 * the media process and does not depend on node-datachannel.
 */
import { AppError } from "../../../../shared/errors.ts";
import type { Candidate } from "../../../../shared/protocol/signalling.ts";
import type {
  Description,
  Held,
  NodeEvent,
  NodeStats,
  Published,
  PublishRequest,
  SubscribeRequest,
} from "../contracts.ts";
import { isRtcp } from "../rtp/header.ts";
import { readCandidate } from "../sdp/parse.ts";
import { planPublish, samePublish } from "../sdp/plan.ts";
import { planSubscribe, sameSubscribe } from "../sdp/subscribe-plan.ts";
import type { TransportParams } from "../sdp/write.ts";
import { createPublisher } from "./publisher.ts";
import { createLoudest } from "./loudest.ts";
import { acceptable, answerTo } from "./negotiation.ts";
import { createSubscriber, type Wanted } from "./subscriber.ts";
import { createTally, published, type Connection } from "./connection.ts";
import type { OpenTransport, Transport, TransportState } from "./transport.ts";

export type SfuEvent = Exclude<NodeEvent, { t: "down" } | { t: "up" }>;

export interface Sfu {
  publish(request: PublishRequest): Promise<Published>;
  subscribe(request: SubscribeRequest): Promise<Description>;
  restart(id: string, offer: string): Promise<Description>;
  candidates(id: string, cands: readonly Candidate[]): void;
  select(id: string, wanted: Wanted): void;
  hold(id: string, held: Held): void;
  closeConnection(id: string): void;
  closeConference(conferenceId: string): void;
  stats(): NodeStats;
  /** Call every 25 ms. */
  tick(): void;
  /** Idempotent. */
  close(): void;
}

/** ms that a connection may take until it is connected, including the wait for the answer. */
const CONNECT_MS = 60_000;
/** The SSRC of the node's RTCP: any number that no browser uses. */
const NODE_SSRC = 1;
const DECIDE_MS = 1000;

const invalid = (reason: string): AppError =>
  new AppError("conference.invalid", { details: { reason } });

const OTHER_SECTIONS = "a restart has the sections of before";

/**
 * @param deps.now ms, monotonic
 * @param deps.capacity connections at most
 */
export function createSfu(deps: {
  readonly open: OpenTransport;
  readonly now: () => number;
  readonly emit: (event: SfuEvent) => void;
  readonly capacity: number;
}): Sfu {
  const connections = new Map<string, Connection>();
  /** By id, the conference of each connection that is opening. Removing an id cancels the opening. */
  const opening = new Map<string, string>();
  const tally = createTally();
  const placeFor = createLoudest();
  let decidedAt = 0;
  let closed = false;

  const admit = (id: string): void => {
    if (closed) throw new AppError("conference.media-unavailable");
    if (connections.has(id) || opening.has(id)) throw invalid("the connection is there already");
    if (connections.size + opening.size >= deps.capacity) {
      throw new AppError("conference.media-unavailable", { details: { reason: "full" } });
    }
  };

  /** @param state to emit; null emits nothing, because the conferences asked for the end */
  const drop = (id: string, state: "closed" | "failed" | null): void => {
    const c = connections.get(id);
    if (c === undefined) return;
    connections.delete(id);
    tally.leave(c);
    c.publisher?.close();
    if (c.publisherId !== null && c.subscriber !== null) {
      connections.get(c.publisherId)?.publisher?.sinks.delete(c.subscriber);
    }
    c.transport.close();
    if (state !== null) deps.emit({ t: "state", id, state });
    if (c.publisher === null) return;
    for (const other of connections.values())
      if (other.publisherId === id) drop(other.id, "closed");
  };

  const onState = (id: string, state: TransportState): void => {
    const c = connections.get(id);
    if (c === undefined || c.state === state) return;
    c.state = state;
    if (state === "failed" || state === "closed") return drop(id, state);
    if (state === "connected") c.subscriber?.connected(deps.now());
    deps.emit({ t: "state", id, state });
  };

  const announce = (id: string, found: readonly string[]): void => {
    const sdpMid = connections.get(id)?.mids[0];
    if (sdpMid === undefined || found.length === 0) return;
    const cands = found.map((candidate) => ({ candidate, sdpMid, sdpMLineIndex: 0 }));
    deps.emit({ t: "candidates", id, cands });
  };

  /** Handlers of transport events. Events that arrive before the connection is registered wait; packets are dropped. */
  const listen = (id: string) => {
    const early: (() => void)[] = [];
    let ready = false;
    const run = (action: () => void): void => {
      if (ready) action();
      else early.push(action);
    };
    return {
      events: {
        packet(mid: string, packet: Buffer): void {
          if (!ready) return;
          const c = connections.get(id);
          if (c === undefined) return;
          if (c.publisher !== null) c.publisher.packet(mid, packet, deps.now());
          else if (isRtcp(packet)) c.subscriber?.rtcp(packet, deps.now());
        },
        candidates: (found: readonly string[]): void => run(() => announce(id, found)),
        state: (state: TransportState): void => run(() => onState(id, state)),
      },
      entered(): void {
        ready = true;
        for (const action of early.splice(0)) action();
      },
    };
  };

  const addCandidates = (c: Connection, cands: readonly Candidate[]): void => {
    for (const { candidate } of cands) {
      const read = readCandidate(candidate);
      if (read !== null) c.transport.addCandidate(read, c.mids[0] ?? "0");
    }
  };

  /** Opens a transport and closes it again when any step fails. */
  const opened = async <T>(
    { id, conferenceId }: { readonly id: string; readonly conferenceId: string },
    use: (transport: Transport, enter: (connection: Connection) => void) => Promise<T>,
  ): Promise<T> => {
    opening.set(id, conferenceId);
    const { events, entered } = listen(id);
    let transport: Transport | null = null;
    try {
      transport = deps.open(id, events);
      return await use(transport, (connection) => {
        if (opening.get(id) !== conferenceId) throw invalid("the connection was closed");
        connections.set(id, connection);
        entered();
      });
    } catch (error) {
      transport?.close();
      throw AppError.from(error, "conference.invalid");
    } finally {
      opening.delete(id);
    }
  };

  /** Begins the connection's ICE from zero. @throws AppError conference.invalid; then the connection is lost */
  const renew = async (
    c: Connection,
    accept: () => Promise<TransportParams>,
    candidates: readonly string[],
  ): Promise<TransportParams> => {
    c.state = "new";
    c.openedAt = deps.now();
    try {
      const accepting = accept();
      for (const candidate of candidates) c.transport.addCandidate(candidate, c.mids[0] ?? "0");
      return await accepting;
    } catch (error) {
      drop(c.id, "failed");
      throw AppError.from(error, "conference.invalid");
    }
  };

  return {
    async publish(request) {
      admit(request.id);
      const plan = planPublish(request.offer, request.vcodes);
      return opened(request, async (transport, enter) => {
        const own = await transport.accept(acceptable(plan));
        const place = placeFor(request.conferenceId, request.id);
        const publisher = createPublisher(plan, transport, NODE_SSRC, place);
        if (request.held !== undefined) publisher.hold(request.held, deps.now());
        enter({
          id: request.id,
          conferenceId: request.conferenceId,
          transport,
          openedAt: deps.now(),
          publisher,
          subscriber: null,
          publisherId: null,
          plan: null,
          maxVideoBitrate: request.maxVideoBitrate,
          mids: plan.sections.map((section) => section.mid),
          state: "new",
        });
        const mid = plan.sections[0]?.mid ?? "0";
        for (const candidate of plan.candidates) transport.addCandidate(candidate, mid);
        return published(plan, own, request.maxVideoBitrate);
      });
    },

    async subscribe(request) {
      admit(request.id);
      const source = connections.get(request.publisher);
      if (source?.publisher === undefined || source.publisher === null) {
        throw invalid("the publisher is not there");
      }
      if (source.conferenceId !== request.conferenceId)
        throw invalid("the publisher is of another conference");
      const { publisher } = source;
      const plan = planSubscribe(request.offer, publisher.plan);
      return opened(request, async (transport, enter) => {
        const subscriber = createSubscriber({
          publisher,
          transport,
          routes: plan,
          wanted: request,
          onLayer: (layer) => deps.emit({ t: "layer", id: request.id, layer }),
        });
        const { mids, sdp } = await answerTo(transport, plan, subscriber, request.publisher);
        if (connections.get(request.publisher) !== source) throw invalid("the publisher is gone");
        enter({
          id: request.id,
          conferenceId: request.conferenceId,
          transport,
          openedAt: deps.now(),
          publisher: null,
          subscriber,
          publisherId: request.publisher,
          plan,
          mids,
          state: "new",
        });
        publisher.sinks.add(subscriber);
        const mid = mids[0] ?? "0";
        for (const candidate of plan.candidates) transport.addCandidate(candidate, mid);
        return { type: "answer", sdp };
      });
    },

    async restart(id, offer) {
      const c = connections.get(id);
      if (c === undefined) throw invalid("the connection is not there");
      if (c.publisher !== null) {
        const { vcodec } = c.publisher.plan;
        const plan = planPublish(offer, vcodec === null ? [] : [vcodec]);
        if (!samePublish(plan, c.publisher.plan)) throw invalid(OTHER_SECTIONS);
        const own = await renew(c, () => c.transport.accept(acceptable(plan)), plan.candidates);
        return { type: "answer", sdp: published(plan, own, c.maxVideoBitrate).answer };
      }
      const source = c.publisherId === null ? undefined : connections.get(c.publisherId);
      if (c.subscriber === null || source === undefined || source.publisher === null)
        throw invalid("the publisher is not there");
      const { subscriber } = c;
      const plan = planSubscribe(offer, source.publisher.plan);
      if (c.plan === null || !sameSubscribe(plan, c.plan)) throw invalid(OTHER_SECTIONS);
      let sdp = "";
      const open = async (): Promise<TransportParams> => {
        const answered = await answerTo(c.transport, plan, subscriber, source.id);
        ({ sdp } = answered);
        return answered.own;
      };
      await renew(c, open, plan.candidates);
      return { type: "answer", sdp };
    },

    candidates(id, cands) {
      const c = connections.get(id);
      if (c !== undefined) addCandidates(c, cands);
    },

    select: (id, wanted) => connections.get(id)?.subscriber?.select(wanted, deps.now()),
    hold: (id, held) => connections.get(id)?.publisher?.hold(held, deps.now()),

    closeConnection(id) {
      opening.delete(id);
      drop(id, null);
    },

    closeConference(conferenceId) {
      for (const [id, openedFor] of opening) if (openedFor === conferenceId) opening.delete(id);
      for (const c of connections.values()) if (c.conferenceId === conferenceId) drop(c.id, null);
    },

    stats: () => tally.stats([...connections.values()]),
    tick() {
      const now = deps.now();
      for (const c of connections.values()) c.publisher?.tick(now);
      if (now - decidedAt < DECIDE_MS) return;
      decidedAt = now;
      for (const c of connections.values()) {
        c.subscriber?.decide(now);
        if (c.state === "new" && now - c.openedAt > CONNECT_MS) drop(c.id, "failed");
      }
    },

    close() {
      closed = true;
      opening.clear();
      for (const id of connections.keys()) drop(id, null);
    },
  };
}
