/**
 * The media node enforces a member's mute and switched-off picture. The test uses the whole server, the embedded node and real
 * browsers whose client ignores the mute and goes on sending; it counts what arrives.
 */
import { chromium, type Browser, type Page } from "playwright";
import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { type Joined, join, ticket } from "../../src/server/modules/conferences/host.harness.ts";
import { createSignallingModule } from "../../src/server/modules/signalling/index.ts";
import { readConfig } from "../../src/server/base/config.ts";
import { createMediaNodes, type MediaNode } from "../../src/server/modules/media-node/index.ts";
import { OPTIONS_PERMISSION } from "../../src/shared/domain/conference-types.ts";
import { OP } from "../../src/shared/protocol/signalling.ts";
import { OP2 } from "../../src/shared/protocol/confr-signalling.ts";
import type { Candidate } from "../../src/shared/protocol/signalling.ts";
import { createTestHost, type TestHost } from "../../src/server/host.harness.ts";
import { launchOptions } from "../support/chromium.ts";
import { installPeerPage } from "./peer-page.ts";
import {
  readCandidates,
  readDescription,
  writeCandidates,
  writeDescription,
} from "../../src/shared/protocol/confr-signalling.ts";
import { until } from "./rig.ts";

const op = OP;
let browser: Browser;
let node: MediaNode;
let host: TestHost;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions(["--autoplay-policy=no-user-gesture-required"]));
  const config = readConfig({ APP_SECRET: "s".repeat(40) });
  const log = pino({ level: "silent" });
  const [made] = createMediaNodes({ config, clock: systemClock, log, metrics: new Registry() });
  if (made === undefined) throw new Error("no node");
  node = made;
  host = await createTestHost({
    modules: [(deps) => createSignallingModule(deps, { nodes: [node] })],
    companies: { "1": ["zhangwei", "lina", "chenjie"] },
    permissions: { zhangwei: [OPTIONS_PERMISSION] },
  });
  await host.pg.query("INSERT INTO companies (id, name) VALUES (1, '华安')");
}, 60_000);
afterAll(async () => {
  await host.close();
  await node.close();
  await browser.close();
});

/** A member whose page publishes and subscribes without obeying mutes. */
interface Peer extends Joined {
  readonly page: Page;
  publish(rtcId: string, pubS?: object): Promise<Record<string, unknown>>;
  watch(rtcId: string, streamId: string): Promise<void>;
  ask(frame: { op: number } & Record<string, unknown>): Promise<Record<string, unknown>>;
}

async function peerOf(joined: Joined): Promise<Peer> {
  const context = await browser.newContext({ permissions: ["camera", "microphone"] });
  await context.route("**/*", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>peer</title>" }),
  );
  let serial = 0;
  const send = (frame: object): string => {
    const tsxId = `x${(serial += 1)}`;
    joined.send({ tsxId, sessId: joined.sessId, ...frame });
    return tsxId;
  };
  await context.exposeFunction("toNode", (rtcId: string, cand: Candidate) => {
    if (cand.candidate !== "") {
      send({ op: op.candidates, rtcId, cands: writeCandidates([cand]) });
    }
  });
  await context.addInitScript("globalThis.__name = (f) => f;");
  await context.addInitScript(installPeerPage);
  const page = await context.newPage();
  await page.goto("http://localhost:9");
  joined.ws.on("message", (data) => {
    const frame = JSON.parse(String(data)) as { op: number; rtcId?: string; cands?: string[] };
    if (frame.op !== op.candidates || frame.rtcId === undefined) return;
    for (const { candidate, sdpMid = null, sdpMLineIndex = null } of readCandidates(
      frame.cands ?? [],
    )) {
      void page
        .evaluate(([id, c]) => globalThis.peerPage.candidate(id, c), [
          frame.rtcId ?? "",
          { candidate, sdpMid, sdpMLineIndex },
        ] as const)
        .catch(() => undefined);
    }
  });
  const ask: Peer["ask"] = (frame) => joined.waitForFrame({ op: op.response, tsxId: send(frame) });
  /** Sends an offer and gives the page the node's description. */
  async function offer(rtcId: string, sdp: string, what: object) {
    const description = writeDescription({ type: "OFFER", sdp });
    const answer = await ask({ op: op.offer, rtcId, sdp: description, ...what });
    expect(answer).toMatchObject({ result: 0 });
    const answered = await joined.waitForFrame({ op: op.answer, rtcId });
    const args = [rtcId, readDescription(String(answered["sdp"]))?.sdp ?? ""] as const;
    await page.evaluate(([id, a]) => globalThis.peerPage.accept(id, a), args);
    return answer;
  }
  return {
    ...joined,
    page,
    ask,
    async publish(rtcId, pubS = {}) {
      const options = {
        simulcast: false,
        codec: "VP8",
        bitrate: 400_000,
        audio: true,
        noise: false,
      };
      const sdp = await page.evaluate(([id, o]) => globalThis.peerPage.publish(id, o), [
        rtcId,
        options,
      ] as const);
      const answer = await offer(rtcId, sdp, { pubS: { type: 0, ...pubS } });
      return answer["stream"] as Record<string, unknown>;
    },
    async watch(rtcId, subSId) {
      const sdp = await page.evaluate((id) => globalThis.peerPage.watch(id, false), rtcId);
      await offer(rtcId, sdp, { subSId });
    },
  };
}

