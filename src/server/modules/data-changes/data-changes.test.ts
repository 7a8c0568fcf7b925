import { Hono } from "hono";
import pino from "pino";
import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { DataTag } from "../../../shared/protocol/data-tags.ts";
import { defineCall } from "../../../shared/protocol/rest/call.ts";
import { z } from "../../../shared/zod.ts";
import { handleError } from "../../base/http/errors.ts";
import { route } from "../../base/http/route.ts";
import type { HttpEnv } from "../../base/module.ts";
import { createManualClock, createTestDirectory } from "../../host.harness.ts";
import { createCoalescer, createDataChangesModule, GAP_MS, STEADY_GAP_MS } from "./index.ts";

const save = defineCall({
  id: "test.save",
  method: "POST",
  path: "/save",
  summary: "",
  auth: "bearer",
  touches: ["employees"],
  query: z.object({ fail: z.string().optional() }),
});
const saveOne = defineCall({
  ...save,
  id: "test.saveOne",
  path: "/save/{id}",
  record: "params.id",
  steady: true,
  params: z.object({ id: z.string() }),
});
const saveOwn = defineCall({ ...save, id: "test.saveOwn", path: "/save-own", personal: true });
const read = defineCall({
  id: "test.read",
  method: "GET",
  path: "/read",
  summary: "",
  auth: "bearer",
});

function setUp() {
  const clock = createManualClock();
  const log = pino({ level: "silent" });
  const published: unknown[] = [];
  const directory = createTestDirectory({ "1": ["lina", "zhangwei"], "2": ["wangfang"] });
  const module = createDataChangesModule({
    clock,
    log,
    bus: {
      publish: (topic, message) => (published.push([topic, message]), Promise.resolve()),
      subscribe: () => () => undefined,
      close: () => Promise.resolve(),
    },
  });
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    c.set("log", log);
    await next();
  });
  module.routes?.(app);
  route(app, save, { directory }, ({ query }) => {
    if (query.fail !== undefined) throw new AppError("request.conflict");
    return null;
  });
  route(app, saveOne, { directory }, () => null);
  route(app, saveOwn, { directory }, () => null);
  route(app, read, { directory }, () => null);
  app.onError(handleError);
  const ask = async (user: string, path: string, supplierId?: string) => {
    const headers = {
      authorization: `Bearer token-${user}`,
      ...(supplierId === undefined ? {} : { "supplier-id": supplierId }),
    };
    return (await app.request(path, { method: path === "/read" ? "GET" : "POST", headers })).status;
  };
  return { ask, published, clock, module };
}

test("A successful call that touches data is reported at once, with its company and its login", async () => {
  const { ask, published, clock } = setUp();
  expect(await ask("lina", "/save", "1")).toBe(200);
  expect(await ask("wangfang", "/save", "2")).toBe(200);
  const change = (supplierId: string, user: string) => [
    "data:changed",
    { supplierId, tags: ["employees"], only: null, except: `session-${user}` },
  ];
  expect(published).toEqual([change("1", "lina"), change("2", "wangfang")]);
  expect(await ask("lina", "/save-own", "1")).toBe(200);
  expect(published.slice(2)).toMatchObject([
    ["data:changed", { supplierId: "1", only: "account-lina" }],
  ]);
  clock.advance(10 * GAP_MS);
  expect([published.length, clock.pending]).toEqual([3, 0]);
});

test("A call that changes one record of a long work says so", async () => {
  const { ask, published, module } = setUp();
  expect(await ask("lina", "/save/42", "1")).toBe(200);
  expect(published).toMatchObject([["data:changed", { records: ["employees:42"], steady: true }]]);
  await module.stop?.();
});

test("A read, a refused call and a failed call are not reported", async () => {
  const { ask, published } = setUp();
  expect(await ask("lina", "/read", "1")).toBe(200);
  expect(await ask("lina", "/save", "2")).toBe(403);
  expect(await ask("nobody", "/save", "1")).toBe(401);
  expect(await ask("lina", "/save?fail=1", "1")).toBe(409);
  expect(published).toEqual([]);
});

test("Changes within the gap are one message: all tags, and no login is left out when several made them", () => {
  const clock = createManualClock();
  const published: unknown[] = [];
  const { add, stop } = createCoalescer({
    clock,
    publish: (changes) => void published.push(changes),
  });
  const change = (tags: readonly DataTag[], sessionId: string, only: string | null = null) =>
    add({ supplierId: "1", only, tags, sessionId, record: null, steady: false });
  for (let n = 0; n < 50; n += 1) change(["employees"], "a");
  change(["dict"], "a");
  expect(published.length).toBe(1);
  clock.advance(GAP_MS);
  expect(published.slice(1)).toEqual([
    { supplierId: "1", tags: ["dict", "employees"], only: null, except: "a" },
  ]);
  change(["dict"], "a");
  change(["dict"], "b");
  expect(published.length).toBe(2);
  clock.advance(GAP_MS);
  expect(published.slice(2)).toEqual([
    { supplierId: "1", tags: ["dict"], only: null, except: null },
  ]);
  change(["profile"], "a", "lina");
  change(["profile"], "b", "zhangwei");
  expect(published.slice(3)).toEqual([
    { supplierId: "1", tags: ["profile"], only: "lina", except: "a" },
    { supplierId: "1", tags: ["profile"], only: "zhangwei", except: "b" },
  ]);
  change(["dict"], "a");
  stop();
  clock.advance(GAP_MS);
  expect([published.length, clock.pending]).toEqual([5, 0]);
});

test("Changes of single records name them, unless another change of the tag names none", () => {
  const clock = createManualClock();
  const published: { readonly records?: readonly string[] | undefined }[] = [];
  const { add } = createCoalescer({ clock, publish: (changes) => void published.push(changes) });
  const change = (tags: readonly DataTag[], record: string | null) =>
    add({ supplierId: "1", only: null, tags, sessionId: "a", record, steady: false });
  change(["employees"], "employees:1");
  change(["employees"], "employees:3");
  change(["employees", "dict"], "employees:2");
  clock.advance(GAP_MS);
  change(["employees"], "employees:1");
  change(["employees", "imports"], null);
  clock.advance(GAP_MS);
  expect(published.map(({ records }) => records)).toEqual([
    ["employees:1"],
    ["employees:2", "employees:3"],
    undefined,
  ]);
});

test("The changes of a long work are reported at once and then every two seconds, others between them at once", () => {
  const clock = createManualClock();
  const published: unknown[] = [];
  const { add } = createCoalescer({ clock, publish: (changes) => void published.push(changes) });
  const change = (steady: boolean) =>
    add({ supplierId: "1", only: null, tags: ["employees"], sessionId: "a", record: null, steady });
  for (let n = 0; n < 40; n += 1) {
    change(true);
    clock.advance(100);
  }
  change(false);
  clock.advance(10 * STEADY_GAP_MS);
  const one = { supplierId: "1", tags: ["employees"], only: null, except: "a" };
  const steady = { ...one, steady: true };
  expect(published).toEqual([steady, steady, steady, one]);
  expect(clock.pending).toBe(0);
});
