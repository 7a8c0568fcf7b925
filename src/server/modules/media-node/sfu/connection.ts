/** A connection as the forwarding keeps it, and the figures of those that are and those that were. */
import type { Candidate } from "../../../../shared/protocol/signalling.ts";
import type { Layer } from "../../../../shared/protocol/confr-signalling.ts";
import type { NodeStats, Published } from "../contracts.ts";
import type { PublishPlan } from "../sdp/plan.ts";
import { publisherSection, writeSdp, type LinkParams } from "../sdp/write.ts";
import type { Publisher } from "./publisher.ts";
import type { Subscriber } from "./subscriber.ts";
import type { Transport, TransportState } from "./transport.ts";

export interface Connection {
  readonly id: string;
  readonly confrId: string;
  readonly transport: Transport;
  readonly openedAt: number;
  readonly publisher: Publisher | null;
  readonly subscriber: Subscriber | null;
  /** Of a subscriber: id of its publisher. */
  readonly of: string | null;
  readonly mids: readonly string[];
  /** Candidates that came before the other side's description. */
  early: Candidate[] | null;
  /** The own ones, not told yet. */
  readonly untold: readonly string[];
  state: TransportState | "new";
}

/** What a publisher is answered. @param maxBitrate bits a second of the high layer */
export function published(
  plan: PublishPlan,
  own: LinkParams,
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

/** Counts go on when connections end. */
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
      const sum = (of: (c: Connection) => number | undefined): number =>
        present.reduce((total, c) => total + (of(c) ?? 0), 0);
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
