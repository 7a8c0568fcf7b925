/** The core's chat module against a real server, with the provider's unmodified SDK; storage in memory. */
import type { ConsoleConfig } from "../../src/shared/protocol/config.ts";
import type { DataChanged } from "../../src/shared/protocol/data-changed.ts";
import type { Notice } from "../../src/shared/protocol/state.ts";
import { type Chat, createChat, createSdkConnection } from "../../src/workers/core/chat/index.ts";
import type { Http, Kv, SessionUser } from "../../src/workers/core/contracts.ts";
import { createFakeEnv } from "../../src/workers/core/core.fake.ts";
import { createWallClock } from "../../src/workers/core/env.ts";
import { createHttp, createTransport, type Transport } from "../../src/workers/core/http/index.ts";
import { createTransferSlots } from "../../src/workers/core/transfers/slots.ts";
import { createStore, initialSlices } from "../../src/workers/core/store/index.ts";

export interface GroupCore {
  readonly chat: Chat;
  readonly http: Http;
  readonly store: ReturnType<typeof createStore>;
  readonly notices: Omit<Notice, "id">[];
  stop(): Promise<void>;
}

/** @param wire wraps each request to the backend */
export function startGroupCore(options: {
  readonly origin: string;
  readonly token: string;
  readonly user: SessionUser;
  readonly wire?: (transport: Transport) => Transport;
  /** Storage that outlives the core. Left out: in memory. */
  readonly kv?: Kv;
  /** Where the chat is. Left out: at the origin. */
  readonly easemob?: ConsoleConfig["easemob"];
  readonly onDataChanged?: (message: DataChanged) => void;
  /** The chat connection opened, again or for the first time. */
  readonly onOpen?: () => void;
}): GroupCore {
  const { origin, user } = options;
  const fake = createFakeEnv();
  const clock = createWallClock();
  const env = {
    ...fake,
    ...(options.kv === undefined ? {} : { kv: options.kv }),
    clock,
    origin,
    random: Math.random,
    newId: () => crypto.randomUUID(),
    config: {
      ...fake.config,
      easemob: options.easemob ?? {
        appKey: "hyzh#console",
        url: `${origin.replace("http", "ws")}/websocket`,
        apiUrl: origin,
        isHttpDNS: false,
        resumableUploads: false,
      },
    },
  };
  const store = createStore({
    clock,
    epoch: "e",
    newId: env.newId,
    slices: initialSlices({ coreId: user.username, build: "b", now: clock.now() }),
  });
  store.set(["session", "supplierId"], user.supplierId);
  const plain = createTransport({
    baseUrl: origin,
    clock,
    online: env.online,
    onOffset: () => undefined,
  });
  const http = createHttp({
    env,
    transport: options.wire?.(plain) ?? plain,
    authority: {
      accessToken: () => Promise.resolve(options.token),
      renewAfter401: () => Promise.resolve(false),
      accepted: () => {},
      rejected: () => {},
      supplierId: () => user.supplierId,
      menuId: () => null,
      language: () => null,
    },
  });
  const notices: Omit<Notice, "id">[] = [];
  const chat = createChat({
    env,
    store: {
      get: store.get,
      set: store.set,
      del: store.del,
      notice: (notice) => void notices.push(notice as never),
    },
    session: { user: () => user, onUser: () => () => undefined },
    http,
    tabs: { list: () => [] },
    stats: { socket: () => undefined, socketTraffic: () => undefined },
    reach: {
      suspect: () => undefined,
      answered: () => undefined,
      onBack: () => () => undefined,
      online: env.online,
    },
    slots: createTransferSlots(),
    createConnection: createSdkConnection,
    onDataChanged: options.onDataChanged ?? (() => undefined),
    onAlert: () => {},
    onOpen: options.onOpen ?? (() => undefined),
  });
  chat.start();
  return { chat, http, store, notices, stop: () => chat.stop() };
}
