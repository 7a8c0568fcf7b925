/** Fakes for tests: a server that stores each chunk once, storage and requests that fail at chosen points, and cores that can be killed. */
import { AppError } from "../../../shared/errors.ts";
import {
  type StagedJob,
  stagedChunkKey,
  stagedJobKey,
} from "../../../shared/protocol/import-staging.ts";
import type { ImportJob, RestCall } from "../../../shared/protocol/rest/index.ts";
import type { ImportEntry, Notice } from "../../../shared/protocol/state.ts";
import type { Http, SessionUser, Store } from "../contracts.ts";
import { createFakeClock, createFakeOnline, createMemoryKv } from "../core.fake.ts";
import { createImports, type Imports, type StagingKv } from "./index.ts";

export const KEY = "a".repeat(64);
export const ACCOUNT = "7";
export const COMPANY = "1";
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Stages a job. Each chunk holds one byte, its index, in place of its rows. */
export async function stage(
  kv: StagingKv,
  { key = KEY, chunks = 8, stagedAt = 1, ...more }: Partial<StagedJob> = {},
): Promise<StagedJob> {
  const job: StagedJob = {
    key,
    fileName: "员工.xlsx",
    mode: "insert",
    isInvite: false,
    supplierId: COMPANY,
    accountId: ACCOUNT,
    rows: chunks * 10,
    chunks,
    sizes: Array.from({ length: chunks }, () => ({ rows: 10, bytes: 1 })),
    fields: ["name"],
    stagedAt,
    ...more,
  };
  for (let i = 0; i < chunks; i += 1) await kv.set(stagedChunkKey(key, i), new Uint8Array([i]));
  await kv.set(stagedJobKey(key), job);
  return job;
}

export function createFakeServer() {
  const jobs = new Map<string, ImportJob>();
  /** The byte of each accepted chunk, in order of arrival. */
  const stored: { id: string; byte: number; supplierId: string }[] = [];
  const answered = new Map<string, unknown>();
  let refuse: ((call: RestCall, n: number) => AppError | null) | null = null;
  let n = 0;
  const update = (job: ImportJob, change: Partial<ImportJob>): ImportJob => {
    const next = { ...job, ...change };
    jobs.set(job.id, next);
    return next;
  };
  const byId = (id: unknown): ImportJob => {
    const job = jobs.get(String(id));
    if (job === undefined) throw new AppError("request.not-found");
    return job;
  };
  const serve = (call: RestCall, input: never, bytes: Uint8Array, supplierId: string): unknown => {
    const { body, params } = input as {
      body: { key: string } & ImportJob;
      params: { id: string; index: number };
    };
    if (call.id === "imports.create") {
      const found = [...jobs.values()].find((job) => job.key === body.key);
      if (found !== undefined) {
        return found.state === "cancelled" ? update(found, { state: "open" }) : found;
      }
      const id = String(jobs.size + 100);
      const job: ImportJob = {
        id,
        key: body.key,
        fileName: body.fileName,
        mode: body.mode,
        isInvite: body.isInvite,
        state: "open",
        rows: body.rows,
        chunks: body.chunks,
        chunksDone: 0,
        created: 0,
        updated: 0,
        refused: 0,
        createdBy: { accountId: null, name: "" },
        createTime: "",
        endTime: null,
      };
      jobs.set(id, job);
      return job;
    }
    const job = byId(params.id);
    if (call.id === "imports.cancel") {
      return job.state === "open" ? update(job, { state: "cancelled" }) : job;
    }
    const at = `${job.id}/${params.index}`;
    if (!answered.has(at)) {
      if (job.state !== "open") throw new AppError("import.closed");
      stored.push({ id: job.id, byte: bytes[0] ?? -1, supplierId });
      answered.set(at, true);
      const chunksDone = job.chunksDone + 1;
      const state = chunksDone === job.chunks ? "done" : "open";
      update(job, { chunksDone, created: job.created + 10, state });
    }
    const { index } = params;
    return { index, created: 10, updated: 0, refused: 0, refusals: [], job: byId(job.id) };
  };
  return {
    jobs,
    stored,
    calls: () => n,
    /** The function is called before each request. An error that it returns is the answer. */
    refuse(by: typeof refuse): void {
      refuse = by;
    },
    async handle(call: RestCall, input: unknown, bytes: Uint8Array, company: string) {
      n += 1;
      await Promise.resolve();
      const error = refuse?.(call, n) ?? null;
      if (error !== null) throw error;
      return serve(call, input as never, bytes, company);
    },
  };
}

