/** For tests of the queues of uploads and downloads: the core's state, a person who comes and goes, and work whose end the test plays. */
import { AppError } from "../../../shared/errors.ts";
import { initialSlices } from "../../../shared/protocol/initial-state.ts";
import type { SessionUser } from "../contracts.ts";
import { createFakeEnv, type FakeEnv, settle } from "../core.fake.ts";
import { createStore } from "../store/index.ts";

export const ZHANG: SessionUser = {
  accountId: "a1",
  username: "zhangwei",
  name: "张伟",
  supplierId: "s1",
};

export function createQueueWorld(env: FakeEnv = createFakeEnv()) {
  const slices = initialSlices({ coreId: "core", build: "b", now: env.clock.now() });
  slices.session.supplierId = "s1";
  const store = createStore({ clock: env.clock, epoch: "core", newId: env.newId, slices });
  const listeners = new Set<(user: SessionUser | null) => void>();
  let user: SessionUser | null = ZHANG;
  return {
    env,
    slices,
    store,
    session: {
      user: () => user,
      onUser(handler: (user: SessionUser | null) => void) {
        listeners.add(handler);
        return () => listeners.delete(handler);
      },
    },
    context: { tabId: "t1", id: "c" },
    /** State of each upload or download. */
    states: (kind: "uploads" | "downloads") =>
      Object.fromEntries(
        Object.entries(slices[kind].byKey).map(([key, { state }]) => [key, state]),
      ),
    /** The person of the session from now on. @param left why there is none */
    async become(next: SessionUser | null, left: "logout" | "expired" | null = null) {
      user = next;
      slices.session.left = left;
      for (const handler of listeners) handler(next);
      await settle();
    },
    listeners: () => listeners.size,
  };
}

export interface Ending<T> {
  succeed(value: T): Promise<void>;
  fail(error: AppError): Promise<void>;
}

/** Work that ends as the test says. @param signal cancels it */
export const playedWork = <T>(
  signal: AbortSignal,
  begun: (ending: Ending<T>) => void,
): Promise<T> =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new AppError("request.cancelled")));
    begun({
      async succeed(value) {
        resolve(value);
        await settle();
      },
      async fail(error) {
        reject(error);
        await settle();
      },
    });
  });
