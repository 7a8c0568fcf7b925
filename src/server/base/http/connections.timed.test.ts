import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import { createClients, type TrustedProxies } from "./client.ts";
import {
  checkEvery,
  CONNECTION_LIMITS,
  type ConnectionGuard,
  type ConnectionLimits,
  guardConnections,
} from "./connections.ts";

const HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n";

describe("Connections", () => {
  let server: Server;
  let guard: ConnectionGuard;
  let port = 0;
  let metrics: Registry;
  const served: Socket[] = [];
  const sockets: Socket[] = [];

  async function start(
    limits: Partial<ConnectionLimits>,
    trusted: TrustedProxies = { hops: 0 },
  ): Promise<void> {
    const all = { ...CONNECTION_LIMITS, ...limits };
    metrics = new Registry();
    server = createServer({ connectionsCheckingInterval: checkEvery(all) }, (request, response) => {
      served.push(request.socket);
      if (request.url === "/unread") return;
      if (request.url === "/later") setTimeout(() => request.resume(), 1000);
      else request.resume();
      request.on("end", () => {
        // The server never answers "/never".
        if (request.url !== "/never") response.end("ok");
      });
      request.on("error", () => undefined);
    });
    guard = guardConnections(server, all, { clients: createClients(trusted), metrics });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    served.length = 0;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  interface Raw {
    readonly socket: Socket;
    text(): string;
    /** Milliseconds from opening to end. */
    readonly ended: Promise<number>;
  }
  function open(): Raw {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    const at = performance.now();
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("error", () => undefined);
    const ended = new Promise<number>((resolve) => {
      socket.on("close", () => resolve(performance.now() - at));
    });
    return { socket, text: () => text, ended };
  }
  const ask = async (): Promise<string> => {
    const { socket, text, ended } = open();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    await ended;
    return text().slice(0, 12);
  };
  const count = async (): Promise<number> =>
    Number(/^http_connections (\d+)$/m.exec(await metrics.metrics())?.[1]);

  it("of one address are limited, and their places become free when they end", async () => {
    await start({ perAddress: 3 });
    const held = [open(), open(), open()];
    await expect.poll(count).toBe(3);
    expect(await ask()).toBe("");
    expect(await metrics.metrics()).toContain('http_connections_refused_total{limit="address"} 1');
    held[0]!.socket.destroy();
    await expect.poll(ask).toBe("HTTP/1.1 200");
  });

  it("of one address leave space for others once their account is known", async () => {
    await start({ perAddress: 1 });
    const first = open();
    first.socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => served.length).toBe(1);
    expect(await ask()).toBe("");
    guard.release(served[0]);
    guard.release(served[0]);
    expect(await ask()).toBe("HTTP/1.1 200");
  });

  it("of a trusted proxy count only towards the total limit", async () => {
    await start({ perAddress: 1, total: 4 }, { hops: 1 });
    for (let i = 0; i < 4; i += 1) open();
    await expect.poll(count).toBe(4);
    expect(await ask()).toBe("");
    expect(await metrics.metrics()).toContain('http_connections_refused_total{limit="total"} 1');
  });

  it("end when their headers do not arrive in time, while other clients are served", async () => {
    await start({ headersMs: 400 });
    const slow = Array.from({ length: 20 }, () => open());
    for (const { socket } of slow) socket.write(HEAD);
    expect(await ask()).toBe("HTTP/1.1 200");
    for (const { ended, text } of slow) {
      expect(await ended).toBeLessThan(4000);
      expect(text()).toContain("408");
    }
    await expect.poll(count).toBe(0);
  });

  it("end when a body stalls, but not when it trickles in within the time limit", async () => {
    await start({ bodyIdleMs: 400, requestMs: 60_000 });
    const still = open();
    still.socket.write(`${HEAD}\r\n12345`);
    const trickles = open();
    trickles.socket.write(`${HEAD}Connection: close\r\n\r\n`);
    for (let i = 0; i < 10; i += 1) {
      trickles.socket.write("x");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await trickles.ended;
    expect(trickles.text()).toContain("200 OK");
    expect(await still.ended).toBeLessThan(4000);
    expect(still.text()).toBe("");
  });

  it("last while the server does not read the body, and end when it stalls afterwards", async () => {
    await start({ bodyIdleMs: 300 });
    const later = HEAD.replace("POST /", "POST /later");
    const whole = open();
    whole.socket.write(`${later}Connection: close\r\n\r\n1234567890`);
    const part = open();
    part.socket.write(`${later}\r\n12345`);
    expect(await whole.ended).toBeGreaterThan(900);
    expect(whole.text()).toContain("200 OK");
    const ended = await part.ended;
    expect(ended).toBeGreaterThan(900);
    expect(ended).toBeLessThan(4000);
    expect(part.text()).toBe("");
  });

  it("wait for the next request for longer than clients and proxies keep them", async () => {
    await start({});
    const { socket, text } = open();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(text).toContain("Keep-Alive: timeout=75");
  });

  it("end when a body takes longer than the time limit of a whole request", async () => {
    await start({ bodyIdleMs: 5000, requestMs: 600, headersMs: 500 });
    const { socket, ended } = open();
    socket.write(`${HEAD}\r\n`);
    const drip = setInterval(() => socket.write("x"), 100);
    const took = await ended;
    clearInterval(drip);
    expect(took).toBeLessThan(4000);
  });

  it("end when an answer stalls, whether or not the server read the request", async () => {
    await start({ answerIdleMs: 900, bodyIdleMs: 300 });
    for (const path of ["/never", "/unread"]) {
      const { socket, ended } = open();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const took = await ended;
      expect(took).toBeGreaterThan(850);
      expect(took).toBeLessThan(4000);
    }
  });
});
