/** The core's import module against a real server: its HTTP client, storage in memory, and ways to kill it or cut its network. */
import { getAdapter } from "axios";
import { importTable } from "../../src/shared/domain/import-job.ts";
import {
  type StagedJob,
  stagedChunkKey,
  stagedJobKey,
} from "../../src/shared/protocol/import-staging.ts";
import type { ImportEntry } from "../../src/shared/protocol/state.ts";
import type { Session, Store } from "../../src/workers/core/contracts.ts";
import { createWallClock } from "../../src/workers/core/env.ts";
import { createHttp, createTransport, type Transport } from "../../src/workers/core/http/index.ts";
import {
  createImports,
  type Imports,
  type StagingKv,
} from "../../src/workers/core/imports/index.ts";
import {
  createFakeEnv,
  createFakeOnline,
  createMemoryKv,
  type FakeOnline,
} from "../../src/workers/core/core.fake.ts";
import {
  FIELDS,
  keyOf,
  pack,
  type Row,
  toChunk,
} from "../../src/server/modules/imports/chunks.harness.ts";

export function createStagingMemory(): StagingKv {
  const memory = createMemoryKv();
  return {
    ...memory,
    keys: () => Promise.resolve([...memory.data.keys()]),
    delMany(keys) {
      for (const key of keys) memory.data.delete(key);
      return Promise.resolve();
    },
  };
}

/** Like the import worker: the record of the job is written last. */
export async function stageRows(
  kv: StagingKv,
  rows: readonly Row[],
  options: { chunkRows: number; accountId: string; supplierId: string } & Partial<StagedJob>,
): Promise<StagedJob> {
  const { chunkRows, ...more } = options;
  const key = more.key ?? keyOf(77);
  const sizes: { rows: number; bytes: number }[] = [];
  for (let at = 0; at < rows.length; at += chunkRows) {
    const part = rows.slice(at, at + chunkRows);
    const bytes = pack(toChunk(part, FIELDS, at + 2));
    await kv.set(stagedChunkKey(key, sizes.length), bytes);
    sizes.push({ rows: part.length, bytes: bytes.length });
  }
  const job: StagedJob = {
    key,
    fileName: "员工.xlsx",
    mode: "insert",
    isInvite: false,
    rows: rows.length,
    chunks: sizes.length,
    sizes,
    fields: [...FIELDS],
    stagedAt: Date.now(),
    ...more,
  };
  await kv.set(stagedJobKey(key), job);
  return job;
}

export interface TestCore {
  readonly imports: Imports;
  readonly online: FakeOnline;
  readonly entries: Record<string, ImportEntry>;
  /** Stops everything. Open requests stay without an answer. */
  kill(): void;
  /**
   * Waits until the import with this key has reached the state.
   *
   * @throws Error after `ms`
   */
  until(what: (entry: ImportEntry | undefined) => boolean, key: string, ms?: number): Promise<void>;
}

export interface TestCoreOptions {
  readonly origin: string;
  readonly token: string;
  readonly accountId: string;
  readonly supplierId: string;
  readonly kv: StagingKv;
  /** Wraps each request. */
  readonly wire?: (transport: Transport) => Transport;
  /** How many times faster than real time its timers run. */
  readonly hurry?: number;
}

export function startImportCore(options: TestCoreOptions): TestCore {
  const { kv, hurry = 1 } = options;
  const wall = createWallClock();
  const clock = {
    now: wall.now,
    after: (ms: number, run: () => void) => wall.after(ms / hurry, run),
  };
  const online = createFakeOnline();
  const entries: Record<string, ImportEntry> = {};
  let alive = true;
  const gate = async <T>(work: () => Promise<T>): Promise<T> => {
    const dead = new Promise<T>(() => undefined);
    if (!alive) return dead;
    try {
      const value = await work();
      return alive ? value : dead;
    } catch (error) {
      if (!alive) return dead;
      throw error;
    }
  };
  const plain = createTransport({
    baseUrl: options.origin,
    clock,
    online,
    onOffset: () => undefined,
    // The browser's way to report the progress of a body, XMLHttpRequest, is not there in Node.
    adapter: (config) => getAdapter("fetch", config)(config),
  });
  const transport = options.wire?.(plain) ?? plain;
  const env = createFakeEnv();
  const http = createHttp({
    env,
    transport: (request) => gate(() => transport(request)),
    authority: {
      accessToken: () => Promise.resolve(options.token),
      renewAfter401: () => Promise.resolve(false),
      accepted: () => {},
      rejected: () => {},
      supplierId: () => options.supplierId,
      menuId: () => null,
      language: () => null,
    },
  });
  const { accountId, supplierId } = options;
  const session: Pick<Session, "user" | "onUser"> = {
    user: () => ({ accountId, username: "admin", name: "管理员", supplierId }),
    onUser: () => () => undefined,
  };
  const store = {
    set(path: readonly unknown[], entry: ImportEntry) {
      if (alive) entries[String(path[2])] = structuredClone(entry);
    },
    del: () => undefined,
    notice: () => undefined,
  } as unknown as Store;
  const imports = createImports({
    env: { clock, online, random: Math.random, log: () => undefined },
    staging: {
      get: (key) => gate(() => kv.get(key)) as never,
      set: (key, value) => gate(() => kv.set(key, value)),
      del: (key) => gate(() => kv.del(key)),
      keys: () => gate(() => kv.keys()),
      delMany: (keys) => gate(() => kv.delMany(keys)),
    },
    store,
    http,
    session,
  });
  imports.start();
  return {
    imports,
    online,
    entries,
    kill() {
      alive = false;
      imports.stop();
    },
    async until(what, key, ms = 60_000) {
      const end = Date.now() + ms;
      while (!what(entries[key])) {
        if (Date.now() > end) {
          throw new Error(`${importTable.name} stays ${JSON.stringify(entries[key])}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  };
}
