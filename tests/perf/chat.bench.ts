/**
 * Measures the chat gateway from outside: 2000 people connected who write 1000 messages a second, and messages to a group of 5000, of
 * whom these are connected. A machine that does other work as well gets less to do by --connected, --rate and --seconds. The peers are
 * plain relays of websocket messages, with the same load in the same run: one stores nothing, and one writes each message to a table of
 * PostgreSQL, by a statement of its own, before it passes it on. Without a PostgreSQL, which `npm run bench` starts where it is installed, it
 * measures the embedded database, without the second peer and without limits of time.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "pg";
import { createCredentials } from "../../src/server/modules/chat/credentials.ts";
import { systemClock } from "../../src/server/base/clock.ts";
import { type BenchClient, connectToGateway, connectToRelay, GROUP } from "./chat/client.ts";
import { type Figure, percentile, round } from "./report.ts";

const DEFAULTS = { connected: 2000, rate: 1000, seconds: 10 };
/** Messages to the group, one each half second. */
const TO_GROUP = 20;
/** ms after which what has not arrived counts as lost. */
const LATE = 30_000;
const SECRET = "a secret of at least thirty-two characters";
const PARALLEL = 50;
const STORING = "a relay that stores each message";
const GATEWAY = "gateway, PostgreSQL";

/**
 * How many times what the storing relay needs the gateway may need, which also knows who may write to whom, keeps inboxes and counts, and
 * waits for receipts. Measured: 7.4, 5.4, 6.3 and 14.
 */
const TIMES: readonly { readonly of: string; readonly metric: string; readonly most: number }[] = [
  { of: "messages a second", metric: "delivery p99", most: 12 },
  { of: "messages a second", metric: "CPU", most: 8 },
  { of: "a group of", metric: "delivery p99", most: 12 },
  { of: "a group of", metric: "CPU of a delivery", most: 20 },
];

export interface ChatBenchOptions {
  /** People with a socket. */
  readonly connected?: string | undefined;
  /** Messages a second. */
  readonly rate?: string | undefined;
  readonly seconds?: string | undefined;
}
type Load = typeof DEFAULTS;

export async function benchChat(options: ChatBenchOptions): Promise<Figure[]> {
  const load: Load = {
    connected: Number(options.connected ?? DEFAULTS.connected),
    rate: Number(options.rate ?? DEFAULTS.rate),
    seconds: Number(options.seconds ?? DEFAULTS.seconds),
  };
  const url = process.env["TEST_DATABASE_URL"] ?? "";
  const relay = (label: string, args: readonly string[], env = {}): Promise<Figure[]> =>
    withProcess(args, env, async (child) => {
      const open = (name: string, onText: (text: string) => void) =>
        connectToRelay(child.port, name, onText);
      return await measure(label, child, open, load);
    });
  const bare = await relay("a relay that stores nothing", ["relay"]);
  if (url === "") return [...bare, ...(await gateway("gateway, PGlite", {}, load))];
  const storing = await inDatabase(url, (DATABASE_URL) =>
    relay(STORING, ["storing-relay"], { DATABASE_URL }),
  );
  const ours = await inDatabase(url, (DATABASE_URL) => gateway(GATEWAY, { DATABASE_URL }, load));
  return [...bare, ...storing, ...ours, ...besideStoring(storing, ours)];
}

function besideStoring(storing: readonly Figure[], ours: readonly Figure[]): Figure[] {
  const find = (figures: readonly Figure[], of: string, metric: string): Figure | undefined =>
    figures.find((figure) => figure.metric === metric && figure.case.includes(of));
  return TIMES.flatMap(({ of, metric, most }) => {
    const [peer, own] = [find(storing, of, metric), find(ours, of, metric)];
    if (peer === undefined || own === undefined) throw new Error(`no figure of ${metric}, ${of}`);
    const value = round(own.value / peer.value, 1);
    return {
      ...own,
      metric: `${metric} beside the storing relay`,
      unit: "times",
      value,
      limit: most,
    };
  });
}

