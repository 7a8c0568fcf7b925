/** A client that disconnects is not a server error: no error in the log, no stack, and the next request is answered. */
import { connect } from "node:net";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../src/server/platform.harness.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { until } from "../../src/server/host.harness.ts";
import { aMoment } from "../../src/server/base/moment.harness.ts";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly route?: string;
  readonly status?: number;
  readonly err?: unknown;
}

describe("A request that its client aborts", () => {
  const lines: Line[] = [];
  let host: TestPlatform;
  let token = "";
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const said = vi.spyOn(console, "info").mockImplementation(() => undefined);
  beforeAll(async () => {
    host = await startTestPlatform({
      log: pino(
        { level: "debug" },
        { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
      ),
    });
    token = (await host.login("admin")).access_token;
    await host.platform.database.pool.query(
      `INSERT INTO employees (company_id, name, phone)
       SELECT 1, 'x' || i, (13900000000 + i)::text FROM generate_series(1, 20000) i`,
    );
  }, 120_000);
  afterAll(async () => {
    await host.close();
    printed.mockRestore();
    said.mockRestore();
  });

  const head = (method: string, path: string, type: string, length: number): string =>
    [
      `${method} ${path} HTTP/1.1`,
      "Host: x",
      `Authorization: Bearer ${token}`,
      "supplier-id: 1",
      `Content-Type: ${type}`,
      `Content-Length: ${length}`,
      "",
      "",
    ].join("\r\n");

  /** Sends the text, waits for `received` bytes of the answer, and resets the connection. */
  async function abort(text: string, received: number): Promise<void> {
    const { port } = new URL(host.origin);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    let seen = 0;
    const enough = new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        seen += chunk.length;
        if (seen >= received) resolve();
      });
    });
    await new Promise<void>((resolve) => {
      socket.write(text, () => resolve());
    });
    if (received > 0) await enough;
    // The server begins to read the body; it answers the same before.
    else await aMoment();
    socket.resetAndDestroy();
  }
  const requests = (route: string): number =>
    lines.filter((line) => line.msg === "request" && line.route === route).length;

  const multipart =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nhalf of it';
  it.each([
    ["JSON", restCalls.employeeCreate, "application/json", '{"name":"half'],
    ["a form", restCalls.login, "application/x-www-form-urlencoded", "username=li"],
    ["an upload", restCalls.upload, "multipart/form-data; boundary=b", multipart],
    ["a chunk", restCalls.importChunk, "application/gzip", "\u001f\u008b"],
    [
      "a call of the chat provider",
      { method: "POST", path: "/hyzh/console/token" },
      "application/json",
      '{"username":"half',
    ],
  ])("within %s leaves no error in the log", async (_what, call, type, half) => {
    const route = call.path.replaceAll(/\{(\w+)\}/g, ":$1");
    lines.length = 0;
    await abort(head(call.method, call.path.replaceAll(/\{\w+\}/g, "1"), type, 5000) + half, 0);
    await until("the request is over", () => requests(route) === 1);
    expect(lines.filter((line) => line.level >= 40 || line.err !== undefined)).toEqual([]);
    expect(lines.find((line) => line.msg === "request")?.status).toBe(499);
    expect(printed).not.toHaveBeenCalled();
    expect((await host.ask("GET", "/uaa/api/account", { token })).status).toBe(200);
  });

  it("during the answer leaves no error in the log", async () => {
    lines.length = 0;
    const path = "/scm-supplier/api/sec/getExcelByJson2/employed/staff";
    await abort(head("POST", path, "application/json", 2) + "{}", 2000);
    expect((await host.ask("GET", "/uaa/api/account", { token })).status).toBe(200);
    expect(lines.filter((line) => line.level >= 40 || line.err !== undefined)).toEqual([]);
    expect(printed).not.toHaveBeenCalled();
  });
});
