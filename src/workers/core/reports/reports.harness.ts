/** For tests: a core with its statistics, its session and its reports. */
import { inflateRawSync } from "node:zlib";
import { vi } from "vitest";
import { type CoreReport, coreReportSchema } from "../../../shared/protocol/fleet.ts";
import type { Http, SessionUser } from "../contracts.ts";
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

export function setUp(
  ticket: () => Promise<string | null> = () => Promise.resolve("/fleet?ticket=t"),
  random: () => number = () => 0.5,
) {
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
    env: { ...env, random: () => random(), config: { ...env.config, reports: true } },
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