/** Runs with a database of its own on the server of this address. */
async function inDatabase<T>(server: string, run: (url: string) => Promise<T>): Promise<T> {
  const name = `console_bench_${randomUUID().slice(0, 8)}`;
  const admin = new Pool({ connectionString: server, max: 1 });
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    return await run(Object.assign(new URL(server), { pathname: `/${name}` }).href);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function gateway(label: string, more: Record<string, string>, load: Load): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-chat-"));
  const env = {
    APP_SECRET: SECRET,
    DATA_DIR: dataDir,
    MEDIA_EMBEDDED: "off",
    // All of them are this machine.
    MAX_CONNECTIONS_PER_ADDRESS: "10000",
    ...more,
  };
  const credentials = createCredentials(SECRET, systemClock);
  try {
    return await withProcess(["gateway"], env, async (child) => {
      const open = async (name: string, onText: (text: string) => void) =>
        connectToGateway(child.port, name, (await credentials.issue(name, null)).token, onText);
      return await measure(label, child, open, load);
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Nothing may be lost. */
const whole = (figure: Figure): Figure => ({ ...figure, least: 100 });

interface Child {
  readonly port: number;
  /** Milliseconds of processor time so far. */
  cpu(): Promise<number>;
}
async function withProcess<T>(
  args: readonly string[],
  env: Record<string, string>,
  run: (child: Child) => Promise<T>,
): Promise<T> {
  const path = join(import.meta.dirname, "chat/server.ts");
  const child: ChildProcess = fork(path, args, {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...env },
  });
  const next = <M>(): Promise<M> =>
    new Promise((resolve, reject) => {
      child.once("message", (message) => resolve(message as M));
      child.once("exit", (code) => reject(new Error(`the process of the bench ended: ${code}`)));
    });
  try {
    const { port } = await next<{ port: number }>();
    return await run({
      port,
      async cpu() {
        const answer = next<{ cpu: number }>();
        child.send("cpu");
        return (await answer).cpu;
      },
    });
  } finally {
    child.removeAllListeners("exit");
    const ended = new Promise((resolve) => void child.once("exit", resolve));
    // It ends by itself then, so that a profile of it is written.
    child.disconnect();
    await ended;
  }
}

async function measure(
  label: string,
  child: Child,
  open: (name: string, onText: (text: string) => void) => Promise<BenchClient>,
  { connected, rate, seconds }: Load,
): Promise<Figure[]> {
  let arrived: number[] = [];
  const onText = (text: string): void => {
    const sent = Number(text);
    if (sent > 0) arrived.push(performance.now() - sent);
  };
  const clients: BenchClient[] = [];
  for (let from = 0; from < connected; from += PARALLEL) {
    const names = Array.from({ length: PARALLEL }, (_, n) => `bench${from + n}`);
    clients.push(...(await Promise.all(names.map((name) => open(name, onText)))));
  }
  const settled = async (count: number): Promise<void> => {
    const until = performance.now() + LATE;
    while (arrived.length < count && performance.now() < until) await pause(50);
  };
  /** Sends evenly, in steps of 10 ms; what a slow step leaves is sent in the next. */
  const feed = async (count: number, send: (n: number) => void): Promise<void> => {
    const start = performance.now();
    for (let sent = 0; sent < count;) {
      const due = Math.min(count, Math.floor(((performance.now() - start) * rate) / 1000));
      for (; sent < due; sent += 1) send(sent);
      await pause(10);
    }
  };
  const pairOf = (n: number): void => {
    const from = n % connected;
    clients[from]?.send(`bench${from ^ 1}`, String(performance.now()));
  };
  await feed(2 * rate, pairOf);
  await settled(2 * rate);
  arrived = [];
  const [cpu, start] = [await child.cpu(), performance.now()];
  const count = seconds * rate;
  await feed(count, pairOf);
  await settled(count);
  const busy = (await child.cpu()) - cpu;
  const pairs = arrived;
  const took = performance.now() - start;

  arrived = [];
  const cpuBefore = await child.cpu();
  for (let n = 0; n < TO_GROUP; n += 1) {
    clients[0]?.send(GROUP, String(performance.now()));
    await pause(500);
  }
  const each = label.startsWith("gateway") ? connected - 1 : connected;
  await settled(TO_GROUP * each);
  const group = arrived;
  const perDelivery = (await child.cpu()) - cpuBefore;
  for (const client of clients) client.close();

  const figureOf = (
    name: string,
    metric: string,
    unit: string,
    value: number,
    runs: number,
  ): Figure => ({
    bench: "chat",
    case: `${name}, ${label}`,
    metric,
    unit,
    value: round(value, 2),
    runs,
  });
  const [one, many] = [
    `${connected} connected, ${rate} messages a second`,
    `a group of 5000, ${connected} of them connected`,
  ];
  return [
    figureOf(one, "delivery p50", "ms", percentile(pairs, 50), pairs.length),
    figureOf(one, "delivery p99", "ms", percentile(pairs, 99), pairs.length),
    whole(figureOf(one, "delivered", "%", (pairs.length / count) * 100, count)),
    figureOf(one, "CPU", "% of a core", (busy / took) * 100, 1),
    figureOf(many, "delivery p50", "ms", percentile(group, 50), group.length),
    figureOf(many, "delivery p99", "ms", percentile(group, 99), group.length),
    figureOf(many, "CPU of a delivery", "µs", (perDelivery * 1000) / (TO_GROUP * each), TO_GROUP),
    whole(
      figureOf(many, "delivered", "%", (group.length / (TO_GROUP * each)) * 100, TO_GROUP * each),
    ),
  ];
}
