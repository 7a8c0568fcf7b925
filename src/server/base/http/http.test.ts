import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { createTestDirectory } from "../../host.harness.ts";
import { AppError } from "../../../shared/errors.ts";
import { defineCall } from "../../../shared/protocol/rest/call.ts";
import type { HttpEnv } from "../module.ts";
import { createHttpApp } from "./app.ts";
import { createClients } from "./client.ts";
import { openRoute, route } from "./route.ts";
import { foreignOrigins } from "./security.ts";
import { createUpgradeRouter, type UpgradeRouter } from "./upgrade.ts";

const log = pino({ level: "silent" });

describe("The app", () => {
  const lines: string[] = [];
  const metrics = new Registry();
  const directory = createTestDirectory({ "1": ["lina"] });
  const put = defineCall({
    id: "test.put",
    method: "PUT",
    path: "/api/things/{id}",
    summary: "",
    auth: "bearer",
    params: z.object({ id: z.string().regex(/^\d+$/) }),
    query: z.object({ n: z.coerce.number().int() }),
    body: z.object({ name: z.string().min(2), tags: z.array(z.string()).default([]) }),
    data: z.object({ seen: z.string() }),
  });
  const form = defineCall({
    id: "test.form",
    method: "POST",
    path: "/api/form",
    summary: "",
    auth: "none",
    bodyType: "form",
    body: z.object({ a: z.string(), __proto__x: z.string().optional() }),
    data: z.object({ a: z.string() }),
  });
  let dist = "";
  let app: Hono<HttpEnv>;
  beforeAll(() => {
    dist = mkdtempSync(join(tmpdir(), "dist-"));
    mkdirSync(join(dist, "assets"));
    mkdirSync(join(dist, ".vite"));
    for (const name of [
      "index.html",
      "favicon.svg",
      ".vite/manifest.json",
      "assets/core-B1x_y-9.js",
      "assets/index-abc.js",
      "assets/core-x.css",
      "assets/score-x.js",
    ]) {
      writeFileSync(join(dist, name), `content of ${name}`);
    }
    app = createHttpApp(
      {
        log: pino({ level: "info" }, { write: (line: string) => void lines.push(line) }),
        metrics,
        clients: createClients({ hops: 0 }),
        dist,
        connect: foreignOrigins(["//chat.example.com", "https://rest.example.com/x", ""]),
        // Only /api/slow takes this long, even on a busy machine.
        requestTimeout: 2_000,
      },
      [
        (hono) => {
          route(hono, put, { directory }, ({ params, query, body, principal }) => ({
            seen: `${principal.username} ${params.id} ${query.n} ${body.name} ${body.tags.length}`,
          }));
          openRoute(hono, form, ({ body }) => ({ a: body.a }));
          hono.get("/api/crash", () => {
            throw new Error("secret of the inside");
          });
          hono.get("/api/refuse", () => {
            throw new AppError("request.conflict");
          });
          hono.get("/api/slow", () => new Promise<Response>(() => undefined));
        },
      ],
    );
  });
  afterAll(() => rmSync(dist, { recursive: true }));

  const bearer = { authorization: "Bearer token-lina", "content-type": "application/json" };
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await app.request(path, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const putThing = (
    body: string,
    headers: Record<string, string> = bearer,
    path = "/api/things/7?n=1",
  ) => send(path, { method: "PUT", headers, body });

  it("passes parsed input to the handler and wraps its answer into the envelope", async () => {
    expect(await putThing('{"name":"ab"}')).toEqual({
      status: 200,
      body: { code: 0, msg: "操作成功", data: { seen: "lina 7 1 ab 0" } },
    });
    const ok = await send("/api/form", { method: "POST", body: new URLSearchParams({ a: "值" }) });
    expect(ok.body["data"]).toEqual({ a: "值" });
  });

  it.each([
    ["broken JSON", "{", bearer, ["body"]],
    ["no object", "[1]", bearer, ["body"]],
    ["missing and wrong fields", '{"tags":[1]}', bearer, ["name", "tags.0"]],
    [
      "another type of body",
      "name=ab",
      { ...bearer, "content-type": "text/plain" },
      ["content-type"],
    ],
  ])("refuses %s and names the fields", async (_name, body, headers, fields) => {
    const answer = await putThing(body, headers);
    expect([answer.status, answer.body["error"]]).toEqual([400, "request.invalid"]);
    const told = (answer.body["details"] as { fields: object }).fields;
    expect(Object.keys(told)).toEqual(fields);
  });

  it("names wrong parameters and queries too", async () => {
    const answer = await putThing('{"name":"ab"}', bearer, "/api/things/x?n=y");
    const told = (answer.body["details"] as { fields: object }).fields;
    expect(Object.keys(told)).toEqual(["id", "n"]);
  });

  it("refuses forms that contain a field twice, and JSON where a form is required", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const twice = await send("/api/form", { method: "POST", headers, body: "a=1&a=2" });
    expect(twice.body["details"]).toEqual({ fields: { a: "重复的字段" } });
    const odd = await send("/api/form", { method: "POST", headers, body: "__proto__=1&a=2" });
    expect(odd.body["data"]).toEqual({ a: "2" });
    const json = await send("/api/form", { method: "POST", headers: bearer, body: '{"a":"1"}' });
    expect(json.status).toBe(400);
  });

  it("authenticates before it validates", async () => {
    expect((await putThing("{", { "content-type": "application/json" })).status).toBe(401);
    const foreign = await putThing("{", { ...bearer, "supplier-id": "2" });
    expect([foreign.status, foreign.body["error"]]).toEqual([403, "auth.forbidden"]);
    expect((await putThing('{"name":"ab"}', { ...bearer, "supplier-id": "1" })).status).toBe(200);
  });

  it("reveals nothing internal when a handler throws", async () => {
    expect(await send("/api/crash")).toEqual({
      status: 500,
      body: { code: 1, msg: "服务器内部错误", error: "server.internal" },
    });
    expect(lines.join("")).toContain("secret of the inside");
    expect((await send("/api/refuse")).status).toBe(409);
    expect((await send("/api/slow")).body["error"]).toBe("server.unavailable");
  });

  it("refuses bodies over 1 MiB", async () => {
    const answer = await putThing(JSON.stringify({ name: "x".repeat(1024 * 1024) }));
    expect([answer.status, answer.body["error"]]).toEqual([413, "request.too-large"]);
  });

  it("closes the connection after a body that is too large, so that it is not reused", async () => {
    const server = createServer(getRequestListener(app.fetch));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const port = await new Promise<number>((resolve) =>
        server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
      );
      const ask = (method: string, path: string, body: string) =>
        new Promise<{ status: number; connection: string; reused: boolean }>((resolve, reject) => {
          const asked = request(
            { port, host: "127.0.0.1", agent, method, path, headers: bearer },
            (answer) => {
              answer.resume().on("end", () =>
                resolve({
                  status: answer.statusCode ?? 0,
                  connection: answer.headers.connection ?? "",
                  reused: asked.reusedSocket,
                }),
              );
            },
          );
          asked.on("error", reject).end(body);
        });
      const large = JSON.stringify({ name: "x".repeat(1024 * 1024) });
      for (let i = 0; i < 5; i += 1) {
        expect(await ask("PUT", "/api/things/1?n=1", large)).toMatchObject({
          status: 413,
          connection: "close",
        });
        expect(await ask("PUT", "/api/things/1?n=1", '{"name":"ab"}')).toMatchObject({
          status: 200,
          connection: "keep-alive",
          reused: false,
        });
      }
    } finally {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("never logs a token, a query or a path", async () => {
    await putThing(
      '{"name":"secret-name"}',
      bearer,
      "/api/things/424242424242?n=1&token=secret-query",
    );
    const text = lines.join("");
    expect(text).toContain('"route":"/api/things/:id"');
    expect(text).not.toMatch(/token-lina|secret-name|secret-query|424242424242/);
  });

  it("counts requests by route pattern, not by path", async () => {
    await send("/api/refuse");
    await app.request("/a/made/up/path", { headers: { accept: "*/*" } });
    const text = await metrics.metrics();
    expect(text).toContain('http_requests_total{method="GET",route="/api/refuse",status="409"}');
    expect(text).toContain('http_requests_total{method="GET",route="static",status="404"}');
    expect(text).not.toContain("made/up");
  });

  it("sends no CORS headers", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "PUT" };
    for (const method of ["OPTIONS", "GET"]) {
      const answer = await app.request("/api/refuse", { method, headers });
      expect([...answer.headers.keys()].filter((k) => k.startsWith("access-control"))).toEqual([]);
    }
  });

  describe("Content security policies", () => {
    const policy = async (path: string, host = "console.example:8080") =>
      (
        await app.request(`http://${host}${path}`, { headers: { accept: "text/html", host } })
      ).headers.get("content-security-policy") ?? "";
    const directive = (text: string, name: string) =>
      text.split("; ").find((d) => d.startsWith(`${name} `));

    it("are strict on pages and on every answer", async () => {
      for (const path of ["/", "/login", "/assets/index-abc.js", "/api/crash", "/nothing.png"]) {
        const text = await policy(path);
        expect(directive(text, "script-src"), path).toBe("script-src 'self'");
        expect(directive(text, "default-src")).toBe("default-src 'self'");
        expect(directive(text, "frame-ancestors")).toBe("frame-ancestors 'none'");
        expect(directive(text, "object-src")).toBe("object-src 'none'");
        expect(directive(text, "base-uri")).toBe("base-uri 'self'");
        expect(directive(text, "connect-src")).toBe(
          "connect-src 'self' ws://console.example:8080 wss://console.example:8080 " +
            "https://chat.example.com wss://chat.example.com https://rest.example.com wss://rest.example.com",
        );
      }
    });

    it("let only the core's own script compile code, not scripts with a similar name", async () => {
      expect(directive(await policy("/assets/core-B1x_y-9.js"), "script-src")).toBe(
        "script-src 'self' 'unsafe-eval'",
      );
      for (const path of [
        "/assets/score-x.js",
        "/assets/core-x.css",
        "/core-x.js",
        "/assets/core-x.js/y",
      ]) {
        expect(await policy(path), path).not.toContain("unsafe-eval");
      }
    });

    it("take no directive from a forged Host header", async () => {
      const answer = await app.request("/login", { headers: { host: "x; script-src *" } });
      expect(answer.headers.get("content-security-policy")).not.toContain("script-src *");
    });
  });

  describe("The built console", () => {
    const get = async (path: string, headers: Record<string, string> = { accept: "text/html" }) => {
      const response = await app.request(path, { headers });
      return {
        status: response.status,
        cache: response.headers.get("cache-control"),
        type: response.headers.get("content-type"),
        etag: response.headers.get("etag") ?? "",
        text: await response.text(),
      };
    };

    it("serves assets as immutable and the page with no-cache", async () => {
      expect(await get("/assets/index-abc.js", {})).toMatchObject({
        cache: "public, max-age=31536000, immutable",
        type: "text/javascript; charset=utf-8",
        text: "content of assets/index-abc.js",
      });
      const page = await get("/im/people");
      expect(page).toMatchObject({ status: 200, cache: "no-cache", text: "content of index.html" });
      expect((await get("/", { "if-none-match": page.etag })).status).toBe(304);
      expect((await get("/favicon.svg")).cache).toBe("no-cache");
    });

    describe("Compressed copies", () => {
      const path = "/assets/packed.js";
      const ask = async (accept: string | undefined) => {
        const response = await app.request(path, {
          headers: accept === undefined ? {} : { "accept-encoding": accept },
        });
        return {
          encoding: response.headers.get("content-encoding"),
          vary: response.headers.get("vary"),
          length: response.headers.get("content-length"),
          type: response.headers.get("content-type"),
          etag: response.headers.get("etag"),
          text: await response.text(),
        };
      };
      beforeAll(() => {
        writeFileSync(join(dist, "assets/packed.js"), "the plain content");
        writeFileSync(join(dist, "assets/packed.js.br"), "brotli");
        writeFileSync(join(dist, "assets/packed.js.gz"), "gzipped");
      });

      it.each([
        ["br, gzip", "br", "brotli"],
        ["gzip;q=1.0, br;q=0.5", "br", "brotli"],
        ["gzip, deflate", "gzip", "gzipped"],
        ["br;q=0, *", "gzip", "gzipped"],
        ["BR;Q=1", "br", "brotli"],
        ["identity", null, "the plain content"],
        ["br;q=0, gzip;q=0", null, "the plain content"],
        [undefined, null, "the plain content"],
      ])("The answer to Accept-Encoding %s has encoding %s", async (accept, encoding, text) => {
        expect(await ask(accept)).toMatchObject({
          encoding,
          text,
          vary: "accept-encoding",
          length: String(text.length),
          type: "text/javascript; charset=utf-8",
        });
      });

      it("have their own ETag, which a 304 compares", async () => {
        const etags = await Promise.all(["br", "gzip", "identity"].map((a) => ask(a)));
        expect(new Set(etags.map((one) => one.etag)).size).toBe(3);
        const again = await app.request(path, {
          headers: { "accept-encoding": "br", "if-none-match": etags[0]?.etag ?? "" },
        });
        expect([again.status, again.headers.get("vary")]).toEqual([304, "accept-encoding"]);
      });

      it("keep the core's policy, because the script's path selects it", async () => {
        writeFileSync(join(dist, "assets/core-B1x_y-9.js.br"), "packed core");
        const core = await app.request("/assets/core-B1x_y-9.js", {
          headers: { "accept-encoding": "br" },
        });
        expect(await core.text()).toBe("packed core");
        expect(core.headers.get("content-security-policy")).toContain("'unsafe-eval'");
      });
    });

    it("The page's policy names its inline styles, and no other policy does", async () => {
      const style = "body{margin:0}";
      writeFileSync(join(dist, "index.html"), `<head><style>${style}</style></head>`);
      try {
        const policy = async (path: string) =>
          (await app.request(path, { headers: { accept: "text/html" } })).headers.get(
            "content-security-policy",
          ) ?? "";
        const hash = createHash("sha256").update(style).digest("base64");
        for (const path of ["/", "/im/people", "/index.html"]) {
          expect(await policy(path)).toContain(`style-src 'self' 'sha256-${hash}';`);
        }
        expect(await policy("/assets/index-abc.js")).toContain("style-src 'self';");
      } finally {
        writeFileSync(join(dist, "index.html"), "content of index.html");
      }
    });

    it("The server serves a build that appears after the start, and the new content of a changed file", async () => {
      writeFileSync(join(dist, "late.txt"), "one");
      const first = await get("/late.txt");
      writeFileSync(join(dist, "late.txt"), "three");
      expect([first.text, (await get("/late.txt", { "if-none-match": first.etag })).text]).toEqual([
        "one",
        "three",
      ]);
      rmSync(join(dist, "late.txt"));
      expect((await get("/late.txt")).status).toBe(404);
      writeFileSync(join(dist, "assets/empty.css"), "");
      expect(await get("/assets/empty.css")).toMatchObject({ status: 200, text: "" });
    });

    it("The server follows no link out of the folder and serves no folder", async () => {
      const outside = mkdtempSync(join(tmpdir(), "outside-"));
      writeFileSync(join(outside, "secret.txt"), "secret");
      symlinkSync(join(outside, "secret.txt"), join(dist, "link.txt"));
      symlinkSync(outside, join(dist, "linked"));
      for (const path of [
        "/link.txt",
        "/linked/secret.txt",
        "/linked",
        "/assets",
        "/assets/",
        "//assets/index-abc.js",
        "/assets/%00index-abc.js",
        "/assets/..%5c..%5cindex.html",
      ]) {
        expect((await get(path, {})).status, path).toBe(404);
      }
      rmSync(outside, { recursive: true });
    });

    it("The server sends no page for a missing asset, a call or a hidden file", async () => {
      for (const path of [
        "/assets/gone-abc.js",
        "/assets/gone",
        "/gone.png",
        "/.vite/manifest.json",
        "/%2e%2e/%2e%2e/package.json",
        "/assets/..%2f..%2fetc/passwd",
      ]) {
        expect((await get(path)).status, path).toBe(404);
      }
      expect((await get("/im/people", { accept: "application/json" })).status).toBe(404);
      expect((await app.request("/login", { method: "POST" })).status).toBe(404);
    });
  });
});

