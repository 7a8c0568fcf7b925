/**
 * Counts packets that are lost for good: the sequence numbers that the node sent against those that arrived beyond a network with
 * 5 % loss. A packet that arrives twice counts once. SRTP leaves the RTP header readable.
 */
import { chromium } from "playwright";
import { expect, it, onTestFinished } from "vitest";
import { createNdcTransports } from "../../src/server/modules/media-node/embedded/ndc-transport.ts";
import type { MediaNode, NodeEvent } from "../../src/server/modules/media-node/contracts.ts";
import { isRtcp, parseRtp } from "../../src/server/modules/media-node/rtp/header.ts";
import { createSfu } from "../../src/server/modules/media-node/sfu/index.ts";
import type { OpenTransport } from "../../src/server/modules/media-node/sfu/transport.ts";
import { launchOptions } from "../support/chromium.ts";
import { hostAddress } from "../media/janus-process.ts";
import { createRig, until } from "../media/rig.ts";
import { createUdpRelay } from "../media/udp-relay.ts";
import { tortureRandom } from "../support/seed.ts";
import { freePort } from "../../scripts/lib/free-port.mjs";

const WATCHERS = ["s1", "s2", "s3", "s4"];
const VIDEO = 96;
/** The test goes on until each watcher was sent at least SENT packets and at least DROPPED of them were lost on the way. */
const SENT = 300;
const DROPPED = 20;

/** A node in this process that records its outgoing packets per connection. */
function createCountedNode(port: number, sent: (id: string, packet: Buffer) => void) {
  const ndc = createNdcTransports({ port });
  const open: OpenTransport = (id, events) => {
    const inner = ndc(id, events);
    return {
      ...inner,
      send(mid, packet) {
        const done = inner.send(mid, packet);
        if (done) sent(id, packet);
        return done;
      },
    };
  };
  const handlers = new Set<(event: NodeEvent) => void>();
  const sfu = createSfu({
    open,
    now: () => performance.now(),
    emit: (event) => {
      for (const handler of handlers) handler(event);
    },
    capacity: 100,
  });
  const ticking = setInterval(() => sfu.tick(), 25);
  const node: MediaNode = {
    name: "counted",
    kind: "embedded",
    up: true,
    load: 0,
    publish: sfu.publish,
    subscribe: sfu.subscribe,
    answer: () => Promise.reject(new Error("it makes no offers")),
    candidates: sfu.candidates,
    select: sfu.select,
    hold: sfu.hold,
    restart: sfu.restart,
    closeConnection: sfu.closeConnection,
    closeConference: sfu.closeConference,
    stats: () => Promise.resolve(sfu.stats()),
    onEvent(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    close() {
      clearInterval(ticking);
      sfu.close();
      return Promise.resolve();
    },
  };
  return node;
}

it("No packet is lost for good at 5 % loss: each sequence number that the node sent arrives at each of four watchers", async () => {
  const random = tortureRandom("packets lost on the way to four watchers");
  const sentBy = new Map(WATCHERS.map((id) => [id, new Set<number>()] as const));
  const cameTo = new Map(WATCHERS.map((id) => [id, new Set<number>()] as const));
  let twice = 0;
  const numberOf = (packet: Buffer): number | null => {
    const header = isRtcp(packet) ? null : parseRtp(packet);
    return header?.payloadType === VIDEO ? header.sequence : null;
  };
  const node = createCountedNode(await freePort(), (id, packet) => {
    const number = numberOf(packet);
    if (number !== null) sentBy.get(id)?.add(number);
  });
  onTestFinished(() => node.close());
  const browser = await chromium.launch(
    launchOptions(["--autoplay-policy=no-user-gesture-required"]),
  );
  onTestFinished(() => browser.close());
  const rig = await createRig(node, browser);
  onTestFinished(() => rig.close());
  const relays: Awaited<ReturnType<typeof createUdpRelay>>[] = [];
  await rig.publish("p");
  for (const id of WATCHERS) {
    const relay = await createUdpRelay(hostAddress(), random, {
      delivered: (packet) => {
        const number = numberOf(packet);
        if (number === null) return;
        const numbers = cameTo.get(id);
        if (numbers?.has(number) === true) twice += 1;
        numbers?.add(number);
      },
    });
    onTestFinished(() => relay.close());
    relays.push(relay);
    // Retransmissions of a stream of their own would hide which packet they carry.
    await rig.watch(id, "p", { relay, rtx: false });
  }
  for (const id of WATCHERS) {
    await until(
      () => rig.watched(id),
      (w) => w.frames > 5,
      `${id}'s picture`,
    );
  }
  for (const relay of relays) relay.trouble.loss = 0.05;
  // Wait for counts instead of time, because the machine may be slow.
  await until(
    () => ({
      sent: Math.min(...WATCHERS.map((id) => sentBy.get(id)?.size ?? 0)),
      dropped: Math.min(...relays.map((relay) => relay.dropped)),
    }),
    ({ sent, dropped }) => sent > SENT && dropped > DROPPED,
    `${SENT} packets sent to each, and ${DROPPED} of them lost`,
    40_000,
  );
  for (const relay of relays) relay.trouble.loss = 0;
  // A receiver notices the loss of the last packets only when later ones arrive.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  node.hold("p", { video: true, audio: true });
  const missing = (): number[] =>
    WATCHERS.map(
      (id) =>
        [...(sentBy.get(id) ?? [])].filter((number) => cameTo.get(id)?.has(number) !== true).length,
    );
  const lost = await until(
    missing,
    (all) => all.every((count) => count === 0),
    "all that the node sent",
    3000,
  );
  const numbers = WATCHERS.map((id) => sentBy.get(id)?.size ?? 0);
  const dropped = relays.map((relay) => relay.dropped);
  console.log(
    `5 % loss: ${numbers.join(", ")} packets sent, ${dropped.join(", ")} lost on the way, ${lost.join(", ")} for good; ${twice} arrived twice`,
  );
  expect(lost).toEqual([0, 0, 0, 0]);
}, 90_000);