async function meeting(
  limits: Record<string, unknown> = {},
): Promise<{ admin: Peer; rogue: Peer; watcher: Peer }> {
  const made = await ticket(host, "zhangwei", limits);
  const enter = async (user: string): Promise<Peer> => {
    const given = user === "zhangwei" ? made : await ticket(host, user, { confrId: made.confrId });
    return peerOf(await join(host, given.ticket));
  };
  return {
    admin: await enter("zhangwei"),
    rogue: await enter("lina"),
    watcher: await enter("chenjie"),
  };
}

const received = (peer: Peer, rtcId: string) =>
  peer.page.evaluate((id) => globalThis.peerPage.watched(id), rtcId);
/** Sound packets that the browser has sent. */
const sentSound = (peer: Peer, rtcId: string) =>
  peer.page.evaluate((id) => globalThis.peerPage.soundSent(id), rtcId);

/** Waits until no sound arrives, then checks that none arrives while the client sends at least 80 more packets. */
async function silent(rogue: Peer, watcher: Peer, watched: string): Promise<void> {
  const rest = await until(
    async () => {
      const before = (await received(watcher, watched)).audioPackets;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return [before, (await received(watcher, watched)).audioPackets] as const;
    },
    ([before, after]) => before === after,
    "silence",
  );
  const sent = await sentSound(rogue, "r");
  await until(
    () => sentSound(rogue, "r"),
    (now) => now - sent >= 80,
    "80 packets more are sent",
  );
  expect((await received(watcher, watched)).audioPackets).toBe(rest[1]);
}

it("A muted member's packets are not forwarded, whatever its client sends, until the admin unmutes it", async () => {
  const { admin, rogue, watcher } = await meeting();
  const { id } = await rogue.publish("r");
  await watcher.watch("s", String(id));
  const heard = async (rtcId: string): Promise<void> => {
    await until(
      () => received(watcher, rtcId),
      (w) => w.audioPackets > 20 && w.frames > 5,
      `sound and picture of ${rtcId}`,
    );
  };
  await heard("s");
  let before = "s";

  for (const mute of [
    (on: boolean) => {
      const arg = JSON.stringify({ op2: on ? OP2.mute : OP2.unmute });
      admin.send({
        op: op.controlRequest,
        tsxId: `m${on}`,
        sessId: admin.sessId,
        memId: "lina",
        arg,
      });
      return rogue.waitForFrame({ op: op.controlRequest, tsxId: `m${on}` });
    },
    async (on: boolean) => {
      const response = await fetch(`${host.origin}/easemob/rtc/confr/attrs/update`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer token-zhangwei" },
        body: JSON.stringify({
          confrId: (await host.pg.query<{ id: string }>("select id from conferences")).rows[0]?.id,
          roleToken: admin.roleToken,
          cstate: { muteAll: on },
        }),
      });
      expect(await response.json()).toEqual({ error: 0 });
    },
  ]) {
    await mute(true);
    await silent(rogue, watcher, before);
    // Neither the member's own unmute nor a new subscription opens the sound.
    await rogue.ask({ op: op.streamControl, rtcId: "r", voff: 0, aoff: 1 });
    expect(await rogue.ask({ op: op.streamControl, rtcId: "r", voff: 0, aoff: 0 })).toMatchObject({
      result: -405,
      msg: "主持人已将您静音",
    });
    const again = `${before}+`;
    await watcher.watch(again, String(id));
    before = again;
    const { frames, audioPackets } = await until(
      () => received(watcher, again),
      (w) => w.frames > 5,
      "the picture goes on",
    );
    expect([frames > 5, audioPackets]).toEqual([true, 0]);
    await silent(rogue, watcher, again);
    await mute(false);
    await rogue.ask({ op: op.streamControl, rtcId: "r", voff: 0, aoff: 0 });
    await heard(again);
  }
}, 90_000);

it("A picture that is published as off is not forwarded, and switching it on is refused beyond the limit (23) until there is room", async () => {
  await host.pg.query("delete from conferences");
  const { admin, rogue, watcher } = await meeting({ maxVideoCount: 1 });
  await admin.publish("a");
  const { id } = await rogue.publish("r", { voff: 1 });
  await watcher.watch("s", String(id));
  await until(
    () => received(watcher, "s"),
    (w) => w.audioPackets > 50,
    "its sound",
  );
  const { sent } = await rogue.page.evaluate((i) => globalThis.peerPage.published(i), "r");
  expect(sent[0]?.bitrate ?? 0).toBeGreaterThan(0);
  expect(await received(watcher, "s")).toMatchObject({ packets: 0, frames: 0 });
  const open = { op: op.streamControl, rtcId: "r", voff: 0, aoff: 0 };
  expect(await rogue.ask(open)).toMatchObject({ result: -405, endReason: 23 });
  await admin.ask({ ...open, rtcId: "a", voff: 1 });
  expect(await received(watcher, "s")).toMatchObject({ packets: 0 });
  expect(await rogue.ask(open)).toMatchObject({ result: 0 });
  await until(
    () => received(watcher, "s"),
    (w) => w.frames > 5,
    "the picture, now that there is space",
  );
}, 60_000);
