/**
 * Kills the server with SIGKILL during writes on the embedded database. After the next start everything acknowledged must
 * exist, nothing may be half done, and a second process on the same folder must be refused.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SERVER_ARGS } from "../../scripts/lib/server-command.mjs";
import { basic } from "../../src/server/platform.harness.ts";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { between, repeated, tortureRandom } from "../support/seed.ts";
import { startServer, type TestServer } from "../support/server.ts";

const random = tortureRandom("kill");
const ROUNDS = repeated(3, 20);
/** Parallel writers, so that the kill interrupts some of them. */
const WRITERS = 4;
const root = join(import.meta.dirname, "../..");

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ ACCESS_TOKEN_TTL: "86400" });
}, 120_000);
afterAll(() => server.dispose());

async function login(): Promise<string> {
  const response = await fetch(`${server.url}/uaa/login/username`, {
    method: "POST",
    headers: { authorization: basic("sec-web-company-admin") },
    body: new URLSearchParams({
      username: "zhangwei",
      password: DEMO_PASSWORD,
      grant_type: "password",
    }),
  });
  const { data } = (await response.json()) as { data: { access_token: string } };
  return data.access_token;
}

interface Group {
  readonly gid: string;
  readonly memberCount: number;
}

/** Group, owner, two members and an audit record are one transaction. The ids show which groups were attempted. */
async function writeUntilKilled(token: string, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const gid = `${Date.now()}${String(between(random, 0, 999_999)).padStart(6, "0")}`;
    try {
      const response = await fetch(`${server.url}/dc-im/api/group`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ gid, groupname: gid, members: ["lina", "admin"] }),
      });
      const answer = (await response.json()) as { code: number };
      if (answer.code === 0) acknowledged.add(gid);
      // The person owns as many groups as allowed; the next round starts with none.
      else return;
    } catch {
      return;
    }
  }
}

async function groups(token: string): Promise<Group[]> {
  const response = await fetch(`${server.url}/dc-im/api/groups?limit=1000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: { records: Group[] } }).data.records;
}

it(`${ROUNDS} kills during writes lose nothing that was acknowledged`, async () => {
  // The login itself is an acknowledged change; it is used in all rounds.
  const token = await login();
  let proved = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const acknowledged = new Set<string>();
    const writers = Array.from({ length: WRITERS }, () => writeUntilKilled(token, acknowledged));
    const wanted = between(random, 1, 11);
    // Let some writes finish, then kill at any moment of the next.
    await expect
      .poll(() => acknowledged.size, { interval: 1, timeout: 30_000 })
      .toBeGreaterThanOrEqual(wanted);
    await server.kill("SIGKILL");
    await Promise.all(writers);
    await server.start();

    const found = await groups(token);
    const ids = new Set(found.map((group) => group.gid));
    expect([...acknowledged].filter((gid) => !ids.has(gid))).toEqual([]);
    expect(found.filter((group) => group.memberCount !== 3)).toEqual([]);
    proved += acknowledged.size;
    for (const { gid } of found) {
      const gone = await fetch(`${server.url}/dc-im/api/group/${gid}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(gone.status).toBe(200);
    }
  }
  expect(proved).toBeGreaterThanOrEqual(ROUNDS);
}, 240_000);

it("A second process on the same folder is refused with a clear text", async () => {
  const second = spawn(process.execPath, SERVER_ARGS, {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: "",
      REDIS_URL: "",
      PORT: "0",
      DATA_DIR: server.dataDir,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  second.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => second.on("exit", resolve));
  expect(code).toBe(1);
  expect(said).toContain(server.dataDir);
  expect(said).toMatch(/in use|another|already/i);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
}, 60_000);
