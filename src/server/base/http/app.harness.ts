/** Sets up tests of the HTTP app. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { Registry } from "prom-client";
import { z } from "../../../shared/zod.ts";
import { createTestDirectory } from "../../host.harness.ts";
import { AppError } from "../../../shared/errors.ts";
import { defineCall } from "../../../shared/protocol/rest/call.ts";
import { createHttpApp } from "./app.ts";
import { createClients } from "./client.ts";
import { openRoute, route } from "./route.ts";
import { foreignOrigins } from "./security.ts";

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

export type TestApp = ReturnType<typeof createTestApp>;

/** An app with a few calls and a built console in a folder of its own. */
export function createTestApp(
  options: { readonly origins?: readonly string[]; readonly basePath?: string } = {},
) {
  /** What was logged. */
  const lines: string[] = [];
  const metrics = new Registry();
  const directory = createTestDirectory({ "1": ["lina"] });
  const dist = mkdtempSync(join(tmpdir(), "dist-"));
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
  const app = createHttpApp(
    {
      log: pino({ level: "info" }, { write: (line: string) => void lines.push(line) }),
      metrics,
      clients: createClients({ hops: 0 }),
      dist,
      connect: foreignOrigins(["//chat.example.com", "https://rest.example.com/x", ""]),
      ...options,
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
  return { app, dist, lines, metrics, close: () => rmSync(dist, { recursive: true }) };
}
