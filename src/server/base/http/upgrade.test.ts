import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import pino from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createClients } from "./client.ts";
import { ConsoleRequest } from "./requests.ts";
import { createUpgradeRouter, type UpgradeRouter } from "./upgrade.ts";

const lines: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });

describe("Upgrades", () => {
  let server: Server;
  let router: UpgradeRouter;
  let port = 0;
  const metrics = new Registry();
  beforeEach(async () => {
    metrics.clear();
    lines.length = 0;
    server = createServer(
      { IncomingMessage: ConsoleRequest },
      (request, response) => void response.end(`page ${request.url}`),
    );
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
    headers: Record<string, string> = {},
  ): { socket: WebSocket; result: Promise<number | "open"> } => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
      ...(origin === undefined ? {} : { origin }),
      headers,
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

  it("are refused with one line in the log, which names the page and the host", async () => {
    for (let i = 0; i < 3; i += 1)
      expect(await dial("/echo", "http://evil.example").result).toBe(403);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      origin: "http://evil.example",
      host: `127.0.0.1:${port}`,
    });
  });

  it("are taken from pages of the host that a trusted proxy names", async () => {
    const forwarded = (headers: Record<string, string>): Promise<number | "open"> =>
      dial("/echo", "https://a.example:8443", headers).result;
    expect(await forwarded({})).toBe(403);
    expect(await forwarded({ host: "a.example" })).toBe(403);
    expect(await forwarded({ host: "a.example", "x-forwarded-port": "8443" })).toBe("open");
    expect(await forwarded({ "x-forwarded-host": "a.example:8443" })).toBe("open");
    expect(lines).toHaveLength(2);
  });

  it("to another protocol are ignored, also at the path of a socket", async () => {
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" };
    const text = await new Promise((resolve, reject) => {
      const asked = request({ port, path: "/echo", headers }, (response) => {
        response.setEncoding("utf8").once("data", resolve);
      });
      asked.on("error", reject);
      asked.end();
    });
    expect(text).toBe("page /echo");
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
        expect(await dial("/echo", undefined, { "x-forwarded-for": address }).result).toBe("open");
      expect(await dial("/echo", undefined, { "x-forwarded-for": address }).result).toBe(429);
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
