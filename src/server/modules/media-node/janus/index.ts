/**
 * A Janus server as a media node: one videoroom per conference, one handle per connection. The videoroom plugin must be
 * configured for string ids. A layer is a video track of the publisher; a subscriber changes layers without a new offer.
 */
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { AppError } from "../../../../shared/errors.ts";
import type { Clock } from "../../../base/module.ts";
import type { MediaNode, NodeEvent, NodeStats, PublishRequest } from "../contracts.ts";
import { createListeners } from "../listeners.ts";
import { planAnswer, planPublish, type PublishPlan } from "../sdp/plan.ts";
import { parseSdp, readCandidate } from "../sdp/parse.ts";
import { publisherSection, writeSdp } from "../sdp/write.ts";
import { createSelector } from "../sfu/selector.ts";
import { NO_STATS } from "../stats.ts";
import {
  applyWish,
  SLOW_LOSS,
  whenLive,
  type Connection,
  type Subscription,
} from "./subscription.ts";
import { createHandles } from "./handles.ts";
import { createModeration } from "./moderation.ts";
import { createRooms } from "./rooms.ts";
import { createJanusSocket, unavailable, type JanusMessage, type JanusSocket } from "./socket.ts";

export interface JanusNode extends MediaNode {
  readonly kind: "janus";
}

/** The offer that Janus receives. It is written from the plan, so that no text of the client reaches Janus. */
function sanitized(request: Pick<PublishRequest, "offer" | "vcodes">) {
  const plan = planPublish(request.offer, request.vcodes);
  const sections = plan.sections.map((section) => publisherSection("offer", section));
  return { plan, sdp: writeSdp({ ...plan.ice, candidates: plan.candidates }, sections) };
}

const invalid = (reason: string): AppError =>
  new AppError("conference.invalid", { details: { reason } });

const DECIDE_MS = 1000;
/** ms that a subscriber waits for its publisher to be connected. */
const LIVE_MS = 8000;

