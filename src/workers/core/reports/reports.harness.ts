/** For tests: a core with its statistics, its session and its reports. */
import { inflateRawSync } from "node:zlib";
import { vi } from "vitest";
import {
  COMMAND_NAMES,
  type CoreReport,
  coreReportSchema,
} from "../../../shared/protocol/fleet.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Http, OpenSocket, SessionUser } from "../contracts.ts";
import { createFakeEnv, type FakeSocket, settle } from "../core.fake.ts";
import { createStats } from "../stats/index.ts";
import { createStore, initialSlices } from "../store/index.ts";
import { createReportCounters, createReports } from "./index.ts";

export const USER: SessionUser = {
  accountId: "7",
  username: "lina",
  name: "李娜",
  supplierId: "1",
};

export function setUp({
  ticket = () => Promise.resolve("/fleet?ticket=t"),
  random = () => 0.5,
  ...over
}: {
  ticket?: () => Promise<string | null>;
  random?: () => number;
  home?: string;
  openSocket?: OpenSocket;
} = {}) {
  const env = createFakeEnv();
  const { clock } = env;
  const counters = createReportCounters(clock);
  const store = createStore({
    clock,
    epoch: "c",
    newId: () => "n",
    slices: initialSlices({ coreId: "core-1", build: "b1", now: clock.now() }),
  });
  const stats = createStats({ clock, store: () => store, log: env.log, reported: counters });
  const users = new Set<(user: SessionUser | null) => void>();
  let asked = 0;
  const http: Pick<Http, "call"> = {
    async call() {
      asked += 1;
      return { url: await ticket(), every: 15_000 } as never;
    },
  };
  const reports = createReports({
    env: { ...env, ...over, random, config: { ...env.config, reports: true } },
    http,
    session: {
      onUser(handler) {
        users.add(handler);
        return () => users.delete(handler);
      },
    },
    store,
    tabs: { onLeave: () => () => undefined },
    counters,
    startedAt: clock.now(),
    watched: () => 2,
  });
  const bytesOf = (socket: FakeSocket): Uint8Array[] =>
    socket.sent.filter((frame): frame is Uint8Array => frame instanceof Uint8Array);
  const reportsOf = (socket: FakeSocket): CoreReport[] =>
    bytesOf(socket).map((bytes) =>
      coreReportSchema.parse(JSON.parse(inflateRawSync(bytes).toString("utf8"))),
    );
  const login = (user: SessionUser | null): void => {
    store.set(["session", "supplierId"], user?.supplierId ?? null);
    for (const handler of users) handler(user);
  };
  return {
    env,
    clock,
    counters,
    store,
    stats,
    reports,
    login,
    bytesOf,
    reportsOf,
    get asked() {
      return asked;
    },
    /** The newest socket, after the server has accepted its hello. */
    async connect(): Promise<FakeSocket> {
      const before = env.sockets.length;
      for (let i = 0; i < 400 && env.sockets.length === before; i += 1) {
        clock.advance(1_000);
        await settle();
      }
      const socket = env.sockets.at(-1);
      if (socket === undefined || env.sockets.length === before) throw new Error("no socket");
      socket.accept();
      socket.receive({ n: 0, result: 0 });
      return socket;
    },
    /** Waits until the socket has sent this many reports; they are packed asynchronously. */
    async sent(socket: FakeSocket, count: number): Promise<CoreReport[]> {
      await vi.waitFor(
        () => {
          if (bytesOf(socket).length < count) throw new Error("not sent yet");
        },
        { timeout: 15_000 },
      );
      return reportsOf(socket);
    },
  };
}

/** Fifteen busy seconds: twenty tabs, 600 commands of thirty kinds, 4000 changes, lost sockets, errors of four kinds. */
export function beBusy(core: ReturnType<typeof setUp>): void {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const kinds = COMMAND_NAMES.slice(0, 30);
  for (let i = 0; i < 600; i += 1) {
    const name = kinds[Math.floor(random() ** 2 * kinds.length)] ?? "chat.send";
    core.stats.command(
      name,
      0.4 + 40 * random() ** 6,
      random() < 0.01 ? "core.deadline" : undefined,
    );
  }
  for (let i = 0; i < 4_000; i += 1) core.stats.fanOut(1 + 30 * random() ** 4);
  core.stats.opsOut(9_000);
  for (const name of ["chat", "signalling", "quality"] as const) {
    core.stats.socket(name, "open");
    for (let i = 0; i < 900; i += 1)
      core.stats.socketTraffic(name, i % 3 === 0 ? "sent" : "received");
    core.stats.socket(name, "waiting", 2, "network");
    core.stats.socket(name, "open");
  }
  for (const code of ["network.timeout", "server.unreachable", "chat.not-connected"] as const) {
    core.stats.error(new AppError(code));
  }
  for (let tab = 0; tab < 20; tab += 1) {
    core.store.set(["tabs", "byId", `tab-${tab}`], {
      tabId: `tab-${tab}`,
      visible: tab === 0,
      focusedAt: 0,
      path: "/",
      connectedAt: 0,
      unacked: tab,
    });
    core.reports.pageVitals(`tab-${tab}`, { memory: 4e7 + tab * 1e6, longTasks: [60 + 9 * tab] });
  }
}
