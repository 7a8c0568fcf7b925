import { createServer } from "node:http";
import pino from "pino";
import { expect, it } from "vitest";
import { createManualClock } from "./host.harness.ts";
import { consoleConfigSchema } from "../shared/protocol/config.ts";
import { readConfig } from "./base/config.ts";
import { openTestDatabase } from "./base/database/database.harness.ts";
import { createPlatform } from "./platform.ts";
import { platformForTests } from "./asking.harness.ts";

const { host } = platformForTests([], {
  middleware(request, response, next) {
    if (request.url === "/from-vite") response.end("vite");
    else next();
  },
});

const get = (path: string): Promise<Response> => fetch(`${host.origin}${path}`);

it("The platform serves the console its configuration", async () => {
  const response = await get("/console-config.json");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  const config = consoleConfigSchema.parse(await response.json());
  expect(config).toMatchObject({
    gatewayBaseUrl: "",
    uploadsInParts: true,
    rtcProvider: "easemob",
    engine: "native",
    callSignalling: "websocket",
  });
  const easemob = {
    appKey: "hyzh#console",
    url: "",
    apiUrl: "",
    isHttpDNS: false,
    resumableUploads: true,
  };
  expect(config.easemob).toEqual(easemob);
});

it("The metrics contain the gauges of every module", async () => {
  const text = await (await get("/metrics")).text();
  for (const name of [
    "http_requests_total",
    "chat_sockets",
    "signalling_sockets",
    "quality_sockets",
    "conference_members",
    "process_resident_memory_bytes",
  ]) {
    expect(text).toMatch(new RegExp(`^# TYPE ${name} `, "m"));
  }
});

it("The middleware gets requests that no route takes, and returns those it leaves", async () => {
  expect(await (await get("/from-vite")).text()).toBe("vite");
  expect((await get("/neither")).status).toBe(404);
  expect((await get("/healthz")).status).toBe(200);
});

it("The health check fails when the database does not answer", async () => {
  expect(await (await get("/healthz")).json()).toEqual({ ok: true, database: true });
  const { pool } = host.platform.database;
  const clients = await Promise.all(
    Array.from({ length: pool.options.max ?? 1 }, () => pool.connect()),
  );
  let status = 0;
  const asked = get("/healthz").then((response) => (status = response.status));
  // The ping waits for a connection, and this test holds all of them. Its deadline moves with the manual clock.
  await expect
    .poll(() => {
      host.clock.advance(5_001);
      return status;
    })
    .toBe(503);
  await asked;
  for (const client of clients) client.release();
  expect((await get("/healthz")).status).toBe(200);
});

it("Closing frees the port and can be repeated, and a port in use is an error", async () => {
  const database = await openTestDatabase();
  const options = { log: pino({ level: "silent" }), clock: createManualClock(), database };
  const config = readConfig({ APP_SECRET: "s".repeat(40) });
  const platform = await createPlatform({ ...options, config });
  const port = await platform.listen(0, "127.0.0.1");
  const taken = createServer();
  const clash = new Promise((resolve) => void taken.once("error", resolve));
  taken.listen(port, "127.0.0.1");
  expect(await clash).toMatchObject({ code: "EADDRINUSE" });
  await Promise.all([platform.close(), platform.close()]);
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow("fetch failed");
  const again = await createPlatform({ ...options, config });
  expect(again.demo).toBe(true);
  await again.close();
  await database.close();
}, 60_000);
