import { expose } from "comlink";
import { afterEach, expect, test, vi } from "vitest";
import { AppError } from "../shared/errors.ts";
import { coreLock, tabLock, type Hello } from "../shared/protocol/tab-port.ts";
import { createFakeClock, createFakeLocks } from "../workers/core/core.fake.ts";
import { createCommands } from "./commands.ts";
import { createConnection, WELCOME_TIMEOUT } from "./connection.ts";
import type { CoreState } from "./contracts.ts";
import type { CoreHost, HostFactory, HostPort } from "./host.ts";
import { PATIENCE } from "../shared/patience.harness.ts";

const ports: { close(): void }[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

type Echo = (input: unknown, meta: { id: string }) => Promise<unknown>;

/** A core that can be killed: it releases its lock and sends nothing any more. */
function setUp(options: { answers?: boolean; echo?: Echo; host?: HostFactory } = {}) {
  const clock = createFakeClock();
  const locks = createFakeLocks();
  const hellos: Hello[] = [];
  const media: unknown[] = [];
  const states: unknown[] = [];
  const calls: { core: number; id: string }[] = [];
  let cores = 0;
  let kill = (): void => {};
  const hosts: CoreHost[] = [];
  const asked = { why: 0 };
  const behaviour = { answers: options.answers ?? true, echo: options.echo };

  const host: HostFactory = () => {
    let dead = false;
    let number = 0;
    const start = async (): Promise<string> => {
      number = cores += 1;
      const lock = await locks.acquire(coreLock(`core${number}`));
      kill = () => {
        dead = true;
        lock.release();
      };
      return `core${number}`;
    };
    let started: Promise<string> | null = null;
    const port: HostPort = {
      onmessage: null,
      close: () => {},
      postMessage(message, transfer) {
        const hello = message as Hello;
        hellos.push(hello);
        ports.push(...(transfer as MessagePort[]));
        const rpc = transfer[0] as MessagePort;
        const echo: Echo = async (input, meta) => {
          calls.push({ core: number, id: meta.id });
          if (behaviour.echo !== undefined) return behaviour.echo(input, meta);
          return { ok: true, value: { at: number, payload: "x" } };
        };
        expose({ worker: { echo } }, rpc);
        if (!behaviour.answers) return;
        void (started ??= start()).then((coreId) => {
          if (!dead)
            port.onmessage?.({ data: { t: "welcome", coreId, startedAt: 1 } } as MessageEvent);
        });
      },
    };
    const made: CoreHost = { port, onError: null };
    hosts.push(made);
    return made;
  };
  const coreState: CoreState = {
    state: "connecting",
    unsupported: null,
    newerBuild: null,
    unreachable: false,
  };
  const connection = createConnection({
    tabId: "t",
    build: "b",
    host: options.host === undefined ? host : options.host,
    locks: {
      request: async (name, { signal }, run) => {
        const lock = await locks.acquire(name, signal);
        try {
          await run();
        } finally {
          lock.release();
        }
      },
    },
    coreState,
    presence: () => ({ visible: true, focusedAt: 0, path: "/" }),
    claim: () => ({ callId: "call", ownerEpoch: 4, rtcIds: ["r"] }),
    onState: (port) => void (states.push(port), ports.push(port)),
    onMedia: (port) => void (media.push(port), ports.push(port)),
    onNoCore: () => {
      asked.why += 1;
    },
    after: (ms, run) => clock.after(ms, run),
  });
  let ids = 0;
  const commands = createCommands({
    company: () => null,
    connection,
    newId: () => `id${(ids += 1)}`,
    after: (ms, run) => clock.after(ms, run),
  });
  return {
    clock,
    locks,
    coreState,
    connection,
    commands,
    hellos,
    media,
    states,
    calls,
    hosts,
    asked,
    behaviour,
    kill: () => kill(),
  };
}
const ready = (coreState: CoreState) =>
  vi.waitFor(() => expect(coreState.state).toBe("ready"), PATIENCE);
const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

test("the tab says hello once it has its lock, and the hello has its claim and its path", async () => {
  const { locks, coreState, hellos, media, commands, connection } = setUp();
  await ready(coreState);
  expect(await locks.held(tabLock("t"))).toBe(true);
  expect(hellos).toMatchObject([{ tabId: "t", build: "b", claim: { callId: "call" }, path: "/" }]);
  expect(media).toHaveLength(1);
  expect(await commands.worker.echo({ payload: "x" })).toEqual({ at: 1, payload: "x" });
  connection.dispose();
});

test("a command waits for a core that has not started yet", async () => {
  const { commands, connection } = setUp();
  expect(await commands.worker.echo({ payload: "x" })).toEqual({ at: 1, payload: "x" });
  connection.dispose();
});

test("when the core dies, another is started and the pending command is sent again with its id", async () => {
  let answer = false;
  const all = setUp({
    echo: (_, meta) =>
      answer ? Promise.resolve({ ok: true, value: meta.id }) : new Promise(() => {}),
  });
  await ready(all.coreState);
  const call = all.commands.worker.echo({ payload: "x" });
  await vi.waitFor(() => expect(all.calls).toHaveLength(1), PATIENCE);
  answer = true;
  all.kill();
  await vi.waitFor(() => expect(all.coreState.state).toBe("respawning"), PATIENCE);
  all.clock.advance(0);
  await ready(all.coreState);
  expect(await call).toBe("id1");
  expect(all.calls).toEqual([
    { core: 1, id: "id1" },
    { core: 2, id: "id1" },
  ]);
  expect(all.hellos[1]?.claim).toEqual({ callId: "call", ownerEpoch: 4, rtcIds: ["r"] });
  expect(all.media).toHaveLength(2);
  all.connection.dispose();
});

test("a command whose core dies twice is rejected", async () => {
  const all = setUp({ echo: () => new Promise(() => {}) });
  await ready(all.coreState);
  const call = codeOf(all.commands.worker.echo({ payload: "x" }));
  for (const times of [1, 2]) {
    await vi.waitFor(() => expect(all.calls).toHaveLength(times), PATIENCE);
    all.kill();
    await vi.waitFor(() => expect(all.coreState.state).toBe("respawning"), PATIENCE);
    all.clock.advance(0);
    await ready(all.coreState);
  }
  expect(await call).toBe("core.gone");
  all.connection.dispose();
});

test("a command without an answer ends at its deadline; an error value is thrown with its code", async () => {
  const all = setUp({ echo: () => new Promise(() => {}) });
  await ready(all.coreState);
  const call = codeOf(all.commands.worker.echo({ payload: "x" }));
  await vi.waitFor(() => expect(all.calls).toHaveLength(1), PATIENCE);
  all.clock.advance(17_000);
  expect(await call).toBe("core.deadline");
  all.behaviour.echo = () =>
    Promise.resolve({ ok: false, error: new AppError("call.self").toWire() });
  expect(await codeOf(all.commands.worker.echo({ payload: "x" }))).toBe("call.self");
  all.behaviour.echo = () => Promise.resolve({ strange: true });
  expect(await codeOf(all.commands.worker.echo({ payload: "x" }))).toBe("core.bad-message");
  all.connection.dispose();
});

test("without a welcome the tab retries with growing delays, reports the failure, and still recovers", async () => {
  const all = setUp({ answers: false });
  await vi.waitFor(() => expect(all.hellos).toHaveLength(1), PATIENCE);
  const call = all.commands.worker.echo({ payload: "x" });
  for (const delay of [0, 500, 1_000]) {
    all.clock.advance(WELCOME_TIMEOUT);
    expect(all.coreState.state).toBe("connecting");
    all.clock.advance(delay);
  }
  all.clock.advance(WELCOME_TIMEOUT);
  expect(all.coreState.state).toBe("failed");
  expect(await codeOf(call)).toBe("core.deadline");
  all.behaviour.answers = true;
  all.clock.advance(2_000);
  await ready(all.coreState);
  all.connection.dispose();
});

test("a script that cannot be started is retried", async () => {
  const all = setUp({ answers: false });
  await vi.waitFor(() => expect(all.hosts).toHaveLength(1), PATIENCE);
  all.hosts[0]?.onError?.();
  all.behaviour.answers = true;
  all.clock.advance(0);
  await ready(all.coreState);
  expect(all.hosts).toHaveLength(2);
  all.connection.dispose();
});

test("a tab that returns from the bfcache says hello to the same core and repeats pending commands by id", async () => {
  let answer = false;
  const all = setUp({
    echo: (_, meta) =>
      answer ? Promise.resolve({ ok: true, value: meta.id }) : new Promise(() => {}),
  });
  await ready(all.coreState);
  const call = all.commands.worker.echo({ payload: "x" });
  await vi.waitFor(() => expect(all.calls).toHaveLength(1), PATIENCE);
  answer = true;
  all.connection.again();
  expect(await call).toBe("id1");
  expect(all.hosts).toHaveLength(1);
  expect(all.hellos).toHaveLength(2);
  expect(all.states).toHaveLength(2);
  all.kill();
  await vi.waitFor(() => expect(all.coreState.state).toBe("respawning"), PATIENCE);
  all.connection.dispose();
});

test("commands are rejected with core.unsupported where no core can be hosted", async () => {
  const { coreState, commands } = setUp({ host: null });
  expect(coreState.state).toBe("unsupported");
  expect(await codeOf(commands.worker.echo({ payload: "x" }))).toBe("core.unsupported");
});

test("dispose releases the tab's lock, rejects pending commands, and may be called twice", async () => {
  const all = setUp({ answers: false });
  await vi.waitFor(() => expect(all.hellos).toHaveLength(1), PATIENCE);
  const call = codeOf(all.commands.worker.echo({ payload: "x" }));
  await Promise.resolve();
  all.connection.dispose();
  all.connection.dispose();
  expect(await call).toBe("core.gone");
  await vi.waitFor(async () => expect(await all.locks.held(tabLock("t"))).toBe(false), PATIENCE);
  expect(all.clock.pending).toBe(0);
});

test("a core whose script is gone is asked about at each attempt, and one that has died is not", async () => {
  const all = setUp();
  await ready(all.coreState);
  all.coreState.unreachable = true;
  all.kill();
  await vi.waitFor(() => expect(all.coreState.state).toBe("respawning"), PATIENCE);
  expect(all.asked.why).toBe(0);
  all.behaviour.answers = false;
  all.clock.advance(0);
  all.hosts.at(-1)?.onError?.();
  expect(all.asked.why).toBe(1);
  all.clock.advance(500);
  all.clock.advance(WELCOME_TIMEOUT);
  expect(all.asked.why).toBe(2);
  all.behaviour.answers = true;
  all.connection.retry();
  await ready(all.coreState);
  expect(all.coreState.unreachable).toBe(false);
  all.connection.dispose();
});

test("an attempt on request takes the place of the next one, and does nothing while a core answers", async () => {
  const all = setUp({ answers: false });
  await vi.waitFor(() => expect(all.hosts).toHaveLength(1), PATIENCE);
  all.hosts[0]?.onError?.();
  all.behaviour.answers = true;
  all.connection.retry();
  await ready(all.coreState);
  all.connection.retry();
  all.clock.advance(WELCOME_TIMEOUT);
  expect(all.hosts).toHaveLength(2);
  all.connection.dispose();
});
