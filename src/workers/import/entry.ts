/**
 * Entry file of the import worker, a dedicated worker of the tab in which the file was chosen. Errors are returned as values so
 * that their codes survive the way to the tab.
 */
import { expose } from "comlink";
import { createStore, delMany, get, keys, set } from "idb-keyval";
import { basePathOf, locksBelow, nameBelow } from "../../shared/domain/base-path.ts";
import { AppError } from "../../shared/errors.ts";
import { STAGING_DB, STAGING_STORE } from "../../shared/protocol/import-staging.ts";
import { createImportApi } from "./api.ts";
import { createPause } from "./pause.ts";
import { openReader } from "./read/index.ts";
import { createAheadThread } from "./read/ahead-thread.ts";

const BASE = basePathOf(location.href);
const locks = locksBelow(BASE, navigator.locks);
let store: ReturnType<typeof createStore> | null = null;
// Opened on first use: reading and checking do not need the store.
const staged = () => (store ??= createStore(nameBelow(BASE, STAGING_DB), STAGING_STORE));

// Started together with this worker. The preview does not need it, and it is ready by the time the preview is done.
const ahead = createAheadThread(
  () => new Worker(new URL("./ahead-entry.ts", import.meta.url), { type: "module" }),
);

const api = createImportApi({
  openReader: (file, name, signal) => openReader(file, name, signal, ahead),
  staging: {
    get: (key) => get(key, staged()),
    set: (key, value) => set(key, value, staged()),
    keys: () => keys<string>(staged()),
    delMany: (all) => delMany([...all], staged()),
    alone: (key, work) => locks.request(`import-staging:${key}`, work),
    ifAlone: (key, work) =>
      locks.request(`import-staging:${key}`, { ifAvailable: true }, (lock) =>
        lock === null ? undefined : work(),
      ),
  },
  now: () => performance.now() + performance.timeOrigin,
  pause: createPause(),
});

const asValue =
  (method: (...args: never[]) => Promise<unknown>) =>
  async (...args: never[]): Promise<unknown> => {
    try {
      return { ok: true, value: await method(...args) };
    } catch (error) {
      return { ok: false, error: AppError.from(error, "import.corrupt").toWire() };
    }
  };
expose(
  Object.fromEntries(
    Object.entries(api).map(([name, method]) => [
      name,
      asValue(method as (...args: never[]) => Promise<unknown>),
    ]),
  ),
);
