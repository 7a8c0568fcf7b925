/** A connection of the forwarding, and the figures of present and past connections. */
import type { Layer } from "../../../../shared/protocol/confr-model.ts";
import type { NodeStats, Published } from "../contracts.ts";
import type { PublishPlan } from "../sdp/plan.ts";
import type { SubscribePlan } from "../sdp/subscribe-plan.ts";
import { publisherSection, writeSdp, type TransportParams } from "../sdp/write.ts";
import type { Publisher } from "./publisher.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Transport, TransportState } from "./transport.ts";

export interface Connection {
  readonly id: string;
  readonly conferenceId: string;
  readonly transport: Transport;
  /** When its ICE began. */
  openedAt: number;
  readonly publisher: Publisher | null;
  readonly subscriber: Subscriber | null;
  /** For a subscriber, the id of its publisher. */
  readonly publisherId: string | null;
  /** The answered offer of a subscriber; null for a publisher. */
  readonly plan: SubscribePlan | null;
  /** Upper bound for a publisher's high layer, bits per second. */
  readonly maxVideoBitrate?: number | undefined;
  readonly mids: readonly string[];
  state: TransportState | "new";
}

/** The node's reply to a publisher. @param maxBitrate of the high layer, bits per second */
export function published(
  plan: PublishPlan,
  own: TransportParams,
  maxBitrate: number | undefined,
): Published {
  const sections = plan.sections.map((section) =>
    publisherSection(
      "answer",
      section,
      plan.high !== null && section.track === plan.high ? maxBitrate : undefined,
    ),
  );
  const layers: Layer[] = [
    ...(plan.low === null ? [] : ["low" as const]),
    ...(plan.high === null ? [] : ["high" as const]),
  ];
  return {
    answer: writeSdp(own, sections),
    hasAudio: plan.audio !== null,
    hasVideo: plan.high !== null,
    vcodec: plan.vcodec,
    layers,
  };
}

/** Totals that still include the packets of connections that ended. */
export function createTally(): {
  leave(c: Connection): void;
  stats(present: readonly Connection[]): NodeStats;
} {
  const gone = { packetsIn: 0, packetsOut: 0, resent: 0, bytesIn: 0, bytesOut: 0 };
  return {
    leave(c) {
      gone.packetsIn += c.publisher?.packets ?? 0;
      gone.bytesIn += c.publisher?.bytes ?? 0;
      gone.packetsOut += c.subscriber?.packets ?? 0;
      gone.bytesOut += c.subscriber?.bytes ?? 0;
      gone.resent += c.subscriber?.resent ?? 0;
    },
    stats(present) {
      const sum = (read: (c: Connection) => number | undefined): number =>
        present.reduce((total, c) => total + (read(c) ?? 0), 0);
      return {
        publishers: present.filter((c) => c.publisher !== null).length,
        subscribers: present.filter((c) => c.subscriber !== null).length,
        forwarded: present.filter((c) => c.subscriber?.live === true && c.state === "connected")
          .length,
        packetsIn: gone.packetsIn + sum((c) => c.publisher?.packets),
        packetsOut: gone.packetsOut + sum((c) => c.subscriber?.packets),
        resent: gone.resent + sum((c) => c.subscriber?.resent),
        bytesIn: gone.bytesIn + sum((c) => c.publisher?.bytes),
        bytesOut: gone.bytesOut + sum((c) => c.subscriber?.bytes),
      };
    },
  };
}
