/**
 * The node of group calls whose media go by the Agora cloud (docs/calls.md#agora-engine). No media pass through it: it answers each subscriber
 * with the description of the publisher, which names the publisher's account at the cloud. What conferences have besides media, such as the
 * list of streams, limits and mutes, works as with every node.
 */
import { cloudUidOf } from "../../../shared/domain/cloud-description.ts";
import { AppError } from "../../../shared/errors.ts";
import type { MediaNode, NodeEvent } from "./contracts.ts";
import { NO_STATS } from "./stats.ts";

type Open =
  | { readonly kind: "pub"; readonly conferenceId: string; offer: string }
  | { readonly kind: "sub"; readonly conferenceId: string; readonly publisher: string };

/** Whether the offer has a section of this kind. */
const has = (offer: string, kind: "audio" | "video"): boolean =>
  new RegExp(`^m=${kind} `, "m").test(offer);

export function createCloudNode(): MediaNode {
  const open = new Map<string, Open>();
  const handlers = new Set<(event: NodeEvent) => void>();
  const emit = (event: NodeEvent): void => {
    for (const handler of handlers) handler(event);
  };
  /** @throws AppError conference.invalid for the description of a browser, as of a tab that does not know the cloud */
  const checked = (offer: string): string => {
    if (cloudUidOf(offer) === null) throw new AppError("conference.invalid");
    return offer;
  };
  const offerOf = (publisher: string): string => {
    const found = open.get(publisher);
    if (found?.kind !== "pub") throw new AppError("conference.media-unavailable");
    return found.offer;
  };
  const connected = (id: string): void => emit({ t: "state", id, state: "connected" });
  function closeConnection(id: string): void {
    const closed = open.get(id);
    if (!open.delete(id) || closed?.kind !== "pub") return;
    for (const [subscriber, one] of open) {
      if (one.kind !== "sub" || one.publisher !== id) continue;
      open.delete(subscriber);
      emit({ t: "state", id: subscriber, state: "closed" });
    }
  }

  return {
    name: "cloud",
    kind: "cloud",
    up: true,
    load: 0,
    async publish({ id, conferenceId, offer, vcodes }) {
      open.set(id, { kind: "pub", conferenceId, offer: checked(offer) });
      connected(id);
      const hasVideo = has(offer, "video");
      return {
        answer: offer,
        hasAudio: has(offer, "audio"),
        hasVideo,
        // The SDK chooses the codec, and everybody's SDK can decode it.
        vcodec: hasVideo ? (vcodes[0] ?? "VP8") : null,
        layers: hasVideo ? ["low", "high"] : [],
      };
    },
    async subscribe({ id, conferenceId, publisher, offer }) {
      checked(offer);
      const sdp = offerOf(publisher);
      open.set(id, { kind: "sub", conferenceId, publisher });
      connected(id);
      return { type: "answer", sdp };
    },
    answer: () => Promise.resolve(),
    candidates: () => undefined,
    // Each tab chooses at the cloud what it receives.
    select: () => undefined,
    // Who is muted stops sending by itself; nobody leads a group call, so nobody mutes others.
    hold: () => undefined,
    async restart(id, offer) {
      const one = open.get(id);
      if (one === undefined) throw new AppError("conference.media-unavailable");
      if (one.kind === "sub") return { type: "answer", sdp: offerOf(one.publisher) };
      one.offer = checked(offer);
      return { type: "answer", sdp: offer };
    },
    closeConnection,
    closeConference(conferenceId) {
      for (const [id, one] of open) if (one.conferenceId === conferenceId) closeConnection(id);
    },
    stats() {
      const all = [...open.values()];
      const publishers = all.filter(({ kind }) => kind === "pub").length;
      return Promise.resolve({ ...NO_STATS, publishers, subscribers: all.length - publishers });
    },
    onEvent(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    close() {
      open.clear();
      handlers.clear();
      return Promise.resolve();
    },
  };
}
