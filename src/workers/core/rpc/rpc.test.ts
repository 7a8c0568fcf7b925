import { expose, wrap, type Remote } from "comlink";
import { afterEach, expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { CoreFacade, Handlers } from "../../../shared/protocol/core-rpc.ts";
import { createFakeClock, settle } from "../core.fake.ts";
import { createRpc, type AllHandlers } from "./index.ts";

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function setUp(handlers: Partial<Record<keyof AllHandlers, unknown>>) {
  const clock = createFakeClock();
  const errors: string[] = [];
  const timed: string[] = [];
  const company = { current: null as string | null };
  const rpc = createRpc({
    company: () => company.current,
    clock,
    precise: clock.now,
    stats: {
      command: (name) => void timed.push(name),
      error: (error) => void errors.push(error instanceof Error ? error.message : error),
    },
    handlers: () => handlers as AllHandlers,
  });
  return { clock, rpc, errors, timed, company };
}
const meta = (id: string) => ({ id });
const echo = (
  echoed: Handlers<"worker">["echo"],
): { worker: Pick<Handlers<"worker">, "echo"> } => ({
  worker: { echo: echoed },
});

test("a command runs with its parsed input and its caller, and its answer is a value", async () => {
  const seen: unknown[] = [];
  const { rpc, timed } = setUp({
    session: {
      login: (input: unknown, context: unknown) => {
        seen.push(input, context);
        return Promise.resolve(null);
      },
    },
  });
  const facade = rpc.facadeFor("tab1");
  const input = { username: " a ", password: "p", systemName: " sec-web-oa ", more: 1 };
  expect(await facade.session.login(input, meta("1"))).toEqual({ ok: true, value: null });
  expect(seen).toEqual([
    { username: "a", password: "p", systemName: "sec-web-oa" },
    { tabId: "tab1", id: "1" },
  ]);
  expect(timed).toEqual(["session.login"]);
});

test("a command in a company is refused once the session has left the company that the tab showed", async () => {
  let runs = 0;
  const { rpc, company } = setUp({
    people: {
      list: () => {
        runs += 1;
        return Promise.resolve({ records: [], total: 0, cursor: 1, limit: 10 });
      },
    },
    ...echo(({ payload }) => Promise.resolve({ at: 1, payload })),
  });
  const facade = rpc.facadeFor("tab1");
  const list = (id: string, supplierId: string | null) =>
    facade.people.list({ cursor: 1, limit: 10 }, { id, supplierId });
  company.current = "a";
  expect(await list("1", "a")).toMatchObject({ ok: true });
  company.current = "b";
  expect(await list("2", "a")).toMatchObject({
    ok: false,
    error: { code: "auth.company-changed" },
  });
  expect(await list("3", "b")).toMatchObject({ ok: true });
  expect(runs).toBe(2);
  // what belongs to no company goes on
  const other = await facade.worker.echo({ payload: "x" }, { id: "4", supplierId: "a" });
  expect(other).toMatchObject({ ok: true });
});

test("bad input names its field, a bad id is refused, and neither reaches the handler", async () => {
  let runs = 0;
  const { rpc } = setUp(
    echo(() => {
      runs += 1;
      return Promise.resolve({ at: 0, payload: "" });
    }),
  );
  const facade = rpc.facadeFor("t");
  expect(await facade.worker.echo({ payload: 7 }, meta("1"))).toMatchObject({
    ok: false,
    error: { code: "request.invalid", details: { command: "worker.echo", field: "payload" } },
  });
  expect(await facade.worker.echo({ payload: "" }, {} as never)).toMatchObject({
    ok: false,
    error: { code: "core.bad-message", details: { field: "meta.id" } },
  });
  expect(runs).toBe(0);
});

test("an id has one effect per tab while its command runs and for a minute after", async () => {
  let runs = 0;
  let finish = (): void => {};
  const { rpc, clock } = setUp(
    echo(async ({ payload }) => {
      runs += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { at: runs, payload };
    }),
  );
  const facade = rpc.facadeFor("t");
  const first = facade.worker.echo({ payload: "x" }, meta("1"));
  const again = facade.worker.echo({ payload: "x" }, meta("1"));
  finish();
  const answer = await first;
  expect(answer).toEqual({ ok: true, value: { at: 1, payload: "x" } });
  expect(await again).toBe(answer);
  clock.advance(60_000);
  expect(await facade.worker.echo({ payload: "x" }, meta("1"))).toBe(answer);
  expect(runs).toBe(1);
  const other = rpc.facadeFor("u").worker.echo({ payload: "x" }, meta("1"));
  finish();
  await other;
  expect(runs).toBe(2);
  clock.advance(61_000);
  const late = facade.worker.echo({ payload: "x" }, meta("1"));
  finish();
  await late;
  expect(runs).toBe(3);
});

test("a long-running command is kept, however many others follow", async () => {
  let runs = 0;
  let finish = (): void => {};
  const { rpc, clock } = setUp({
    session: {
      loadInfo: async () => {
        runs += 1;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return null;
      },
    },
    ...echo(({ payload }) => Promise.resolve({ at: 0, payload })),
  });
  const facade = rpc.facadeFor("t");
  const slow = facade.session.loadInfo({}, meta("slow"));
  clock.advance(90_000);
  for (let i = 0; i < 2_100; i += 1) await facade.worker.echo({ payload: "" }, meta(`e${i}`));
  const retry = facade.session.loadInfo({}, meta("slow"));
  finish();
  expect(await retry).toBe(await slow);
  expect(runs).toBe(1);
});

test("errors cross with their code; a bug becomes server.internal and is reported", async () => {
  const { rpc, errors } = setUp(
    echo(({ payload }) => {
      if (payload === "app") throw new AppError("call.self");
      if (payload === "bug") throw new TypeError("x is not a function");
      return Promise.resolve({ at: "soon" } as never);
    }),
  );
  const facade = rpc.facadeFor("t");
  expect(await facade.worker.echo({ payload: "app" }, meta("1"))).toMatchObject({
    error: { code: "call.self", message: "不能和自己音视频通话" },
  });
  expect(await facade.worker.echo({ payload: "bug" }, meta("2"))).toMatchObject({
    error: { code: "server.internal" },
  });
  expect(await facade.worker.echo({ payload: "" }, meta("3"))).toMatchObject({
    error: { code: "server.internal" },
  });
  expect(errors).toEqual(["x is not a function", 'worker.echo answered wrongly at "at"']);
});

test("a handler that never answers ends at the command's deadline; a missing module answers core.gone", async () => {
  const { rpc, clock } = setUp(echo(() => new Promise(() => {})));
  const facade = rpc.facadeFor("t");
  const answer = facade.worker.echo({ payload: "" }, meta("1"));
  await settle();
  clock.advance(15_000);
  expect(await answer).toMatchObject({ ok: false, error: { code: "core.deadline" } });
  expect(await facade.call.hangup({}, meta("2"))).toMatchObject({
    ok: false,
    error: { code: "core.gone" },
  });
  expect(clock.pending).toBe(0);
});

test("through Comlink the facade works and cannot be changed by a tab", async () => {
  const { rpc } = setUp(echo(({ payload }) => Promise.resolve({ at: 1, payload })));
  const facade = rpc.facadeFor("t");
  expect(Object.isFrozen(facade) && Object.isFrozen(facade.worker)).toBe(true);
  const channel = new MessageChannel();
  ports.push(channel.port1, channel.port2);
  expose(facade, channel.port1);
  const remote = wrap<CoreFacade>(channel.port2) as Remote<CoreFacade> & Record<string, never>;
  const worker = remote.worker as unknown as CoreFacade["worker"] & { echo: unknown };
  expect(await worker.echo({ payload: "hi" }, meta("1"))).toEqual({
    ok: true,
    value: { at: 1, payload: "hi" },
  });
  // what Comlink does for a tab that sets a property
  expect(() => Object.assign(facade.worker, { echo: 7 })).toThrow(TypeError);
  expect(() => Object.assign(facade, { worker: 7 })).toThrow(TypeError);
  expect(await worker.echo({ payload: "still" }, meta("3"))).toMatchObject({ ok: true });
});
