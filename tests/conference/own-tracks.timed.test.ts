/** What a host page sends of its own canvas: the bitrate that it set, measured by the browser and at the other member. */
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PublishOptions } from "../../src/conference-lib/index.ts";
import { launchOptions } from "../support/chromium.ts";
import { create, enter, type PackedWorld, packedWorld, withDevices } from "./packed-page.ts";
import { until } from "../media/rig.ts";

let world: PackedWorld;
let browser: Browser;
beforeAll(async () => {
  world = await packedWorld();
  browser = await chromium.launch(launchOptions(["--autoplay-policy=no-user-gesture-required"]));
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

/** How long a bitrate is measured, and how long the encoder may need to reach it, ms. */
const MEASURED_MS = 15_000;
const REACHED_MS = 10_000;
const WITHIN = 0.15;

/** Bytes of the picture that the page has sent or received, over all its connections. */
const bytes = (page: Page, way: "outbound-rtp" | "inbound-rtp") =>
  page.evaluate(async (type) => {
    let sum = 0;
    for (const pc of globalThis.peerConnections ?? []) {
      if (pc.connectionState !== "connected") continue;
      (await pc.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry["type"] !== type || entry["kind"] !== "video") return;
        sum += Number(entry[type === "outbound-rtp" ? "bytesSent" : "bytesReceived"] ?? 0);
      });
    }
    return { sum, at: performance.now() };
  }, way);
async function kilobits(page: Page, way: "outbound-rtp" | "inbound-rtp"): Promise<number> {
  const before = await bytes(page, way);
  await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
  const after = await bytes(page, way);
  return ((after.sum - before.sum) * 8) / (after.at - before.at);
}

it.each<[string, PublishOptions, number]>([
  ["at most 400 kbit/s", { maxVideoBitrate: 400 }, 400],
  ["exactly 800 kbit/s", { forceVideoBitrate: 800 }, 800],
])("The page's own canvas is sent with %s, within 15 %%", async (_name, options, wanted) => {
  const a = await world.open(await withDevices(browser), "zhangwei");
  const b = await world.open(await withDevices(browser), "lina");
  const confrId = await create(a);
  await enter(b, confrId);
  await a.evaluate(
    (given) =>
      globalThis.client.publish({
        ...given,
        audio: false,
        simulcast: false,
        video: globalThis.noise(320, 180),
      }),
    options,
  );
  await until(
    () => bytes(b, "inbound-rtp"),
    ({ sum }) => sum > 50_000,
    "the canvas arrives",
    20_000,
  );
  await new Promise((resolve) => setTimeout(resolve, REACHED_MS));
  const [sent, received] = await Promise.all([
    kilobits(a, "outbound-rtp"),
    kilobits(b, "inbound-rtp"),
  ]);
  console.log(`${_name}: sent ${sent.toFixed(0)}, received ${received.toFixed(0)} kbit/s`);
  for (const measured of [sent, received]) {
    expect(measured).toBeGreaterThan(wanted * (1 - WITHIN));
    expect(measured).toBeLessThan(wanted * (1 + WITHIN));
  }
  await a.evaluate(() => globalThis.client.destroyConference());
  for (const page of [a, b]) await page.context().close();
});
