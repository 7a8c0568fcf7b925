/** Commands to a core that has just started: they wait for what it reads from storage and for its modules. */
import { expect, test } from "vitest";
import type { CoreFacade } from "../../shared/protocol/core-rpc.ts";
import { emptySession } from "../../shared/protocol/initial-state.ts";
import { contactsCall } from "../../shared/protocol/rest/index.ts";
import { PORT_PROTOCOL, SOCKETS_LOCK } from "../../shared/protocol/tab-port.ts";
import { createCore } from "./core.ts";
import type { WireRequest } from "./http/transport.ts";
import type { HelloPort } from "./tabs/index.ts";
import { createFakeEnv, settle, type FakeEnv } from "./core.fake.ts";

const port = (): HelloPort => ({ onmessage: null, close: () => {}, postMessage: () => {} });

async function storedLogin(env: FakeEnv): Promise<void> {
  await env.kv.set("session.tokens", {
    systemName: "sec-web-oa",
    grant: {
      access_token: "access",
      refresh_token: "refresh",
      iat: Math.floor(env.clock.now() / 1000),
      expires_in: 3_600,
    },
  });
  const info = emptySession("authenticated");
  await env.kv.set("session.info", {
    ...info,
    infoLoaded: true,
    accountId: "a1",
    username: "zhangwei",
    supplierId: "s1",
  });
}

/** A core whose storage answers when `read` is called, with one tab. */
function start(env: FakeEnv) {
  let read = (): void => {};
  const mayRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  const asked: WireRequest[] = [];
  let facade = null as unknown as CoreFacade;
  const core = createCore({
    env: {
      ...env,
      kv: { ...env.kv, get: async (key) => (await mayRead, env.kv.get(key)) },
    },
    channel: { postMessage: () => {}, onmessage: null, close: () => {} },
    expose: (exposed) => {
      facade = exposed as CoreFacade;
    },
    transport: (request) => {
      asked.push(request);
      if (request.id !== contactsCall.id) return new Promise(() => {});
      return Promise.resolve({
        code: 0,
        msg: "",
        data: { records: [], total: 0, cursor: 1, limit: 20 },
      });
    },
    createModules: ({ session }) => ({
      readGroupFile: () => Promise.reject(new Error("no chat")),
      handlers: {
        chat: {
          send: () => Promise.resolve({ id: session.user()?.username ?? "nobody" }),
        },
      } as never,
      met: () => {},
      changed: () => {},
      stop: () => Promise.resolve(),
    }),
  });
  const hello = port();
  core.connect(hello);
  hello.onmessage?.({
    data: {
      t: "hello",
      protocol: PORT_PROTOCOL,
      build: env.build,
      tabId: "a",
      visible: true,
      focusedAt: 0,
      path: "/",
      claim: null,
    },
    ports: [port(), port(), port()],
  } as unknown as MessageEvent);
  return { facade, asked, read };
}

test("a message that is sent before the storage is read and the sockets are free waits for both", async () => {
  const env = createFakeEnv();
  await storedLogin(env);
  const former = await env.locks.acquire(SOCKETS_LOCK);
  const { facade, read } = start(env);
  let answer: unknown = "none yet";
  void facade.chat.send({ chatId: "lina", text: "hello" }, { id: "1" }).then((value) => {
    answer = value;
  });
  await settle();
  expect(answer).toBe("none yet");
  read();
  await settle();
  expect(answer).toBe("none yet");
  former.release();
  await settle();
  expect(answer).toEqual({ ok: true, value: { id: "zhangwei" } });
});

test("a list requested before the storage is read carries token and company", async () => {
  const env = createFakeEnv();
  await storedLogin(env);
  const { facade, asked, read } = start(env);
  const list = facade.people.list({}, { id: "1" });
  await settle();
  expect(asked).toEqual([]);
  read();
  await settle(60);
  const request = asked.find(({ id }) => id === contactsCall.id);
  expect(request?.headers).toMatchObject({ Authorization: "Bearer access", "supplier-id": "s1" });
  expect(request?.query).toMatchObject({ userId: "a1" });
  expect(await list).toMatchObject({ ok: true });
});

test("without a login a command is rejected at once with auth.required", async () => {
  const { facade, read } = start(createFakeEnv());
  read();
  await settle();
  expect(await facade.people.list({}, { id: "1" })).toMatchObject({
    ok: false,
    error: { code: "auth.required" },
  });
});

test("a command whose module runs in another build's core ends at its deadline with core.gone", async () => {
  const env = createFakeEnv();
  await env.locks.acquire(SOCKETS_LOCK);
  const { facade, read } = start(env);
  read();
  const sent = facade.chat.send({ chatId: "lina", text: "hello" }, { id: "1" });
  await settle();
  env.clock.advance(15_000);
  expect(await sent).toMatchObject({ ok: false, error: { code: "core.gone" } });
});
