/** The connections of a Janus node as one object, and the pure steps on it. */
import type { NodeStats, SubscribeRequest } from "../contracts.ts";
import type { PublishPlan } from "../sdp/plan.ts";
import type { SubscribePlan } from "../sdp/subscribe-plan.ts";
import type { Selector } from "../sfu/selector.ts";
import { NO_STATS } from "../stats.ts";
import type { JanusMessage } from "./socket.ts";

export interface Subscription {
  readonly publisher: string;
  readonly selector: Selector;
  readonly mids: readonly string[];
  readonly videoMid: string | null;
  readonly audioMid: string | null;
  /** The subscriber's offer, when it was answered; null when Janus has made the offer. */
  plan: SubscribePlan | null;
  wanted: Pick<SubscribeRequest, "video" | "audio" | "layer">;
  /** What Janus was last sent: `layer`, `video` and `audio`. */
  layer: "low" | "high";
  video: boolean;
  audio: boolean;
}

export interface Connection {
  readonly id: string;
  readonly conferenceId: string;
  readonly handle: number;
  /** For a subscriber, the plan of its publisher. */
  readonly plan: PublishPlan;
  readonly sub: Subscription | null;
  live: boolean;
  /** Callbacks that wait for the connection to become live. */
  readonly waiting: Set<(live: boolean) => void>;
}
export interface Subscriber extends Connection {
  readonly sub: Subscription;
}

export interface Connections {
  readonly byId: Map<string, Connection>;
  readonly byHandle: Map<number, Connection>;
  /** By connection: the conference of a connection that is still opening. */
  readonly opening: Map<string, string>;
  /** By handle: events of connections that are still opening. */
  readonly early: Map<number, JanusMessage[]>;
  /** Connections for which Janus has reported loss since their last layer was chosen. */
  readonly slow: Set<string>;
}

export const noConnections = (): Connections => ({
  byId: new Map(),
  byHandle: new Map(),
  opening: new Map(),
  early: new Map(),
  slow: new Set(),
});

export const newConnection = (
  { id, conferenceId }: Pick<Connection, "id" | "conferenceId">,
  handle: number,
  plan: PublishPlan,
): Connection & { readonly sub: null } => ({
  id,
  conferenceId,
  handle,
  plan,
  sub: null,
  live: false,
  waiting: new Set(),
});

export const isSubscriber = (c: Connection): c is Subscriber => c.sub !== null;

export function add(all: Connections, c: Connection): void {
  all.byId.set(c.id, c);
  all.byHandle.set(c.handle, c);
}

export function remove(all: Connections, c: Connection): void {
  all.byId.delete(c.id);
  all.byHandle.delete(c.handle);
  all.slow.delete(c.id);
}

/** Forgets every connection, because the Janus server lost them. */
export function forgetAll(all: Connections): void {
  all.byId.clear();
  all.byHandle.clear();
  all.opening.clear();
}

export const subscribersOf = (all: Connections, publisher: string): Subscriber[] =>
  [...all.byId.values()].filter(isSubscriber).filter((c) => c.sub.publisher === publisher);

/** Whether a conference has a connection, or one that is still opening. */
export const isUsed = (all: Connections, conferenceId: string): boolean =>
  [...all.byId.values()].some((c) => c.conferenceId === conferenceId) ||
  [...all.opening.values()].includes(conferenceId);

export function statsOf({ byId }: Connections): NodeStats {
  const subscribers = [...byId.values()].filter(isSubscriber);
  return {
    ...NO_STATS,
    publishers: byId.size - subscribers.length,
    subscribers: subscribers.length,
    forwarded: subscribers.filter((c) => c.live).length,
  };
}
