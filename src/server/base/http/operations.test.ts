import { afterEach, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { parseOpsAddress } from "./ops-address.ts";

const PATHS = ["/metrics", "/openapi.json", "/openapi", "/openapi/style.css"];
const TOKEN = "a-token-of-operations";
const bearer = { authorization: `Bearer ${TOKEN}` };
const basic = {
  authorization: `Basic ${Buffer.from(`prometheus:${TOKEN}`).toString("base64")}`,
};

describe("The operations routes", () => {
  let host: TestPlatform | null = null;
  afterEach(async () => {
    await host?.close();
    host = null;
  });
  const start = async (env: Record<string, string>): Promise<(headers?: object) => object> => {
    host = await startTestPlatform({ env });
    const { origin, platform } = host;
    const ops = platform.opsPort === null ? null : `http://127.0.0.1:${platform.opsPort}`;
    return async (headers = {}) => {
      const statuses = async (base: string): Promise<Record<string, number>> => {
        const found = PATHS.map(async (path) => {
          const { status } = await fetch(base + path, { headers: headers as HeadersInit });
          return [path, status] as const;
        });
        return Object.fromEntries(await Promise.all(found));
      };
      return { main: await statuses(origin), ops: ops === null ? null : await statuses(ops) };
    };
  };
  const all = (status: number) => Object.fromEntries(PATHS.map((path) => [path, status]));

  it("are on the platform's port when nothing is set", async () => {
    const ask = await start({});
    expect(await ask()).toEqual({ main: all(200), ops: null });
  }, 60_000);

  it("are only on OPS_LISTEN when it is set", async () => {
    const ask = await start({ OPS_LISTEN: "127.0.0.1:0" });
    expect(await ask()).toEqual({ main: all(404), ops: all(200) });
    const { platform, origin } = host!;
    const own = `http://127.0.0.1:${platform.opsPort}`;
    expect(await (await fetch(`${own}/metrics`)).text()).toContain("http_requests_total");
    for (const path of ["/uaa/api/account", "/", "/console-config.json"]) {
      expect((await fetch(own + path)).status, path).toBe(404);
    }
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    await host!.close();
    host = null;
    await expect(fetch(`${own}/metrics`)).rejects.toThrow("fetch failed");
  }, 60_000);

  it("need the token when one is set, as bearer token or as password", async () => {
    const ask = await start({ OPS_TOKEN: TOKEN });
    expect(await ask()).toEqual({ main: all(401), ops: null });
    for (const headers of [bearer, basic])
      expect(await ask(headers)).toMatchObject({ main: all(200) });
    const { access_token: token } = await host!.login("admin");
    for (const authorization of [`Bearer ${token}`, `Bearer ${TOKEN}x`, "Basic eDp5", TOKEN]) {
      expect(await ask({ authorization })).toMatchObject({ main: all(401) });
    }
  }, 60_000);

  it("need the token on OPS_LISTEN as well", async () => {
    const ask = await start({ OPS_LISTEN: "127.0.0.1:0", OPS_TOKEN: TOKEN });
    expect(await ask()).toEqual({ main: all(404), ops: all(401) });
    expect(await ask(bearer)).toEqual({ main: all(404), ops: all(200) });
  }, 60_000);
});

it.each([
  ["9090", { host: "127.0.0.1", port: 9090 }],
  ["10.0.0.5:9090", { host: "10.0.0.5", port: 9090 }],
  ["[::1]:9090", { host: "::1", port: 9090 }],
  ["ops.internal:80", { host: "ops.internal", port: 80 }],
  ["10.0.0.5", null],
  ["70000", null],
  ["", null],
])("OPS_LISTEN=%j parses to the expected address", (text, parsed) => {
  expect(parseOpsAddress(text)).toEqual(parsed);
});
