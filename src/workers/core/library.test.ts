import { expect, test } from "vitest";
import type { CoreFacade } from "../../shared/protocol/core-rpc.ts";
import { libraryConfigOf, libraryCoreName } from "../../shared/protocol/library.ts";
import { PORT_PROTOCOL, tabLock } from "../../shared/protocol/tab-port.ts";
import type { WireRequest } from "./http/transport.ts";
import { createLibraryCore } from "./library.ts";
import type { PortLike } from "./store/index.ts";
import { createFakeEnv, type FakeEnv, settle } from "./core.fake.ts";

const port = (): PortLike & { sent: unknown[] } => {
  const sent: unknown[] = [];
  return { sent, onmessage: null, close: () => {}, postMessage: (m) => void sent.push(m) };
};

function start(env: FakeEnv = createFakeEnv(), instance?: string) {
  const requests: WireRequest[] = [];
  const facades: CoreFacade[] = [];
  const core = createLibraryCore({
    env,
    instance,
    expose: (facade) => void facades.push(facade as CoreFacade),
    async transport(request) {
      requests.push(request);
      return { error: -500, errorMessage: "no such conference" };
    },
  });
  const open = async (tabId: string) => {
    await env.locks.acquire(tabLock(tabId));
    const hello = port();
    core.connect(hello);
    await settle();
    hello.onmessage?.({
      data: {
        t: "hello",
        protocol: PORT_PROTOCOL,
        build: env.build,
        tabId,
        visible: true,
        focusedAt: 0,
        path: "/",
        claim: null,
      },
      ports: [port(), port(), port()],
    } as unknown as MessageEvent);
    await settle();
    return hello;
  };
  let ids = 0;
  const call = (namespace: "library" | "conference" | "chat", method: string, input: unknown) => {
    const facade = facades.at(-1) as unknown as Record<
      string,
      Record<string, (input: unknown, meta: { id: string }) => Promise<unknown>>
    >;
    return facade[namespace]?.[method]?.(input, { id: `id${(ids += 1)}` });
  };
  return { core, env, requests, open, call };
}

test("a conference is requested with the name and token that the host page set last", async () => {
  const { core, requests, open, call } = start();
  await open("t1");
  expect(await call("conference", "select", { confrId: "c1" })).toMatchObject({
    ok: false,
    error: { code: "auth.required" },
  });
  for (const token of ["first", "second"]) {
    expect(await call("library", "identify", { memName: "zw", token })).toEqual({
      ok: true,
      value: null,
    });
    expect(await call("conference", "select", { confrId: "c1" })).toMatchObject({
      ok: false,
      error: { code: "conference.refused", message: "no such conference" },
    });
  }
  expect(requests.map(({ headers }) => headers["Authorization"])).toEqual([
    "Bearer first",
    "Bearer second",
  ]);
  expect(requests[0]?.body).toMatchObject({ uid: "zw", confrId: "c1" });
  core.stop();
});

test("the library's core has only the commands of conferences", async () => {
  const { core, open, call } = start();
  await open("t1");
  expect(await call("chat", "markRead", { chatId: "x" })).toMatchObject({
    ok: false,
    error: { code: "core.gone" },
  });
  core.stop();
});

test("a second core of the library waits until the first releases the lock", async () => {
  const first = start();
  await settle();
  const second = start({ ...createFakeEnv(), locks: first.env.locks });
  const waiting = await second.open("t2");
  expect(waiting.sent).toEqual([]);
  first.core.stop();
  await settle();
  const answered = await second.open("t3");
  expect(answered.sent).toMatchObject([{ t: "welcome" }]);
  second.core.stop();
});

test("cores of two instances work side by side", async () => {
  const first = start();
  await settle();
  const second = start({ ...createFakeEnv(), locks: first.env.locks }, "second");
  const answered = await second.open("t2");
  expect(answered.sent).toMatchObject([{ t: "welcome" }]);
  first.core.stop();
  second.core.stop();
});

test("the worker reads its configuration from its name, and nothing from another", () => {
  const config = { build: "b", origin: "", provider: "easemob", appkey: "org#app" };
  expect(libraryConfigOf(libraryCoreName(config))).toEqual(config);
  const second = { ...config, instance: "second" };
  expect(libraryConfigOf(libraryCoreName(second))).toEqual(second);
  expect(libraryConfigOf(JSON.stringify({ ...config, instance: "a b" }))).toBeNull();
  expect(libraryConfigOf("console-core-b")).toBeNull();
  expect(libraryConfigOf(JSON.stringify({ ...config, appkey: "org" }))).toBeNull();
});
