import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "./app.harness.ts";

describe("The app", () => {
  let web: TestApp;
  beforeAll(() => {
    web = createTestApp();
  });
  afterAll(() => web.close());

  const bearer = { authorization: "Bearer token-lina", "content-type": "application/json" };
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await web.app.request(path, init);
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
    const refusedFields = (answer.body["details"] as { fields: object }).fields;
    expect(Object.keys(refusedFields)).toEqual(fields);
  });

  it("names wrong parameters and queries too", async () => {
    const answer = await putThing('{"name":"ab"}', bearer, "/api/things/x?n=y");
    const refusedFields = (answer.body["details"] as { fields: object }).fields;
    expect(Object.keys(refusedFields)).toEqual(["id", "n"]);
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
    expect(web.lines.join("")).toContain("secret of the inside");
    expect((await send("/api/refuse")).status).toBe(409);
    expect((await send("/api/slow")).body["error"]).toBe("server.unavailable");
  });

  it("refuses bodies over 1 MiB", async () => {
    const answer = await putThing(JSON.stringify({ name: "x".repeat(1024 * 1024) }));
    expect([answer.status, answer.body["error"]]).toEqual([413, "request.too-large"]);
  });

  it("closes the connection after a body that is too large, so that it is not reused", async () => {
    const server = createServer(getRequestListener(web.app.fetch));
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
    const text = web.lines.join("");
    expect(text).toContain('"route":"/api/things/:id"');
    expect(text).not.toMatch(/token-lina|secret-name|secret-query|424242424242/);
  });

  it("counts requests by route pattern, not by path", async () => {
    await send("/api/refuse");
    await web.app.request("/a/made/up/path", { headers: { accept: "*/*" } });
    const text = await web.metrics.metrics();
    expect(text).toContain('http_requests_total{method="GET",route="/api/refuse",status="409"}');
    expect(text).toContain('http_requests_total{method="GET",route="static",status="404"}');
    expect(text).not.toContain("made/up");
  });

  it("sends no CORS headers unless origins are configured", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "PUT" };
    for (const method of ["OPTIONS", "GET"]) {
      const answer = await web.app.request("/api/refuse", { method, headers });
      expect([...answer.headers.keys()].filter((k) => k.startsWith("access-control"))).toEqual([]);
    }
  });
});
