/** A media node that carries nothing and records what it is asked. */
import { AppError } from "../../../shared/errors.ts";
import {
  type Held,
  type MediaNode,
  type NodeEvent,
  NOT_HELD,
  type Published,
} from "../media-node/contracts.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface FakeNode extends Mutable<Pick<MediaNode, "up" | "load">>, MediaNode {
  up: boolean;
  load: number;
  /** Open connections by id. */
  readonly open: Map<string, "pub" | "sub">;
  readonly calls: string[];
  /** How often it was started ahead of its first use. */
  warmed: number;
  /** From now on requests wait until the returned function is called. */
  stall(): () => void;
  /** What is held back of each publisher. */
  readonly held: Map<string, Held>;
  /** The error with which the next requests are refused. */
  fail: AppError | null;
  /** Whether it makes an offer to subscribers instead of answering theirs. */
  offers: boolean;
  published: Partial<Published>;
  emit(event: NodeEvent): void;
}

export function createFakeNode(name = "fake"): FakeNode {
  const handlers = new Set<(event: NodeEvent) => void>();
  let gate: Promise<void> = Promise.resolve();
  const pass = async (): Promise<void> => {
    await gate;
    if (node.fail !== null) throw node.fail;
    if (!node.up) throw new AppError("conference.media-unavailable");
  };
  const node: FakeNode = {
    name,
    kind: "embedded",
    up: true,
    load: 0,
    open: new Map(),
    calls: [],
    warmed: 0,
    fail: null,
    offers: false,
    published: {},
    held: new Map(),
    stall() {
      let release = (): void => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    emit(event) {
      if (event.t === "down") {
        node.up = false;
        node.open.clear();
      }
      if (event.t === "up") node.up = true;
      for (const handler of handlers) handler(event);
    },
    async warm() {
      node.warmed += 1;
    },
    async publish({ id, offer, vcodes, held = NOT_HELD }) {
      node.calls.push("publish");
      await pass();
      node.held.set(id, held);
      node.open.set(id, "pub");
      const hasVideo = offer.includes("m=video");
      return {
        answer: "answer",
        hasAudio: offer.includes("m=audio"),
        hasVideo,
        vcodec: hasVideo ? (vcodes[0] ?? "VP8") : null,
        layers: hasVideo ? ["low", "high"] : [],
        ...node.published,
      };
    },
    async subscribe({ id, offer }) {
      node.calls.push("subscribe");
      await pass();
      node.open.set(id, "sub");
      return {
        type: node.offers ? "offer" : "answer",
        sdp: `${node.offers ? "other than" : "answer to"} ${offer}`,
      };
    },
    async answer() {
      node.calls.push("answer");
      await pass();
    },
    candidates: () => void node.calls.push("candidates"),
    hold(id, held) {
      node.held.set(id, held);
    },
    select: (_, wanted) => void node.calls.push(`select ${JSON.stringify(wanted)}`),
    async restart(_, offer) {
      node.calls.push("restart");
      await pass();
      return { type: "answer", sdp: `answer to ${offer}` };
    },
    closeConnection: (id) => void node.open.delete(id),
    closeConference: (conferenceId) => void node.calls.push(`close ${conferenceId}`),
    stats: () => Promise.reject(new Error("not asked")),
    onEvent(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    close: () => Promise.resolve(),
  };
  return node;
}
