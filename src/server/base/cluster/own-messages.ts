/** What this process publishes on the bus, for work that one process alone must do: every process receives what any of them publishes. */
import type { Bus } from "../module.ts";

export interface OwnMessages {
  /** To publish on. */
  readonly bus: Bus;
  /** Runs the handler for each message that this process publishes on the topic. @returns a function that ends it */
  onPublished(topic: string, handler: (message: unknown) => void): () => void;
}

export function createOwnMessages(bus: Bus): OwnMessages {
  const handlers = new Map<string, Set<(message: unknown) => void>>();
  return {
    bus: {
      publish(topic, message) {
        for (const handler of handlers.get(topic) ?? []) handler(message);
        return bus.publish(topic, message);
      },
      subscribe: (topic, handler) => bus.subscribe(topic, handler),
      ...(bus.reach === undefined ? {} : { reach: () => bus.reach?.() ?? "away" }),
      close: () => bus.close(),
    },
    onPublished(topic, handler) {
      const set = handlers.get(topic) ?? new Set();
      handlers.set(topic, set);
      set.add(handler);
      return () => void set.delete(handler);
    },
  };
}
