/** For tests of the queue of uploads: a core whose sending the test plays, and the next core on the same storage. */
import { AppError } from "../../../shared/errors.ts";
import { initialSlices } from "../../../shared/protocol/initial-state.ts";
import { tabLock } from "../../../shared/protocol/port-names.ts";
import type { SessionUser } from "../contracts.ts";
import { createFakeEnv, type FakeEnv, settle } from "../core.fake.ts";
import { createStore } from "../store/index.ts";
import { createTransferSlots } from "../transfers/slots.ts";
import { createUploads } from "./index.ts";
import type { Sending } from "./send.ts";

export const ZHANG: SessionUser = {
  accountId: "a1",
  username: "zhangwei",
  name: "张伟",
  supplierId: "s1",
};

/** One sending that runs. */
export interface Played extends Sending {
  store(fileName?: string): Promise<void>;
  fail(error: AppError): Promise<void>;
}

export function createQueue(env: FakeEnv = createFakeEnv(), slots = createTransferSlots()) {
  const slices = initialSlices({ coreId: "core", build: "b", now: env.clock.now() });
  slices.session.supplierId = "s1";
  const store = createStore({ clock: env.clock, epoch: "core", newId: env.newId, slices });
  const listeners = new Set<(user: SessionUser | null) => void>();
  const leaves = new Set<(tabId: string) => void>();
  const sendings: Played[] = [];
  const dropped: string[] = [];
  let user: SessionUser | null = ZHANG;
  const uploads = createUploads({
    env,
    store,
    session: {
      user: () => user,
      onUser(handler) {
        listeners.add(handler);
        return () => listeners.delete(handler);
      },
    },
    slots,
    tabs: {
      onLeave(handler) {
        leaves.add(handler);
        return () => leaves.delete(handler);
      },
    },
    files: {
      send: (sending) =>
        new Promise((resolve, reject) => {
          sending.signal.addEventListener("abort", () => reject(new AppError("request.cancelled")));
          sendings.push({
            ...sending,
            async store(fileName = `${sending.name}!`) {
              resolve(fileName);
              await settle();
            },
            async fail(error) {
              reject(error);
              await settle();
            },
          });
        }),
      drop: async (address, supplierId) => void dropped.push(`${supplierId} ${address}`),
    },
  });
  return {
    env,
    uploads,
    sendings,
    dropped,
    slice: () => slices.uploads,
    states: () =>
      Object.fromEntries(
        Object.entries(slices.uploads.byKey).map(([key, { state }]) => [key, state]),
      ),
    /** The sending of a file that runs now, or ran last. */
    of: (name: string): Played => {
      const found = sendings.findLast((one) => one.name === name);
      if (found === undefined) throw new Error(`${name} was not sent`);
      return found;
    },
    async add(key: string, { tabId = "t1", survives = true, content = "abcd" } = {}) {
      const done = uploads.handlers.start(
        { key, file: new Blob([content]), name: key, survives },
        { tabId, id: key },
      );
      await settle();
      return await done;
    },
    async begin() {
      uploads.start();
      await settle();
    },
    async leave(tabId: string) {
      for (const handler of leaves) handler(tabId);
      await settle();
    },
    /** The person of the session from now on. @param left why there is none */
    async become(next: SessionUser | null, left: "logout" | "expired" | null = null) {
      user = next;
      slices.session.left = left;
      for (const handler of listeners) handler(next);
      await settle();
    },
    listeners: () => listeners.size + leaves.size,
    /** Holds the lock of a tab, as a living tab does. */
    live: (tabId: string) => env.locks.acquire(tabLock(tabId)),
    context: { tabId: "t1", id: "c" },
  };
}
