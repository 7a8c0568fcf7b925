/** The library as a host page uses it: built separately, with its own core, in two browsers against a real server. */
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
// @ts-expect-error a script for people has no types
import { serveHostPage } from "../../scripts/host-page.mjs";
import { ensureLibrary } from "../../scripts/lib/prepare.mjs";
import type { ConferenceClient } from "../../src/conference-lib/index.ts";
import { launchOptions } from "../support/chromium.ts";
import { inbound, watchPeers } from "../support/rtc.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { until } from "./rig.ts";

declare global {
  /** Set by the example page. */
  var conference: ConferenceClient | undefined;
}

let server: TestServer;
let host: { url: string; close(): Promise<void> };
let browser: Browser;

beforeAll(async () => {
  server = await startServer();
  host = await serveHostPage({ platform: server.url, dir: await ensureLibrary() });
  browser = await chromium.launch(
    launchOptions([
      "--autoplay-policy=no-user-gesture-required",
      "--auto-select-desktop-capture-source=Entire screen",
    ]),
  );
});
afterAll(async () => {
  await browser?.close();
  await host?.close();
  await server?.dispose();
});

async function enter(username: string, confrId = ""): Promise<Page> {
  const context = await browser.newContext({ permissions: ["camera", "microphone"] });
  const page = await context.newPage();
  await page.addInitScript("globalThis.__name = (f) => f;");
  await page.addInitScript(watchPeers);
  page.on("console", (message) => {
    if (process.env["VERBOSE"]) console.log(username, message.text());
  });
  page.on("pageerror", (error) => console.log(username, String(error)));
  await page.goto(host.url);
  const form = page.getByRole("form", { name: "加入会议" });
  await form.getByLabel("用户名").fill(username);
  await form.getByLabel("密码").fill("Demo@2026");
  await form.getByLabel("会议号").fill(confrId);
  await form.getByRole("button", { name: "进入" }).click();
  await page.getByRole("button", { name: "离开" }).waitFor({ timeout: 20_000 });
  return page;
}
const streams = (page: Page) =>
  page.evaluate(() =>
    (globalThis.conference?.streams() ?? []).map(({ id, type, voff, aoff, located }) => ({
      id,
      type,
      voff,
      aoff,
      own: located(),
    })),
  );
const pictures = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("video")].map((video) => globalThis.pictureHash(video)),
  );

/** The id of the conference that the page is in. */
async function confrIdOf(page: Page): Promise<string> {
  const status = page.locator("#status");
  const text = await until(
    async () => (await status.textContent()) ?? "",
    (shown) => /Conference \S+ · /.test(shown),
    "in a conference",
  );
  return /Conference (\S+) · /.exec(text)?.[1] ?? "";
}
async function expectFlow(page: Page): Promise<void> {
  const before = await inbound(page);
  await until(
    () => inbound(page),
    (now) =>
      now.framesDecoded > before.framesDecoded + 20 && now.audioPackets > before.audioPackets + 50,
    "frames and sound",
    20_000,
  );
}
/** Width of the last decoded picture received from others; 0 for none. */
const receivedWidth = (page: Page) =>
  page.evaluate(async () => {
    let width = 0;
    for (const pc of globalThis.peerConnections ?? []) {
      if (pc.connectionState === "closed") continue;
      (await pc.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry["type"] === "inbound-rtp" && entry["kind"] === "video") {
          width = Math.max(width, Number(entry["frameWidth"] ?? 0));
        }
      });
    }
    return width;
  });

it("Two people see and hear each other, pause, and leave no connection open", async () => {
  const a = await enter("zhangwei");
  const b = await enter("lina", await confrIdOf(a));
  for (const page of [a, b]) {
    await expectFlow(page);
    expect((await inbound(page)).openPeers).toBe(2);
    await until(
      () => pictures(page),
      (all) => all.length === 2 && all.every((hash) => hash !== null),
      "two pictures",
    );
  }
  // The other member sees the camera go off and on again.
  await a.getByRole("button", { name: "关闭摄像头" }).click();
  await until(
    () => streams(b),
    (all) => all.some(({ own, voff }) => !own && voff === 1),
    "voff",
  );
  await until(
    () => b.locator("figure[data-voff='1']").count(),
    (count) => count === 1,
    "the element says it",
  );
  await a.getByRole("button", { name: "关闭摄像头" }).click();
  await until(
    () => streams(b),
    (all) => all.every(({ voff }) => voff === 0),
    "von",
  );
  await a.getByRole("button", { name: "静音" }).click();
  await until(
    () => streams(b),
    (all) => all.some(({ own, aoff }) => !own && aoff === 1),
    "aoff",
  );

  const heard = a.evaluate(
    () =>
      new Promise<[number, boolean]>((resolve) => {
        globalThis.conference?.on("onConferenceExit", (...given) => resolve(given));
      }),
  );
  await a.evaluate(() => globalThis.conference?.destroyConference());
  expect((await heard)[0]).toBe(11);
  for (const page of [a, b]) {
    await until(
      () => inbound(page),
      ({ openPeers }) => openPeers === 0,
      "no peer left open",
    );
    expect(await page.evaluate(() => document.querySelectorAll("audio").length)).toBe(0);
    expect(await streams(page)).toEqual([]);
  }
});

