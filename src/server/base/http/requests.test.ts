/** Raw connections, because an HTTP client hides what stands on them. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { ConsoleRequest } from "./requests.ts";

const H2C = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
const WEBSOCKET =
  "Connection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

describe("An offer to change the protocol", () => {
  let server: Server;
  let client: Socket;
  let got = "";
  const upgrader = new WebSocketServer({ noServer: true });
  beforeEach(async () => {
    server = createServer({ IncomingMessage: ConsoleRequest }, (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString();
        response.end(`${request.method} ${request.url} ${body.length} ${body.slice(0, 20)}.`);
      });
    });
    server.on("upgrade", (request, socket, head) =>
      upgrader.handleUpgrade(request, socket, head, (ws) => ws.close(4000)),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    got = "";
    client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.on("data", (data) => {
      got += data.toString("latin1");
    });
    client.on("error", () => undefined);
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    ["h2c", H2C],
    ["TLS", "Connection: upgrade\r\nUpgrade: TLS/1.0\r\n"],
    ["several", "Connection: upgrade\r\nUpgrade: h2c, websocket\r\n"],
  ])("to %s is ignored, and the connection carries further requests", async (_, offer) => {
    client.write(`GET /first HTTP/1.1\r\nHost: x\r\n${offer}\r\n`);
    await expect.poll(() => got).toContain("GET /first 0 .");
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(got).not.toMatch(/connection: close/i);
    client.write(`POST /second HTTP/1.1\r\nHost: x\r\n${offer}Content-Length: 5\r\n\r\nab`);
    client.write("cde");
    await expect.poll(() => got).toContain("POST /second 5 abcde.");
    client.write(`PUT /third HTTP/1.1\r\nHost: x\r\n${offer}Transfer-Encoding: chunked\r\n\r\n`);
    client.write("3\r\nxyz\r\n0\r\n\r\n");
    await expect.poll(() => got).toContain("PUT /third 3 xyz.");
    client.write("GET /fourth HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(() => got).toContain("GET /fourth 0 .");
  });

  it("with a body longer than one packet leaves the body whole", async () => {
    const body = "y".repeat(1_000_000);
    client.write(`POST /long HTTP/1.1\r\nHost: x\r\n${H2C}Content-Length: ${body.length}\r\n\r\n`);
    client.write(body);
    await expect.poll(() => got).toContain(`POST /long 1000000 ${"y".repeat(20)}.`);
  });

  it("to websocket is taken, also after one that was ignored", async () => {
    client.write(`GET /page HTTP/1.1\r\nHost: x\r\n${H2C}\r\n`);
    await expect.poll(() => got).toContain("GET /page 0 .");
    client.write(`GET /socket HTTP/1.1\r\nHost: x\r\n${WEBSOCKET}\r\n`);
    await expect.poll(() => got).toContain("HTTP/1.1 101 Switching Protocols");
  });
});
