/**
 * A host page of another origin than the server's, made of the packed library alone: `npm pack` in the built folder, unpacked, and served
 * with one empty page beside it. The person logs in outside of the page, as a host application's own server does it.
 */
import { execFileSync } from "node:child_process";
import { cpSync, createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { ensureLibrary } from "../../scripts/lib/prepare.mjs";
import type { ConferenceClient, ConferenceClientOptions } from "../../src/conference-lib/index.ts";
import { watchPeers } from "../support/rtc.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { APP_KEY, loginIdentity } from "../emedia/identity.ts";

declare global {
  /** The client of the page. */
  var client: ConferenceClient;
  /** Makes another client of the same page. */
  var furtherClient: (instance: string) => ConferenceClient;
  /** The typed events of the client, as `name: code`. */
  var heard: string[];
  /** A track that changes all over, so that its bitrate is what the encoder may spend. Seeded. */
  var noise: (w: number, h: number) => MediaStreamTrack;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".map": "application/json",
  ".html": "text/html; charset=utf-8",
};
const root = join(import.meta.dirname, "../..");

/** Packs the library as `npm run build:lib && npm pack` does. @returns the folder of what the package holds */
async function unpack(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "packed-library-"));
  const built = join(folder, "built");
  cpSync(await ensureLibrary(), built, { recursive: true });
  execFileSync(process.execPath, [join(root, "scripts/library-package.mjs"), built]);
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  execFileSync("npm", pack, { cwd: built });
  const file = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error("npm pack made no file");
  execFileSync("tar", ["-xzf", file], { cwd: folder });
  return folder;
}

/** The whole page; the suite runs its steps in it. */
const PAGE = (
  platform: string,
  options: object,
): string => `<!doctype html><meta charset="utf-8"><title>host</title>
<script type="module">
import { createConferenceClient } from "/package/conference.js";
const client = createConferenceClient({
  appkey: ${JSON.stringify(APP_KEY)},
  origin: ${JSON.stringify(platform)},
  autoSub: true,
  warn: (text) => console.warn(text),
  ...${JSON.stringify(options)},
});
globalThis.heard = [];
for (const name of ["onConnectionChanged", "onEnterFailed", "onStreamConnection", "onDeviceError", "onTicket", "onLiveCfgs"]) {
  client.on(name, ({ code }) => globalThis.heard.push(name + ": " + code));
}
client.on("onTracksChanged", (stream, { audio, video }) =>
  globalThis.heard.push("onTracksChanged: " + (stream.located() ? "own " : "") + (audio ? "a" : "-") + (video ? "v" : "-")));
client.on("onStreamAdded", (_member, stream) => {
  if (stream.type === 2) return;
  const video = document.createElement("video");
  video.style.width = "480px";
  document.body.append(video);
  client.streamBindVideo(stream, video);
});
client.on("onStreamRemoved", (_member, stream) => document.querySelector('[data-stream-id="' + stream.id + '"]')?.remove());
globalThis.noise = (w, h) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  let seed = 1;
  // Drawn ahead, so that the page has its processor time for the encoder.
  const images = Array.from({ length: 8 }, () => {
    const image = context.createImageData(w, h);
    const words = new Uint32Array(image.data.buffer);
    for (let i = 0; i < words.length; i += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      words[i] = 0xff000000 | (seed >>> 8);
    }
    return image;
  });
  let shown = 0;
  const draw = () => context.putImageData(images[(shown += 1) % images.length], 0, 0);
  draw();
  setInterval(draw, 40);
  return canvas.captureStream(25).getVideoTracks()[0];
};
globalThis.client = client;
globalThis.furtherClient = (instance) => createConferenceClient({
  appkey: ${JSON.stringify(APP_KEY)},
  origin: ${JSON.stringify(platform)},
  instance,
  autoSub: true,
});
</script>`;

export interface PackedWorld {
  readonly server: TestServer;
  /** Origin of the page. */
  readonly origin: string;
  /**
   * Opens the page for a person who has not joined yet; null: a further tab of the person who is there.
   *
   * @param options of its client beside those of every page
   */
  open(
    context: BrowserContext,
    username: string | null,
    options?: Partial<ConferenceClientOptions>,
  ): Promise<Page>;
  close(): Promise<void>;
}

export async function packedWorld(
  given: {
    /** What `/deploy.json` of the page's origin has. */ readonly deploy?: () => object;
  } = {},
): Promise<PackedWorld> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const server = await startServer({ ALLOWED_ORIGINS: origin });
  const folder = await unpack();
  const host = createServer((request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const path = decodeURIComponent(url.pathname);
    const file = join(folder, normalize(path));
    if (path === "/") {
      response.setHeader("content-type", TYPES[".html"] ?? "");
      const options: unknown = JSON.parse(url.searchParams.get("options") ?? "{}");
      response.end(PAGE(server.url, options as object));
    } else if (path === "/deploy.json") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(given.deploy?.() ?? {}));
    } else if (
      path.startsWith("/package/") &&
      statSync(file, { throwIfNoEntry: false })?.isFile()
    ) {
      response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
      createReadStream(file).pipe(response);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(port, "localhost", resolve));
  return {
    server,
    origin,
    async open(context, username, options = {}) {
      const page = await context.newPage();
      await page.addInitScript("globalThis.__name = (f) => f;");
      await page.addInitScript(watchPeers);
      page.on("console", (message) => {
        if (process.env["VERBOSE"]) console.log(username, message.text());
      });
      page.on("pageerror", (error) => console.log(username, String(error)));
      await page.goto(`${origin}/?options=${encodeURIComponent(JSON.stringify(options))}`);
      await page.waitForFunction(() => globalThis.client !== undefined);
      if (username === null) return page;
      const { name, token } = await loginIdentity(server.url, username);
      await page.evaluate((me) => globalThis.client.setIdentity(me.name, me.token), {
        name,
        token,
      });
      return page;
    },
    async close() {
      host.closeAllConnections();
      await new Promise<void>((resolve) => host.close(() => resolve()));
      await server.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const withDevices = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ permissions: ["camera", "microphone"] });
export const create = async (page: Page): Promise<string> =>
  (await page.evaluate(() => globalThis.client.createConference({ name: "packed" }))).confrId;
export const enter = (page: Page, confrId: string): Promise<unknown> =>
  page.evaluate((id) => globalThis.client.joinConference(id), confrId);
export const heardIn = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.heard);
