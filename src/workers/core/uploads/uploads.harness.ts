/** For tests of the queue of uploads: a core whose sending the test plays, and the next core on the same storage. */
import type { AppError } from "../../../shared/errors.ts";
import { tabLock } from "../../../shared/protocol/port-names.ts";
import { createFakeEnv, type FakeEnv, settle } from "../core.fake.ts";
import { createQueueWorld, playedWork } from "../transfers/queue.harness.ts";
import { createTransferSlots } from "../transfers/slots.ts";
import { createUploads } from "./index.ts";
import type { Sending } from "./send.ts";

/** One sending that runs. */
export interface Played extends Sending {
  store(fileName?: string): Promise<void>;
  fail(error: AppError): Promise<void>;
}

export function createQueue(env: FakeEnv = createFakeEnv(), slots = createTransferSlots()) {
  const world = createQueueWorld(env);
  const { store, session, slices, context } = world;
  const leaves = new Set<(tabId: string) => void>();
  const sendings: Played[] = [];
  const dropped: string[] = [];
  const uploads = createUploads({
    env,
    store,
    session,
    slots,
    tabs: {
      onLeave(handler) {
        leaves.add(handler);
        return () => leaves.delete(handler);
      },
    },
    files: {
      send: (sending) =>
        playedWork<string>(sending.signal, ({ succeed, fail }) =>
          sendings.push({
            ...sending,
            store: (fileName = `${sending.name}!`) => succeed(fileName),
            fail,
          }),
        ),
      drop: async (address, supplierId) => void dropped.push(`${supplierId} ${address}`),
    },
  });
  return {
    env,
    uploads,
    sendings,
    dropped,
    slice: () => slices.uploads,
    states: () => world.states("uploads"),
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
    become: world.become,
    listeners: () => world.listeners() + leaves.size,
    /** Holds the lock of a tab, as a living tab does. */
    live: (tabId: string) => env.locks.acquire(tabLock(tabId)),
    context,
  };
}