it("A small tile gets the low layer, a hidden one no picture, and a large one the high layer again", async () => {
  const a = await enter("zhangwei");
  const b = await enter("lina", await confrIdOf(a));
  await expectFlow(b);
  await until(
    () => receivedWidth(b),
    (width) => width >= 320,
    "large",
    15_000,
  );
  const resize = (width: string) =>
    b.evaluate((value) => {
      for (const video of document.querySelectorAll("video")) video.style.width = value;
    }, width);
  await resize("200px");
  await until(
    () => receivedWidth(b),
    (width) => width === 160,
    "small",
    15_000,
  );
  await b.evaluate(() => document.getElementById("tiles")?.setAttribute("hidden", ""));
  await b.addStyleTag({ content: "#tiles[hidden] { display: none }" }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const hidden = await inbound(b);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const later = await inbound(b);
  expect(later.framesDecoded - hidden.framesDecoded).toBeLessThan(3);
  expect(later.audioPackets - hidden.audioPackets).toBeGreaterThan(30);
  await b.evaluate(() => document.getElementById("tiles")?.removeAttribute("hidden"));
  await resize("640px");
  await expectFlow(b);
  await until(
    () => receivedWidth(b),
    (width) => width >= 320,
    "large again",
    15_000,
  );
  await a.evaluate(() => globalThis.conference?.destroyConference());
});

it("The other member sees a shared screen and its end", async () => {
  const a = await enter("zhangwei");
  const b = await enter("lina", await confrIdOf(a));
  await expectFlow(b);
  await a.getByRole("button", { name: "共享屏幕" }).click();
  const screenOf = (all: Awaited<ReturnType<typeof streams>>) => all.find(({ type }) => type === 1);
  await until(
    () => streams(b),
    (all) => screenOf(all) !== undefined,
    "the screen",
    15_000,
  );
  await until(
    () => pictures(b),
    (all) => all.length === 3 && all.every((hash) => hash !== null),
    "three pictures",
    15_000,
  );
  await a.evaluate(async () => {
    const screen = globalThis.conference?.streams().find(({ type }) => type === 1);
    if (screen !== undefined) await globalThis.conference?.hungup(screen);
  });
  await until(
    () => streams(b),
    (all) => screenOf(all) === undefined,
    "no screen",
  );
  await expectFlow(b);
  await a.evaluate(() => globalThis.conference?.destroyConference());
});

it("When the tab with the media closes, another tab of the person takes over", async () => {
  const a = await enter("zhangwei");
  const b = await enter("lina", await confrIdOf(a));
  await expectFlow(b);
  const second = await a.context().newPage();
  await second.addInitScript("globalThis.__name = (f) => f;");
  await second.addInitScript(watchPeers);
  await second.goto(host.url);
  await until(
    () => streams(second),
    (all) => all.length === 2,
    "the state in the second tab",
  );
  expect((await inbound(second)).openPeers).toBe(0);
  await a.close();
  await expectFlow(second);
  await expectFlow(b);
  await second.evaluate(() => globalThis.conference?.destroyConference());
});

it("When the library's core is killed, a new one resumes the same conference", async () => {
  const a = await enter("zhangwei");
  const b = await enter("lina", await confrIdOf(a));
  await expectFlow(b);
  const exits = a.evaluate(() => {
    const all: number[] = [];
    globalThis.conference?.on("onConferenceExit", (reason) => all.push(reason));
    return new Promise<number[]>((resolve) => setTimeout(() => resolve(all), 6_000));
  });
  const cdp = await a.context().newCDPSession(a);
  const { targetInfo: page } = await cdp.send("Target.getTargetInfo");
  const { targetInfos } = await cdp.send("Target.getTargets");
  const worker = targetInfos.find(
    ({ type, browserContextId }) =>
      type === "shared_worker" && browserContextId === page.browserContextId,
  );
  if (worker === undefined) throw new Error("no worker to kill");
  await cdp.send("Target.closeTarget", { targetId: worker.targetId });
  await expectFlow(b);
  await expectFlow(a);
  expect(await exits).toEqual([]);
  // Commands go to the new core.
  await a.getByRole("button", { name: "静音" }).click();
  await until(
    () => streams(b),
    (all) => all.some(({ own, aoff }) => !own && aoff === 1),
    "aoff",
  );
  expect(await b.evaluate(() => globalThis.conference?.members().length)).toBe(2);
  await b.evaluate(() => globalThis.conference?.exitConference());
  await until(
    () => streams(b),
    (all) => all.length === 0,
    "out",
  );
  await a.evaluate(() => globalThis.conference?.destroyConference());
});
