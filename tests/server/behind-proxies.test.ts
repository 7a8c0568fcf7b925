/** The documented proxies in front of a platform (docs/server.md#behind-a-proxy), as real programs: nginx and Caddy. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { systemClock } from "../../src/server/base/clock.ts";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { curl, loginOf } from "../support/curl.ts";
import { caddyPath, startCaddy } from "../support/caddy.ts";
import {
  belowPath,
  documentedNginx,
  hostAlone,
  hostApart,
  replaced,
} from "../support/documented.ts";
import { nginxPath, type Proxy, startNginx } from "../support/nginx.ts";

/** What a browser may do through a proxy, with the page's origin. @returns the status of a refusal, or "open" */
function dial(origin: string, path = "/signalling"): Promise<number | "open"> {
  const socket = new WebSocket(origin.replace("http", "ws") + path, {
    origin,
    rejectUnauthorized: false,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      resolve("open");
      socket.terminate();
    });
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.once("error", reject);
  });
}

const BIG = "z".repeat(200_000);
const dist = mkdtempSync(join(tmpdir(), "dist-"));
mkdirSync(join(dist, "assets"));
writeFileSync(join(dist, "index.html"), `<script type="module" src="/assets/main.js"></script>`);
writeFileSync(join(dist, "assets", "main.js"), BIG);
afterAll(() => rmSync(dist, { recursive: true }));

// A Debian machine has nginx; elsewhere it may be missing.
describe.skipIf(nginxPath === null)("Behind the documented proxies", () => {
  const lines: { origin?: string; host?: string; msg: string }[] = [];
  const refusals = () => lines.filter(({ origin }) => origin !== undefined);
  let trusting: TestPlatform;
  let below: TestPlatform;
  let alone: TestPlatform;
  let proxy: Proxy | null = null;
  beforeAll(async () => {
    const log = pino(
      { level: "warn" },
      { write: (line: string) => void lines.push(JSON.parse(line)) },
    );
    const start = (env: Record<string, string>): Promise<TestPlatform> =>
      startTestPlatform({ log, dist, clock: systemClock, env: { MEDIA_EMBEDDED: "off", ...env } });
    trusting = await start({ TRUSTED_PROXIES: "127.0.0.1" });
    below = await start({ TRUSTED_PROXIES: "127.0.0.1", BASE_PATH: "/console" });
    alone = await start({});
  });
  afterEach(async () => {
    await proxy?.close();
    proxy = null;
    lines.length = 0;
  });
  afterAll(async () => {
    for (const one of [trusting, below, alone]) await one.close();
  });
  const behindNginx = async (
    platform: TestPlatform,
    change?: (text: string) => string,
  ): Promise<string> => {
    proxy = await startNginx(platform.origin, documentedNginx(change));
    return proxy.origin;
  };
  const cookiesOf = (answer: string): string[] => answer.match(/^set-cookie: .*$/gim) ?? [];

  it("nginx passes on pages, calls and sockets at any port, and cookies are Secure", async () => {
    const origin = await behindNginx(trusting);
    expect(await curl("-H", "accept: text/html", `${origin}/im/people`)).toContain(
      "/assets/main.js",
    );
    const answer = await curl("-i", ...loginOf("lina"), `${origin}/uaa/login/username`);
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(cookiesOf(answer)).toHaveLength(2);
    for (const cookie of cookiesOf(answer)) expect(cookie).toContain("; Secure");
    expect(await dial(origin)).toBe("open");
    expect(await dial(origin, "/websocket")).toBe("open");
    expect(refusals()).toEqual([]);
  });

  it("nginx may send the host without its port when it names the whole host apart", async () => {
    const origin = await behindNginx(trusting, hostApart);
    expect(await dial(origin)).toBe("open");
    const policy = await curl("-I", "-H", "accept: text/html", `${origin}/`);
    expect(policy).toContain(`wss://${new URL(origin).host}`);
    expect(refusals()).toEqual([]);
  });

  it("nginx with the host without its port alone: each page's socket is refused, and one line of the log says why", async () => {
    const origin = await behindNginx(trusting, hostAlone);
    for (let i = 0; i < 3; i += 1) expect(await dial(origin)).toBe(403);
    expect(refusals()).toHaveLength(1);
    expect(refusals()[0]).toMatchObject({ origin, host: "127.0.0.1" });
    expect(refusals()[0]?.msg).toContain("proxy_set_header Host $http_host");
  });

  it("The whole host of a proxy that is not trusted does not count, and the log names the setting", async () => {
    const origin = await behindNginx(alone, hostApart);
    expect(await dial(origin)).toBe(403);
    expect(refusals()[0]?.msg).toContain("TRUSTED_PROXIES");
  });

  it.each([
    ["leaves the path", belowPath],
    ["takes the path away", (text: string) => replaced(belowPath(text), "8080;", "8080/;")],
    [
      "leaves the path and names the whole host apart",
      (text: string) => hostApart(belowPath(text)),
    ],
  ])("Below a path nginx %s", async (_, change) => {
    const origin = await behindNginx(below, change);
    const page = await curl("-H", "accept: text/html", `${origin}/console/im/people`);
    expect(page).toContain(`src="/console/assets/main.js"`);
    expect(await curl(`${origin}/console/assets/main.js`)).toBe(BIG);
    expect(await curl(`${origin}/assets/main.js`)).not.toContain(BIG);
    const answer = await curl("-i", ...loginOf("lina"), `${origin}/console/uaa/login/username`);
    expect(cookiesOf(answer)).toHaveLength(2);
    for (const cookie of cookiesOf(answer)) expect(cookie).toContain("Path=/console;");
    expect(await dial(origin, "/console/signalling")).toBe("open");
    expect(await dial(origin, "/console/websocket")).toBe("open");
  });

  // Caddy may be missing where the machine has nginx.
  it.skipIf(caddyPath === null)(
    "Caddy passes on pages, calls and sockets, also below a path",
    async () => {
      proxy = await startCaddy(trusting.origin);
      const first = proxy.origin;
      expect(await curl("-H", "accept: text/html", `${first}/im/people`)).toContain(
        "/assets/main.js",
      );
      const answer = await curl("-i", ...loginOf("lina"), `${first}/uaa/login/username`);
      for (const cookie of cookiesOf(answer)) expect(cookie).toContain("; Secure");
      expect(cookiesOf(answer)).toHaveLength(2);
      expect(await dial(first)).toBe("open");
      await proxy.close();
      proxy = await startCaddy(below.origin, (text) =>
        replaced(text, "reverse_proxy ", "reverse_proxy /console/* "),
      );
      const { origin } = proxy;
      expect(await curl(`${origin}/console/assets/main.js`)).toBe(BIG);
      expect(await dial(origin, "/console/signalling")).toBe("open");
      expect(refusals()).toEqual([]);
    },
  );
});
