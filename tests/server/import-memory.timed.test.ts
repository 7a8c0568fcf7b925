/** The memory use of the server process: at startup, and when many packed chunks arrive at once. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { basic } from "../../src/server/platform.harness.ts";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { startServer, type TestServer } from "../support/server.ts";
import {
  createJob,
  FIELDS,
  keyOf,
  pack,
  people,
  type Sender,
  toChunk,
} from "../../src/server/modules/imports/chunks.harness.ts";
import { seededRandom } from "../../src/shared/mutate.harness.ts";

const START_LIMIT = 400;
const RAISE_LIMIT = 500;
const CHUNKS = 40;
const ROWS = 2000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ ACCESS_TOKEN_TTL: "86400" });
}, 150_000);
afterAll(() => server.dispose());

/** MB that a process uses, and its highest value so far. */
function memory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const memoryOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: memoryOf("VmRSS"), peak: memoryOf("VmHWM") };
}

it.runIf(process.platform === "linux")(
  "A start on an empty database, and one on a filled one, stay below 400 MB",
  async () => {
    expect(memory(server.pid()).peak).toBeLessThan(START_LIMIT);
    await server.kill();
    await server.start();
    expect(memory(server.pid()).peak).toBeLessThan(START_LIMIT);
  },
  120_000,
);

it.runIf(process.platform === "linux")(
  "40 simultaneous packed chunks raise the server's memory by at most 500 MB, and every row arrives",
  async () => {
    const login = await fetch(`${server.url}/uaa/login/username`, {
      method: "POST",
      headers: { authorization: basic("sec-web-company-admin") },
      body: new URLSearchParams({
        username: "admin",
        password: DEMO_PASSWORD,
        grant_type: "password",
      }),
    });
    const { data } = (await login.json()) as { data: { access_token: string } };
    const sender: Sender = {
      platform: { origin: server.url },
      token: data.access_token,
      supplierId: "1",
    };
    const random = seededRandom(3);
    const noise = Array.from({ length: 200_000 }, () =>
      String.fromCodePoint(0x4e00 + Math.floor(random() * 20_000)),
    ).join("");
    const chunks = Array.from({ length: CHUNKS }, (_, i) =>
      pack(
        toChunk(
          people(ROWS, i * ROWS).map((row) => {
            const at = Math.floor(random() * (noise.length - 500));
            return { ...row, remark: noise.slice(at, at + 500) };
          }),
          FIELDS,
          i * ROWS + 2,
        ),
      ),
    );
    const job = await createJob(sender, keyOf(9), CHUNKS * ROWS, { chunks: CHUNKS });
    const before = memory(server.pid()).now;
    let highest = before;
    let sentAway = 0;
    const watch = setInterval(() => {
      highest = Math.max(highest, memory(server.pid()).now);
    }, 10);
    const path = (index: number): string =>
      server.url +
      restCalls.importChunk.path.replace("{id}", job.data.id).replace("{index}", String(index));
    const send = async (index: number): Promise<void> => {
      for (;;) {
        const answer = await fetch(path(index), {
          method: "POST",
          headers: {
            authorization: `Bearer ${sender.token}`,
            "supplier-id": "1",
            "content-type": "application/gzip",
          },
          body: chunks[index] ?? null,
        });
        const text = await answer.text();
        if (answer.status === 200) return;
        expect(answer.status, text).toBe(429);
        sentAway += 1;
        const after = Number(answer.headers.get("retry-after"));
        expect(after).toBeGreaterThanOrEqual(1);
        await new Promise((resolve) => setTimeout(resolve, after * 1000));
      }
    };
    try {
      await Promise.all(chunks.map((_, index) => send(index)));
    } finally {
      clearInterval(watch);
    }
    console.log(
      `raised by ${Math.round(highest - before)} MB from ${Math.round(before)}; ${sentAway} answers were 429`,
    );
    expect(highest - before).toBeLessThanOrEqual(RAISE_LIMIT);
    const done = await fetch(server.url + restCalls.importGet.path.replace("{id}", job.data.id), {
      headers: { authorization: `Bearer ${sender.token}`, "supplier-id": "1" },
    });
    const said = (await done.json()) as { data: { state: string; created: number } };
    expect(said.data).toMatchObject({ state: "done", created: CHUNKS * ROWS });
    const all = await fetch(server.url + restCalls.advancedFiltering.path, {
      method: "POST",
      headers: {
        authorization: `Bearer ${sender.token}`,
        "supplier-id": "1",
        "content-type": "application/json",
      },
      body: JSON.stringify({
        cursor: 1,
        limit: 1,
        filter: {
          logic: "and",
          rules: [{ field: "employeeNo", op: "startsWith", value: "G00" }],
        },
      }),
    });
    const counted = (await all.json()) as { data: { total: number } };
    expect(counted.data.total).toBe(CHUNKS * ROWS);
  },
  280_000,
);
