/** The bus between server processes. In one process: an emitter; handlers run after the publisher's turn. */
import type { Logger } from "pino";
import type { Bus } from "../module.ts";

export function createLocalBus(log: Logger): Bus {
  const handlers = new Map<string, Set<(message: unknown) => void>>();
  return {
    async publish(topic, message) {
      // as over a wire: nobody may share objects, and nobody's error is the publisher's
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
