/** A subscription on a Janus server: what the subscriber wants, what Janus was last sent, and the requests that align the two. */
import type { Layer } from "../../../../shared/protocol/confr-model.ts";
import type { Clock } from "../../../base/module.ts";
import type { PublishPlan } from "../sdp/plan.ts";
import type { Connection, Subscription } from "./connections.ts";

/** Janus knows a feed only once its media is up, so an early subscriber waits for its publisher. @returns false after `ms` */
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

/** The loss that a slowlink event stands for: Janus reports that there is loss, but not how much. */
export const SLOW_LOSS = 0.35;
/** Assumed rates of the layers, because Janus does not report them. Only their order matters. */
const RATES = { low: 150_000, high: 600_000 };

function choose(sub: Subscription, plan: PublishPlan, now: number): "low" | "high" {
  if (plan.low === null) return "high";
  const can = sub.selector.decide(RATES, now);
  return sub.wanted.layer === "low" ? "low" : can;
}

/**
 * Sends Janus what has changed of the wish, one request after another. The new state is recorded before Janus answers, so that
 * a change of the wish in the meantime is sent as well.
 */
export async function applyWish(
  c: Connection,
  via: {
    /** Nothing was sent yet: Janus forwards everything. */
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