/** @param deps.capacity connections that count as full load */
export function createJanusNode(deps: {
  readonly name: string;
  readonly url: string;
  readonly secret?: string | undefined;
  readonly capacity: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onStats: (stats: NodeStats) => void;
  readonly open?: (url: string) => WebSocket;
}): JanusNode {
  const { clock, log } = deps;
  const listeners = createListeners<NodeEvent>(log);
  const connections = new Map<string, Connection>();
  const handles = new Map<number, Connection>();
  const opening = new Map<string, string>();
  const slow = new Set<string>();
  /** By handle: events of connections that are still opening. */
  const early = new Map<number, JanusMessage[]>();
  let closed = false;
  let timer: { cancel(): void } | null = null;

  const socket: JanusSocket = createJanusSocket({
    ...deps,
    onUp: () => {
      log.info({ node: deps.name }, "the media server is connected");
      listeners.tell({ t: "up" });
    },
    onDown: (why) => {
      for (const c of connections.values()) for (const done of c.waiting) done(false);
      connections.clear();
      handles.clear();
      opening.clear();
      rooms.forget();
      told();
      if (closed) return;
      log.error({ node: deps.name, why }, "the media server is lost");
      listeners.tell({ t: "down" });
    },
    onEvent: (message) => hear(message),
  });

  const { attach, detach, message } = createHandles(socket);
  const rooms = createRooms({ attach, detach, message });
  const moderation = createModeration({ inRoom: rooms.ask, message });

  const stats = (): NodeStats => {
    const all = [...connections.values()];
    return {
      ...NO_STATS,
      publishers: all.filter((c) => c.sub === null).length,
      subscribers: all.filter((c) => c.sub !== null).length,
      forwarded: all.filter((c) => c.sub !== null && c.live).length,
    };
  };
  const told = (): void => deps.onStats(stats());

  const drop = (id: string, state: "closed" | "failed" | null): void => {
    const c = connections.get(id);
    if (c === undefined) return;
    connections.delete(id);
    handles.delete(c.handle);
    detach(c.handle);
    slow.delete(id);
    for (const done of c.waiting) done(false);
    if (state !== null) listeners.tell({ t: "state", id, state });
    if (c.sub === null) {
      for (const other of connections.values()) {
        if (other.sub?.publisher === id) drop(other.id, "closed");
      }
    }
    const inUse = [...connections.values()].some((other) => other.confrId === c.confrId);
    if (!inUse && ![...opening.values()].includes(c.confrId)) rooms.destroy(c.confrId);
    told();
  };

  const hear = (m: JanusMessage): void => {
    const c = m.sender === undefined ? undefined : handles.get(m.sender);
    if (c === undefined) {
      if (m.sender !== undefined) early.get(m.sender)?.push(m);
      return;
    }
    if (m.janus === "webrtcup") {
      c.live = true;
      for (const done of c.waiting) done(true);
      listeners.tell({ t: "state", id: c.id, state: "connected" });
      if (c.sub !== null && c.sub.videoMid !== null && c.sub.video) {
        listeners.tell({ t: "layer", id: c.id, layer: c.sub.layer });
      }
      told();
    } else if (m.janus === "hangup") drop(c.id, "failed");
    else if (m.janus === "detached") drop(c.id, "closed");
    else if (m.janus === "slowlink") slow.add(c.id);
    else if (m.janus === "trickle") {
      const found = m["candidate"] as { candidate?: unknown; sdpMid?: unknown } | undefined;
      if (typeof found?.candidate !== "string") return;
      const sdpMid = typeof found.sdpMid === "string" ? found.sdpMid : "0";
      listeners.tell({
        t: "candidates",
        id: c.id,
        cands: [{ candidate: found.candidate, sdpMid }],
      });
    }
  };

  const open = async <T>(
    { id, confrId }: { readonly id: string; readonly confrId: string },
    use: (handle: number, enter: (c: Connection) => void) => Promise<T>,
  ): Promise<T> => {
    if (closed || !socket.up) throw unavailable("the media server is not connected");
    if (connections.has(id) || opening.has(id)) throw invalid("the connection is there already");
    opening.set(id, confrId);
    let handle: number | null = null;
    try {
      handle = await attach();
      early.set(handle, []);
      return await use(handle, (c) => {
        if (opening.get(id) !== confrId) throw invalid("the connection was closed");
        connections.set(id, c);
        handles.set(c.handle, c);
        for (const m of early.get(c.handle) ?? []) hear(m);
      });
    } catch (error) {
      connections.delete(id);
      if (handle !== null) {
        handles.delete(handle);
        detach(handle);
      }
      throw AppError.from(error, "conference.invalid");
    } finally {
      if (handle !== null) early.delete(handle);
      opening.delete(id);
      told();
    }
  };

  const apply = (c: Connection, first = false): Promise<void> =>
    applyWish(c, {
      first,
      now: clock.now(),
      message: (body) => message(c.handle, body),
      onLayer: (layer) => listeners.tell({ t: "layer", id: c.id, layer }),
    });

  const tick = (): void => {
    timer = clock.setTimeout(() => {
      for (const c of connections.values()) {
        if (c.sub === null || c.plan.low === null || !c.live) continue;
        c.sub.selector.loss(slow.delete(c.id) ? SLOW_LOSS : 0, clock.now());
        void apply(c).catch(() => undefined);
      }
      tick();
    }, DECIDE_MS);
  };
  tick();

  return {
    name: deps.name,
    kind: "janus",
    get up() {
      return socket.up && !closed;
    },
    get load() {
      return connections.size / deps.capacity;
    },

    async publish(request) {
      const { plan, sdp } = sanitized(request);
      return open(request, async (handle, enter) => {
        await rooms.ensure(request.confrId);
        const { jsep } = await message(
          handle,
          {
            request: "joinandconfigure",
            ptype: "publisher",
            room: request.confrId,
            id: request.id,
            ...(request.maxVideoBitrate === undefined ? {} : { bitrate: request.maxVideoBitrate }),
          },
          { type: "offer", sdp },
        );
        if (jsep === undefined) throw unavailable("no answer came");
        const publisher: Connection = {
          id: request.id,
          confrId: request.confrId,
          handle,
          plan,
          sub: null,
          live: false,
          waiting: new Set(),
        };
        enter(publisher);
        // Before the answer goes out, because the publisher sends nothing until it has the answer.
        if (request.held !== undefined) await moderation.hold(publisher, request.held);
        const none = plan.high === null;
        return {
          answer: jsep.sdp,
          hasAudio: plan.audio !== null,
          hasVideo: !none,
          vcodec: plan.vcodec,
          layers: none ? [] : plan.low === null ? ["high"] : ["low", "high"],
        };
      });
    },

    async subscribe(request) {
      if (!socket.up) throw unavailable("the media server is not connected");
      const source = connections.get(request.publisher);
      if (source === undefined || source.sub !== null) throw invalid("the publisher is not there");
      if (source.confrId !== request.confrId)
        throw invalid("the publisher is of another conference");
      return open(request, async (handle, enter) => {
        const { plan } = source;
        if (!(await whenLive(source, clock, LIVE_MS))) throw unavailable("the publisher is not up");
        const layer = request.layer === "low" && plan.low !== null ? "low" : "high";
        const track = layer === "low" ? plan.low : plan.high;
        const feeds = [plan.audio, track].flatMap((t) =>
          t === null ? [] : [{ feed: request.publisher, mid: t.mid }],
        );
        const { jsep } = await message(handle, {
          request: "join",
          ptype: "subscriber",
          room: request.confrId,
          streams: feeds,
        });
        const sdp = parseSdp(jsep?.sdp ?? "");
        if (jsep === undefined || typeof sdp === "string") throw unavailable("no offer came");
        const mid = (kind: string): string | null =>
          sdp.sections.find((s) => s.kind === kind)?.mid ?? null;
        const { video, audio } = request;
        const sub: Subscription = {
          publisher: request.publisher,
          selector: createSelector(),
          mids: sdp.sections.map((s) => s.mid),
          videoMid: mid("video"),
          audioMid: mid("audio"),
          wanted: { video, audio, layer: request.layer },
          layer,
          video: true,
          audio: true,
        };
        enter({
          id: request.id,
          confrId: request.confrId,
          handle,
          plan,
          sub,
          live: false,
          waiting: new Set(),
        });
        return { offer: jsep.sdp };
      });
    },

    async answer(id, sdp) {
      if (!socket.up) throw unavailable("the media server is not connected");
      const c = connections.get(id);
      if (c === undefined || c.sub === null) throw invalid("the connection is not there");
      planAnswer(sdp, c.sub.mids);
      await message(c.handle, { request: "start" }, { type: "answer", sdp });
      await apply(c, true);
    },

    candidates(id, cands) {
      const c = connections.get(id);
      if (c === undefined) return;
      for (const { candidate, sdpMid, sdpMLineIndex } of cands) {
        const read = readCandidate(candidate);
        if (read === null) continue;
        const one = { candidate: read, sdpMid: sdpMid ?? "0", sdpMLineIndex: sdpMLineIndex ?? 0 };
        socket.tell({ janus: "trickle", handle_id: c.handle, candidate: one });
      }
    },

    select(id, wanted) {
      const c = connections.get(id);
      if (c === undefined || c.sub === null) return;
      c.sub.wanted = wanted;
      void apply(c).catch((error: unknown) => log.warn({ err: error }, "a selection failed"));
    },

    hold(id, held) {
      const c = connections.get(id);
      if (c === undefined || c.sub !== null) return;
      moderation.hold(c, held).catch((error: unknown) => {
        log.warn({ err: error, node: deps.name }, "a publisher could not be held back");
        // The member publishes again, and that request carries what is held.
        if (connections.get(id) === c) drop(id, "failed");
      });
    },

    async restart(id, offer) {
      const c = connections.get(id);
      if (c === undefined) throw invalid("the connection is not there");
      if (c.sub !== null) {
        const { jsep } = await message(c.handle, { request: "configure", restart: true });
        return jsep === undefined ? null : { sdp: jsep.sdp };
      }
      if (offer === undefined) throw invalid("a publisher restarts with an offer");
      const vcodes = c.plan.vcodec === null ? [] : [c.plan.vcodec];
      const { plan, sdp } = sanitized({ offer, vcodes });
      const mids = (of: PublishPlan): string => of.sections.map(({ mid }) => mid).join(" ");
      // `moderate` addresses sections by mid, so the mids must stay the same.
      if (mids(plan) !== mids(c.plan)) throw invalid("a restart has the sections of before");
      const { jsep } = await message(c.handle, { request: "configure" }, { type: "offer", sdp });
      return jsep === undefined ? null : { sdp: jsep.sdp };
    },

    closeConnection(id) {
      opening.delete(id);
      drop(id, null);
    },
    closeConference(confrId) {
      for (const [id, of] of opening) if (of === confrId) opening.delete(id);
      for (const c of connections.values()) if (c.confrId === confrId) drop(c.id, null);
    },
    stats: () => Promise.resolve(stats()),
    onEvent: listeners.add,
    close() {
      if (!closed) {
        for (const id of connections.keys()) drop(id, null);
        closed = true;
        timer?.cancel();
        socket.close();
      }
      return Promise.resolve();
    },
  };
}
