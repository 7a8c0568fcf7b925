/** Connects a media node and a browser, in place of the conferences' signalling. */
import { chromium, type Browser, type Page } from "playwright";
import type { Layer, VideoCodec } from "../../src/shared/protocol/confr-model.ts";
import type {
  Description,
  Held,
  MediaNode,
  NodeEvent,
  Published,
} from "../../src/server/modules/media-node/contracts.ts";
import { launchOptions } from "../support/chromium.ts";
import { installPeerPage, type PublishFigures, type WatchFigures } from "./peer-page.ts";
import { rewriteCandidates, type UdpRelay } from "./udp-relay.ts";

export interface Rig {
  readonly node: MediaNode;
  readonly events: readonly NodeEvent[];
  publish(
    id: string,
    options?: {
      simulcast?: boolean;
      codec?: VideoCodec;
      bitrate?: number;
      audio?: boolean;
      noise?: boolean;
      held?: Held;
      page?: Page;
      relay?: UdpRelay;
    },
  ): Promise<Published>;
  /** @returns the time of the request, ms since the epoch */
  watch(id: string, publisher: string, options?: WatchOptions): Promise<number>;
  /** ICE restart of a publisher or a subscriber. */
  restart(id: string): Promise<void>;
  watched(id: string): Promise<WatchFigures>;
  published(id: string): Promise<PublishFigures>;
  soundSent(id: string): Promise<number>;
  closePeer(id: string): Promise<void>;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface WatchOptions {
  readonly layer?: Layer;
  /** Whether the offer has its video before its audio. */
  readonly videoFirst?: boolean;
  /** Whether retransmissions may come as a stream of their own. */
  readonly rtx?: boolean;
  readonly page?: Page;
  /** Relay for all packets of this connection. */
  readonly relay?: UdpRelay;
}

/** Without candidates the node reaches the browser only through the relay. */
const withoutCandidates = (sdp: string): string => sdp.replace(/a=candidate.*\r\n/g, "");

const ORIGIN = "http://localhost:9";

export async function createRig(node: MediaNode, running?: Browser): Promise<Rig> {
  const browser =
    running ??
    (await chromium.launch(launchOptions(["--autoplay-policy=no-user-gesture-required"])));
  const context = await browser.newContext({ permissions: ["camera", "microphone"] });
  await context.route("**/*", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>media</title>" }),
  );
  const pages = new Map<string, Page>();
  const relayed = new Map<string, UdpRelay>();
  const events: NodeEvent[] = [];
  await context.exposeFunction("toNode", (id: string, candidate: { candidate: string }) => {
    if (!relayed.has(id) && candidate.candidate !== "") node.candidates(id, [candidate]);
  });
  // The compiler leaves calls of this helper in functions that run in the page.
  await context.addInitScript("globalThis.__name = (f) => f;");
  await context.addInitScript(installPeerPage);

  const newPage = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(ORIGIN);
    return page;
  };
  const main = await newPage();
  const pageOf = (id: string): Page => pages.get(id) ?? main;
  const stop = node.onEvent((event) => {
    events.push(event);
    if (event.t !== "candidates") return;
    const relay = relayed.get(event.id);
    for (const cand of event.cands) {
      const candidate = relay === undefined ? cand.candidate : relay.rewrite(cand.candidate);
      const { sdpMid = null, sdpMLineIndex = null } = cand;
      void pageOf(event.id)
        .evaluate(([id, c]) => globalThis.peerPage.candidate(id, c), [
          event.id,
          { candidate, sdpMid, sdpMLineIndex },
        ] as const)
        .catch(() => undefined);
    }
  });

  const toNode = (id: string, sdp: string): string =>
    relayed.has(id) ? withoutCandidates(sdp) : sdp;
  /** Hands what the node answered to the page. */
  async function settle(id: string, { type, sdp }: Description): Promise<void> {
    const relay = relayed.get(id);
    const shown = relay === undefined ? sdp : rewriteCandidates(sdp, relay);
    const args = [id, shown] as const;
    if (type === "answer") {
      await pageOf(id).evaluate(([i, a]) => globalThis.peerPage.accept(i, a), args);
      return;
    }
    const answer = await pageOf(id).evaluate(([i, o]) => globalThis.peerPage.counter(i, o), args);
    await node.answer(id, toNode(id, answer));
  }

  return {
    node,
    events,
    newPage,
    async publish(id, options = {}) {
      const {
        simulcast = false,
        codec = "VP8",
        bitrate = 500_000,
        audio = true,
        noise = false,
      } = options;
      const { page = main, relay } = options;
      pages.set(id, page);
      if (relay !== undefined) relayed.set(id, relay);
      const offer = await page.evaluate(([i, o]) => globalThis.peerPage.publish(i, o), [
        id,
        { simulcast, codec, bitrate, audio, noise },
      ] as const);
      const { held } = options;
      const done = await node.publish({
        id,
        conferenceId: "c",
        offer: toNode(id, offer),
        vcodes: [codec],
        ...(held === undefined ? {} : { held }),
      });
      const answer = relay === undefined ? done.answer : rewriteCandidates(done.answer, relay);
      await page.evaluate(([i, a]) => globalThis.peerPage.accept(i, a), [id, answer] as const);
      return done;
    },
    async watch(id, publisher, options = {}) {
      const { layer = "high", page = main, relay, videoFirst = false, rtx = true } = options;
      pages.set(id, page);
      if (relay !== undefined) relayed.set(id, relay);
      const began = Date.now();
      const offer = await page.evaluate(([i, v]) => globalThis.peerPage.watch(i, v), [
        id,
        videoFirst,
      ] as const);
      const request = { id, conferenceId: "c", publisher, video: true, audio: true, layer };
      const sentOffer = rtx ? offer : offer.replaceAll(" rtx/90000", " none/90000");
      await settle(id, await node.subscribe({ ...request, offer: toNode(id, sentOffer) }));
      return began;
    },
    async restart(id) {
      const offer = await pageOf(id).evaluate((i) => globalThis.peerPage.restart(i), id);
      const done = await node.restart(id, toNode(id, offer));
      if (done === null) throw new Error("the node cannot restart ICE");
      await settle(id, done);
    },
    watched: (id) => pageOf(id).evaluate((i) => globalThis.peerPage.watched(i), id),
    published: (id) => pageOf(id).evaluate((i) => globalThis.peerPage.published(i), id),
    soundSent: (id) => pageOf(id).evaluate((i) => globalThis.peerPage.soundSent(i), id),
    async closePeer(id) {
      await pageOf(id).evaluate((i) => globalThis.peerPage.close(i), id);
      pages.delete(id);
    },
    async close() {
      stop();
      await context.close();
      if (running === undefined) await browser.close();
    },
  };
}

/** Waits for a condition. @throws Error that names the condition and the last value */
export async function until<T>(
  look: () => Promise<T> | T,
  ok: (value: T) => boolean,
  what: string,
  ms = 10_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await look();
    if (ok(value)) return value;
    if (Date.now() > end)
      throw new Error(
        `${what}: did not happen within ${ms} ms; the last value is ${JSON.stringify(value)}`,
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