/** At which operation a core is killed: before its effect, or after the effect and before the answer. */
export interface Kill {
  /** The number of the operation, counting reads, writes and requests of this core. Infinity: the core is not killed. */
  readonly at: number;
  readonly afterEffect: boolean;
}

export function createWorld() {
  const memory = createMemoryKv();
  const kv: StagingKv = {
    ...memory,
    keys: () => Promise.resolve([...memory.data.keys()]),
    delMany: (all) => {
      for (const key of all) memory.data.delete(key);
      return Promise.resolve();
    },
  };
  const clock = createFakeClock();
  const online = createFakeOnline();
  const server = createFakeServer();
  const notices: string[] = [];
  const entries: Record<string, ImportEntry> = {};
  const history: string[] = [];
  let user: SessionUser | null = {
    accountId: ACCOUNT,
    username: "u",
    name: "u",
    supplierId: COMPANY,
  };
  const listeners = new Set<(user: SessionUser | null) => void>();
  /** Decides for each request whether it fails before or after its effect, or is never answered. */
  let fault: ((n: number) => "before" | "after" | "silent" | null) | null = null;
  let sent = 0;

  const start = (kill: Kill = { at: Number.POSITIVE_INFINITY, afterEffect: false }) => {
    let ops = 0;
    let alive = true;
    const gate = async <T>(work: () => Promise<T>): Promise<T> => {
      if (!alive) return never();
      ops += 1;
      if (ops < kill.at) {
        const value = await work();
        return alive ? value : never();
      }
      alive = false;
      if (kill.afterEffect) await work().catch(() => undefined);
      return never();
    };
    const store = {
      get: () => ({ byKey: entries }),
      set: (path: unknown[], value: ImportEntry) => {
        if (!alive) return;
        entries[String(path[2])] = structuredClone(value);
        if (history.at(-1) !== value.state) history.push(value.state);
      },
      del: (path: unknown[]) => void (alive && delete entries[String(path[2])]),
      flush: () => undefined,
      notice: (notice: Notice) => void (alive && notices.push(notice.text)),
    } as unknown as Store;
    const http = {
      call: (
        call: RestCall,
        input: unknown,
        options: { bytes?: Uint8Array; supplierId?: string; signal?: AbortSignal },
      ) =>
        gate(async () => {
          sent += 1;
          if (!online.online) throw new AppError("network.offline");
          const what = fault?.(sent) ?? null;
          if (what === "before") throw new AppError("server.unavailable");
          if (what === "silent") {
            await new Promise<never>((_resolve, reject) => {
              const cancel = (): void => reject(new AppError("request.cancelled"));
              options?.signal?.addEventListener("abort", cancel);
            });
          }
          const bytes = options?.bytes ?? new Uint8Array();
          const answer = await server.handle(call, input, bytes, options?.supplierId ?? "");
          if (what === "after") throw new AppError("network.timeout");
          return answer;
        }),
    } as unknown as Http;
    const imports: Imports = createImports({
      env: { clock, online, random: () => 0.5, log: () => undefined },
      staging: {
        get: (key) => gate(() => kv.get(key)) as never,
        set: (key, value) => gate(() => kv.set(key, value)),
        del: (key) => gate(() => kv.del(key)),
        keys: () => gate(() => kv.keys()),
        delMany: (all) => gate(() => kv.delMany(all)),
      },
      store,
      http,
      session: {
        user: () => user,
        onUser(handler) {
          const guarded = (next: SessionUser | null): void => {
            if (alive) handler(next);
          };
          listeners.add(guarded);
          return () => listeners.delete(guarded);
        },
      },
    });
    imports.start();
    return {
      imports,
      alive: () => alive,
      ops: () => ops,
      kill: () => {
        alive = false;
      },
    };
  };

  /** Runs promises, then advances the clock, until the condition holds. @returns whether it held within `ms` */
  const until = async (what: () => boolean, ms = 600_000): Promise<boolean> => {
    const end = clock.now() + ms;
    for (;;) {
      for (let i = 0; i < 400; i += 1) {
        if (what()) return true;
        await Promise.resolve();
      }
      if (clock.now() >= end) return false;
      clock.advance(250);
    }
  };
  return {
    kv,
    clock,
    online,
    server,
    notices,
    entries,
    history,
    start,
    until,
    setFault(by: typeof fault) {
      fault = by;
    },
    setUser(next: SessionUser | null) {
      user = next;
      for (const listener of listeners) listener(next);
    },
  };
}
