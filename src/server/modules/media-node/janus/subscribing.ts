/** Subscribers on a Janus server: join a publisher's feed, choose the layer, restart ICE. */
import type { Logger } from "pino";
import type { Clock } from "../../../base/module.ts";
import type { Description, MediaNode, NodeEvent, SubscribeRequest } from "../contracts.ts";
import { parseSdp } from "../sdp/parse.ts";
import { planAnswer, type PublishPlan } from "../sdp/plan.ts";
import { planSubscribe, sameSubscribe, type SubscribePlan } from "../sdp/subscribe-plan.ts";
import { createSelector } from "../sfu/selector.ts";
import { bridge } from "./bridge.ts";
import {
  type Connection,
  type Connections,
  isSubscriber,
  newConnection,
  type Subscriber,
  type Subscription,
} from "./connections.ts";
import type { Handles } from "./handles.ts";
import { invalid, type Lifecycle } from "./lifecycle.ts";
import { unavailable } from "./socket.ts";
import { applyWish, SLOW_LOSS, whenLive } from "./subscription.ts";

const DECIDE_MS = 1000;
/** ms that a subscriber waits for its publisher to be connected. */
const LIVE_MS = 8000;

export interface Subscribing extends Pick<MediaNode, "subscribe" | "answer" | "select"> {
  restart(subscriber: Subscriber, offer: string): Promise<Description>;
  /** Stops choosing layers. */
  stop(): void;
}

/** The layer that a subscriber begins with. */
const firstLayer = (wanted: SubscribeRequest["layer"], plan: PublishPlan): "low" | "high" =>
  wanted === "low" && plan.low !== null ? "low" : "high";

/** @throws AppError conference.media-unavailable without a readable offer of Janus */
function subscriptionOf(
  { publisher, video, audio, layer }: SubscribeRequest,
  plan: PublishPlan,
  offer: string,
): Subscription {
  const sdp = parseSdp(offer);
  if (typeof sdp === "string") throw unavailable("no offer came");
  const mid = (kind: string): string | null =>
    sdp.sections.find((section) => section.kind === kind)?.mid ?? null;
  return {
    publisher,
    selector: createSelector(),
    mids: sdp.sections.map((section) => section.mid),
    plan: null,
    videoMid: mid("video"),
    audioMid: mid("audio"),
    wanted: { video, audio, layer },
    layer: firstLayer(layer, plan),
    video: true,
    audio: true,
  };
}

export function createSubscribing(deps: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly connections: Connections;
  readonly lifecycle: Pick<Lifecycle, "open">;
  readonly message: Handles["message"];
  /** Whether Janus is connected. */
  readonly up: () => boolean;
  readonly emit: (event: NodeEvent) => void;
}): Subscribing {
  const { clock, log, connections, message } = deps;
  let timer: { cancel(): void } | null = null;

  const apply = (c: Connection, first = false): Promise<void> =>
    applyWish(c, {
      first,
      now: clock.now(),
      message: (body) => message(c.handle, body),
      onLayer: (layer) => deps.emit({ t: "layer", id: c.id, layer }),
    });

  const chooseLayers = (): void => {
    timer = clock.setTimeout(() => {
      for (const c of connections.byId.values()) {
        if (!isSubscriber(c) || c.plan.low === null || !c.live) continue;
        c.sub.selector.loss(connections.slow.delete(c.id) ? SLOW_LOSS : 0, clock.now());
        void apply(c).catch(() => undefined);
      }
      chooseLayers();
    }, DECIDE_MS);
  };
  chooseLayers();

  /** Answers the subscriber's offer where that is possible; otherwise it gets the offer of Janus. */
  const negotiate = async (
    c: Subscriber,
    asked: SubscribePlan | null,
    offer: string,
  ): Promise<Description> => {
    const bridged = asked === null ? null : bridge(asked, offer, c.sub.publisher);
    if (bridged === null) return { type: "offer", sdp: offer };
    const first = c.sub.plan === null;
    c.sub.plan = asked;
    await message(c.handle, { request: "start" }, { type: "answer", sdp: bridged.toJanus });
    await apply(c, first);
    return { type: "answer", sdp: bridged.toSubscriber };
  };

  return {
    async subscribe(request) {
      if (!deps.up()) throw unavailable("the media server is not connected");
      const source = connections.byId.get(request.publisher);
      if (source === undefined || source.sub !== null) throw invalid("the publisher is not there");
      if (source.conferenceId !== request.conferenceId)
        throw invalid("the publisher is of another conference");
      return deps.lifecycle.open(request, async (handle, enter) => {
        const { plan } = source;
        const asked = planSubscribe(request.offer, plan);
        if (!(await whenLive(source, clock, LIVE_MS))) throw unavailable("the publisher is not up");
        const picture = firstLayer(request.layer, plan) === "low" ? plan.low : plan.high;
        const tracks = [
          asked.audio !== null ? plan.audio : null,
          asked.video !== null ? picture : null,
        ];
        const { jsep } = await message(handle, {
          request: "join",
          ptype: "subscriber",
          room: request.conferenceId,
          streams: tracks.flatMap((t) =>
            t === null ? [] : [{ feed: request.publisher, mid: t.mid }],
          ),
        });
        if (jsep === undefined) throw unavailable("no offer came");
        const sub = subscriptionOf(request, plan, jsep.sdp);
        const c: Subscriber = { ...newConnection(request, handle, plan), sub };
        enter(c);
        return negotiate(c, asked, jsep.sdp);
      });
    },

    async answer(id, sdp) {
      if (!deps.up()) throw unavailable("the media server is not connected");
      const c = connections.byId.get(id);
      if (c === undefined || c.sub === null) throw invalid("the connection is not there");
      planAnswer(sdp, c.sub.mids);
      await message(c.handle, { request: "start" }, { type: "answer", sdp });
      await apply(c, true);
    },

    select(id, wanted) {
      const c = connections.byId.get(id);
      if (c === undefined || c.sub === null) return;
      c.sub.wanted = wanted;
      void apply(c).catch((error: unknown) => log.warn({ err: error }, "a selection failed"));
    },

    async restart(c, offer) {
      const asked = planSubscribe(offer, c.plan);
      const before = c.sub.plan;
      if (before !== null && !sameSubscribe(asked, before))
        throw invalid("a restart has the sections of before");
      const { jsep } = await message(c.handle, { request: "configure", restart: true });
      if (jsep === undefined) throw unavailable("no offer came");
      return negotiate(c, before === null ? null : asked, jsep.sdp);
    },

    stop: () => timer?.cancel(),
  };
}
