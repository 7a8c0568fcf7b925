/** The bus between server processes, for a single process: an emitter. Handlers run after the publisher's current turn. */
import type { Logger } from "pino";
import type { Bus } from "../module.ts";

/**
 * The topic that says: messages between the processes may have been lost, and now they arrive again. A module that keeps what a
 * message would have ended or changed looks at the database then. Never published at the first connect.
 */
export const AGAIN = "bus.again";

export function createLocalBus(log: Logger): Bus {
  const handlers = new Map<string, Set<(message: unknown) => void>>();
  return {
    async publish(topic, message) {
      // As over a network: subscribers share no objects, and their errors do not reach the publisher.
      const copy: unknown = structuredClone(message);
      await Promise.resolve();
      for (const handler of Array.from(handlers.get(topic) ?? [])) {
        try {
          handler(copy);
        } catch (error) {
          log.error({ err: error, topic }, "a subscriber of the bus failed");
        }
      }
    },
    subscribe(topic, handler) {
      const set = handlers.get(topic) ?? new Set();
      handlers.set(topic, set);
      set.add(handler);
      return () => void set.delete(handler);
    },
    close() {
      handlers.clear();
      return Promise.resolve();
    },
  };
}