describe("Upgrades", () => {
  let server: Server;
  let router: UpgradeRouter;
  let port = 0;
  const metrics = new Registry();
  beforeEach(async () => {
    metrics.clear();
    server = createServer((_request, response) => void response.end("page"));
    router = createUpgradeRouter(
      server,
      [
        {
          path: "/echo",
          maxPayload: 10,
          accept(socket, _request, url, client) {
            const account = url.searchParams.get("as");
            if (account !== null && !client.identify(account)) socket.close(4429);
            socket.on("message", (data) =>
              socket.send(`${url.searchParams.get("q")} ${data.toString()}`),
            );
          },
        },
        {
          path: "/broken",
          maxPayload: 10,
          accept() {
            throw new Error("no");
          },
        },
      ],
      { log, metrics, clients: createClients({ hops: 1 }), perAddress: 2, perAccount: 3 },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    router.close();
    router.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** @returns the close code, the HTTP status of a refusal, or "open" */
  const dial = (
    path: string,
    origin?: string,
    forwarded?: string,
  ): { socket: WebSocket; result: Promise<number | "open"> } => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      ...(origin === undefined ? {} : { origin }),
      ...(forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } }),
    });
    const result = new Promise<number | "open">((resolve) => {
      socket.on("unexpected-response", (_request: unknown, response: IncomingMessage) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      socket.on("open", () => resolve("open"));
      socket.on("error", () => undefined);
    });
    return { socket, result };
  };
  const closed = (socket: WebSocket): Promise<number> =>
    new Promise((resolve) => void socket.on("close", resolve));

  /** Whether a socket is still open after it answered a message. */
  const closedOrOpen = async (path: string): Promise<number | "open"> => {
    const { socket } = dial(path);
    const answered = new Promise<"open">(
      (resolve) => void socket.on("message", () => resolve("open")),
    );
    socket.on("open", () => socket.send("hi"));
    const result = await Promise.race([answered, closed(socket)]);
    socket.close();
    return result;
  };

  it("go to the module of the path", async () => {
    const { socket, result } = dial("/echo?q=7");
    expect(await result).toBe("open");
    const answer = new Promise((resolve) => void socket.on("message", (d) => resolve(String(d))));
    socket.send("hi");
    expect(await answer).toBe("7 hi");
  });

  it("are refused for an unknown path, and the connection ends", async () => {
    for (const path of ["/", "/echo/x", "/Echo", "//echo"]) {
      expect(await dial(path).result, path).toBe(404);
    }
    expect(await metrics.metrics()).toContain('websocket_refused_total{reason="404"} 4');
  });

  it("are refused to pages of other origins", async () => {
    for (const origin of ["http://evil.example", `http://127.0.0.1:${port + 1}`, "null"]) {
      expect(await dial("/echo", origin).result, origin).toBe(403);
    }
    expect(await dial("/echo", `http://127.0.0.1:${port}`).result).toBe("open");
  });

  it("close the socket on a frame that is too large", async () => {
    const { socket, result } = dial("/echo");
    await result;
    const code = closed(socket);
    socket.send("x".repeat(11));
    expect(await code).toBe(1009);
  });

  it("count towards an account once it is known, and no longer towards the address", async () => {
    const open: WebSocket[] = [];
    // Twelve sockets of four people through one address that allows two sockets of unknown accounts.
    for (let i = 0; i < 12; i += 1) {
      const { socket, result } = dial(`/echo?as=person${i % 4}`);
      expect(await result).toBe("open");
      open.push(socket);
    }
    const fourth = dial("/echo?as=person1");
    expect(await closed(fourth.socket)).toBe(4429);
    expect(await metrics.metrics()).toContain('websocket_refused_total{reason="account"} 1');
    const gone = closed(open[1]!);
    open[1]!.close();
    await gone;
    await expect.poll(() => closedOrOpen("/echo?as=person1")).toBe("open");
  });

  it("count towards the address behind a trusted proxy", async () => {
    for (const address of ["198.51.100.1", "198.51.100.2"]) {
      for (let i = 0; i < 2; i += 1)
        expect(await dial("/echo", undefined, address).result).toBe("open");
      expect(await dial("/echo", undefined, address).result).toBe(429);
    }
  });

  it("are limited per address, and a closed socket frees its place", async () => {
    const first = dial("/echo");
    const second = dial("/echo");
    expect(await Promise.all([first.result, second.result])).toEqual(["open", "open"]);
    expect(await dial("/echo").result).toBe(429);
    const gone = closed(first.socket);
    first.socket.close();
    await gone;
    await expect.poll(() => dial("/echo").result).toBe("open");
  });

  it("do not count when the handshake fails", async () => {
    for (let i = 0; i < 3; i++) {
      const status = await new Promise((resolve) => {
        const bad = request({
          port,
          path: "/echo",
          headers: { connection: "upgrade", upgrade: "websocket" },
        });
        bad.on("response", (response) => {
          resolve(response.statusCode);
          response.destroy();
        });
        bad.on("error", () => resolve("error"));
        bad.end();
      });
      expect(status).toBe(400);
    }
    await expect.poll(() => dial("/echo").result).toBe("open");
  });

  it("survive a module that throws and a peer that resets", async () => {
    const { socket } = dial("/broken");
    expect(await closed(socket)).toBe(1011);
    const raw = connect(port, "127.0.0.1");
    raw.write("GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    raw.resetAndDestroy();
    expect(await dial("/echo").result).toBe("open");
  });

  it("fail when two modules claim one path", () => {
    const route = { path: "/a", maxPayload: 1, accept: () => undefined };
    expect(() =>
      createUpgradeRouter(server, [route, route], { log, metrics: new Registry() }),
    ).toThrow("two modules take the socket path /a");
  });
});
