/** Settings of the library, and the records of quality that its core sends (docs/conferences.md#settings). */
import { expect } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import type { ConferenceClientSignal } from "../../shared/protocol/confr-signalling.ts";
import type { CoreFacade } from "../../shared/protocol/core-rpc.ts";
import {
  libraryConfigSchema,
  type LibrarySettings,
  libraryConfigOf,
  libraryCoreName,
} from "../../shared/protocol/library.ts";
import { PORT_PROTOCOL, tabLock } from "../../shared/protocol/tab-port.ts";
import { CONFERENCE_CONFIG } from "./conferences/config.ts";
import { PaperServer, TICKET } from "./conferences/conferences.harness.ts";
import { createFakeEnv, settle } from "./core.fake.ts";
import { createLibraryCore } from "./library.ts";
import type { PortLike } from "./store/index.ts";

const port = (): PortLike => ({
  onmessage: null,
  close: () => undefined,
  postMessage: () => undefined,
});
const CONFIG = { build: "b", origin: "", provider: "easemob", appkey: "org#app" };

/** A page of the library that enters a conference. */
async function entering(settings: LibrarySettings = {}) {
  const env = createFakeEnv();
  const server = new PaperServer();
  let facade: CoreFacade | null = null;
  const core = createLibraryCore({
    env,
    settings,
    expose: (made) => void (facade = made as CoreFacade),
    transport: async ({ path }) =>
      path.endsWith("/req/ticket")
        ? {
            error: 0,
            confrId: "c1",
            type: 10,
            ticket: { ...TICKET, qoeUpUrl: "/quality?ticket=t&rest=" },
            rtcCfg: { iceServers: [] },
          }
        : { error: 0 },
  });
  await env.locks.acquire(tabLock("t1"));
  const hello = port();
  core.connect(hello);
  await settle();
  hello.onmessage?.({
    data: {
      t: "hello",
      protocol: PORT_PROTOCOL,
      build: env.build,
      tabId: "t1",
      visible: true,
      focusedAt: 0,
      path: "/",
      claim: null,
    },
    ports: [port(), port(), port()],
  } as unknown as MessageEvent);
  await settle();
  let ids = 0;
  const call = (namespace: string, method: string, input: unknown) =>
    (
      facade as unknown as Record<
        string,
        Record<string, (input: unknown, meta: { id: string }) => Promise<unknown>>
      >
    )[namespace]?.[method]?.(input, { id: `id${(ids += 1)}` });
  await call("library", "identify", { memName: "me", token: "token" });
  const entered = call("conference", "create", { name: "n", publish: false });
  await settle(60);
  /** Answers what the sockets of signalling have sent. */
  const answer = async (): Promise<void> => {
    const socket = env.sockets.find(({ url }) => url.includes("/conference"));
    if (socket?.readyState === 0) socket.accept();
    await settle(60);
    for (const frame of socket?.sent.splice(0) ?? []) {
      server.handle(socket!, frame as ConferenceClientSignal);
    }
    await settle(60);
  };
  const urls = (): string[] => env.sockets.map(({ url }) => new URL(url).pathname);
  return { env, server, core, entered, answer, urls };
}
const SETTINGS: Required<LibrarySettings> = {
  reconnect: 2,
  reconnectDelay: 500,
  enterTimeout: 5_000,
  checkConnectIntervalMillis: 2_000,
  iceWaitBuildMillis: 4_000,
  iceRebuildCount: 1,
  iceRebuildIntervalMillis: 100,
  getCopyIntervalMillis: 7_000,
  ctrlCheckIntervalMillis: 5_000,
  ctrlTimeoutMillis: 6_000,
  ctrlBuffer: 2_000,
  ctrlWindow: 20,
  rebuildPeerConnectionWhenNetworkChanaged: false,
  statsSeconds: 10,
  uploadStats: false,
};

export const checks = rowChecks({
  "settings.names: The worker's name has them, and no others": () => {
    const config = { ...CONFIG, settings: SETTINGS };
    expect(libraryConfigOf(libraryCoreName(config))).toEqual(config);
    const own = Object.keys(SETTINGS).filter((name) => !/stats/i.test(name));
    expect(Object.keys(CONFERENCE_CONFIG)).toEqual(expect.arrayContaining(own));
    for (const settings of [{ ctrlBuffer: 9 }, { ctrlWindow: 0 }, { ctrlWindow: 1_001 }])
      expect(libraryConfigSchema.safeParse({ ...CONFIG, settings }).success).toBe(false);
    for (const settings of [{ reconnect: 0 }, { enterTimeout: 1 }, { statsSeconds: 0.5 }, { x: 1 }])
      expect(libraryConfigSchema.safeParse({ ...CONFIG, settings }).success).toBe(false);
  },

  "settings.enter: Entering fails after the page's enterTimeout": async () => {
    const { env, core, entered } = await entering({ enterTimeout: 5_000 });
    for (let ms = 0; ms < 5_100; ms += 100) {
      env.clock.advance(100);
      await settle();
    }
    expect(await entered).toMatchObject({ ok: false, error: { code: "conference.refused" } });
    core.stop();
  },

  "settings.copy: The conference is compared as often as the page says": async () => {
    const { env, server, core, answer } = await entering({ getCopyIntervalMillis: 1_000 });
    await answer();
    env.clock.advance(1_000);
    await answer();
    expect(server.requestsOfOp(1000)).toHaveLength(1);
    core.stop();
  },

  "settings.upload: Records of quality go to the address of the ticket, unless the page says otherwise":
    async () => {
      const uploading = await entering();
      await uploading.answer();
      await settle(60);
      expect(uploading.urls()).toEqual(["/conference", "/quality"]);
      uploading.core.stop();
      const silent = await entering({ uploadStats: false });
      await silent.answer();
      await settle(60);
      expect(silent.urls()).toEqual(["/conference"]);
      silent.core.stop();
      // Nothing stays open.
      const open = uploading.env.sockets.filter(({ closedWith }) => closedWith === null);
      expect(open).toEqual([]);
    },
});
