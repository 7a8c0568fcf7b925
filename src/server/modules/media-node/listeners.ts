/** Listeners to a node's events. A listener that throws does not stop the others. */
import type { Logger } from "pino";

export interface Listeners<T> {
  /** @returns a function that removes the handler */
  readonly add: (handler: (event: T) => void) => () => void;
  readonly emit: (event: T) => void;
}

export function createListeners<T>(log: Logger): Listeners<T> {
  const handlers = new Set<(event: T) => void>();
  return {
    add(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    emit(event) {
      for (const handler of handlers) {
        try {
          handler(event);
        } catch (error) {
          log.error({ err: error }, "a listener of the media node failed");
        }
      }
    },
  };
}
