/** A subscription on a Janus server: what it wants, what Janus was told of that, and the requests that bring the two together. */
import type { Layer } from "../../../../shared/protocol/confr-signalling.ts";
import type { Clock } from "../../../base/module.ts";
import type { SubscribeRequest } from "../contracts.ts";
import type { PublishPlan } from "../sdp/plan.ts";
import type { Selector } from "../sfu/selector.ts";

export interface Connection {
  readonly id: string;
  readonly confrId: string;
  readonly handle: number;
  /** Of a subscriber: its publisher's. */
  readonly plan: PublishPlan;
  readonly sub: Subscription | null;
  live: boolean;
  /** Who waits for it to be live. */
  readonly waiting: Set<(live: boolean) => void>;
}

/** Janus knows a feed only once its media are up: a subscriber that is quicker than its publisher waits. */
export function whenLive(c: Connection, clock: Clock, ms: number): Promise<boolean> {
  if (c.live) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (live: boolean): void => {
      c.waiting.delete(done);
      late.cancel();
      resolve(live);
    };
    const late = clock.setTimeout(() => done(false), ms);
    c.waiting.add(done);
  });
}

export interface Subscription {
  readonly publisher: string;
  readonly selector: Selector;
  readonly mids: readonly string[];
  readonly videoMid: string | null;
  readonly audioMid: string | null;
  wanted: Pick<SubscribeRequest, "video" | "audio" | "layer">;
  /** What Janus was told last. */
  layer: "low" | "high";
  video: boolean;
  audio: boolean;
}

/** Of a slow link Janus says that there is loss, and not how much of what. */
export const SLOW_LOSS = 0.35;
/** Stands for the rates of the layers, which Janus does not tell: only their order counts. */
const RATES = { low: 150_000, high: 600_000 };

function choose(sub: Subscription, plan: PublishPlan, now: number): "low" | "high" {
  if (plan.low === null) return "high";
  const can = sub.selector.decide(RATES, now);
  return sub.wanted.layer === "low" ? "low" : can;
}

/**
 * Tells Janus what of the wish has changed, one by one: what was told is noted before its answer, so that a wish that changes
 * meanwhile is told as well.
 */
export async function applyWish(
  c: Connection,
  via: {
    /** Nothing was told yet: Janus sends all. */
    readonly first: boolean;
    readonly now: number;
    readonly message: (body: Record<string, unknown>) => Promise<unknown>;
    readonly onLayer: (layer: Layer) => void;
  },
): Promise<void> {
  const { sub } = c;
  if (sub === null) return;
  const video = sub.wanted.video && sub.wanted.layer !== "none";
  const { audio } = sub.wanted;
  const layer = choose(sub, c.plan, via.now);
  const audioChanged = via.first ? !audio : sub.audio !== audio;
  const videoChanged = via.first ? !video : sub.video !== video;
  const switched = layer !== sub.layer && video;
  sub.audio = audio;
  sub.video = video;
  if (switched) sub.layer = layer;

  const streams = [
    ...(audioChanged && sub.audioMid !== null ? [{ mid: sub.audioMid, send: audio }] : []),
    ...(videoChanged && sub.videoMid !== null ? [{ mid: sub.videoMid, send: video }] : []),
  ];
  if (streams.length > 0) await via.message({ request: "configure", streams });
  if (sub.videoMid === null) return;
  if (switched) {
    const track = layer === "low" ? c.plan.low : c.plan.high;
    const stream = { feed: sub.publisher, mid: track?.mid, sub_mid: sub.videoMid };
    await via.message({ request: "switch", streams: [stream] });
  }
  if (switched || (videoChanged && c.live)) via.onLayer(video ? sub.layer : "none");
}
