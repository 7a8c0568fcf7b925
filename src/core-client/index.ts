/**
 * The tab's side of the core: starts or joins it, sends commands, mirrors its state into valtio proxies and passes on its notices.
 * Other folders need only `createCoreClient`.
 */
import { proxy } from "valtio/vanilla";
import { locksBelow } from "../shared/domain/base-path.ts";
import type { Notice } from "../shared/protocol/state.ts";
import type { TabToCore } from "../shared/protocol/state.ts";
import type { Claim } from "../shared/protocol/tab-port.ts";
import { BASE_PATH } from "./base-path.ts";
import { createCommands } from "./commands.ts";
import { createConnection } from "./connection.ts";
import type { CoreClient, CoreState } from "./contracts.ts";
import { createLook, fetchBuild } from "./deployed.ts";
import { hostFeatures, sharedWorkerHost, unsupportedReason, type HostFactory } from "./host.ts";
import { createMarksWatch } from "./marks-watch.ts";
import { createMirror } from "./mirror.ts";
import { watchPresence } from "./presence.ts";
import { createWatching } from "./watching.ts";

export type { CoreClient } from "./contracts.ts";
export type { HostFactory } from "./host.ts";

export interface CoreClientOptions {
  /** Host of the media code: gets a media port with every connection and returns the claim for the hello. */
  readonly mediaHost: { connect(port: MessagePort): void; claim(): Claim | null };
  /** Path of the page shown now, without the origin. */
  readonly path: () => string;
  /** Where the core runs; default: a SharedWorker. */
  readonly host?: HostFactory;
}

/** randomUUID exists only in secure contexts, but an insecure page must still get far enough to say why it cannot work. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
const after = (ms: number, run: () => void): { cancel(): void } => {
  const handle = setTimeout(run, ms);
  return { cancel: () => clearTimeout(handle) };
};

export function createCoreClient(options: CoreClientOptions): CoreClient {
  const tabId = newId();
  const coreState = proxy<CoreState>({
    state: "connecting",
    unsupported: unsupportedReason(hostFeatures()),
    newerBuild: null,
    unreachable: false,
  });
  const look = createLook({ build: __BUILD__, coreState, read: fetchBuild });
  const handlers = new Set<(notice: Notice) => void>();
  /** Notices that came while the tab was hidden; shown when it becomes visible. */
  let unseen: Notice[] = [];
  let statePort: MessagePort | null = null;

  const notifyHandlers = (notice: Notice): void => {
    for (const handler of handlers) handler(notice);
  };
  const mirror = createMirror({
    build: __BUILD__,
    now: () => Date.now(),
    onRetired: (build) => {
      coreState.newerBuild = build;
    },
    onNotice: (notice) => {
      if (presence.current().visible && handlers.size > 0) notifyHandlers(notice);
      else unseen = [...unseen, notice].slice(-20);
    },
  });
  const showUnseen = (): void => {
    if (!presence.current().visible || handlers.size === 0) return;
    const due = unseen;
    unseen = [];
    for (const notice of due) notifyHandlers(notice);
  };
  const presence = watchPresence({
    path: options.path,
    onChange: (now) => {
      const message: TabToCore = { t: "presence", ...now };
      statePort?.postMessage(message);
      showUnseen();
    },
    onRestored: () => connection.again(),
  });
  const connection = createConnection({
    tabId,
    build: __BUILD__,
    host: options.host === undefined ? sharedWorkerHost() : options.host,
    locks: locksBelow(BASE_PATH, navigator.locks),
    coreState,
    presence: () => presence.current(),
    claim: () => options.mediaHost.claim(),
    after,
    onState: (port) => {
      statePort = port;
      mirror.use(port);
    },
    onMedia: (port) => options.mediaHost.connect(port),
    onNoCore: () => void look(),
  });

  const company = (): string | null => mirror.state.session.supplierId;
  const watching = createWatching({ connection, newId, company });

  return {
    tabId,
    connection: coreState,
    state: mirror.state,
    commands: createCommands({ connection, after, newId, company }),
    watch: watching.watch,
    watchMarks: createMarksWatch({ connection, newId, after }),
    look,
    retry: () => connection.retry(),
    onNotice(handler) {
      handlers.add(handler);
      showUnseen();
      return () => handlers.delete(handler);
    },
    dispose() {
      presence.dispose();
      watching.dispose();
      connection.dispose();
      statePort = null;
      handlers.clear();
    },
  };
}
