/** A typed event emitter. A handler that throws does not stop the others. */
type Handler = (...given: never[]) => void;

export interface Emitter<E> {
  /** @returns a function that removes the handler */
  on<N extends keyof E>(name: N, handler: E[N]): () => void;
  emit<N extends keyof E>(name: N, ...given: E[N] extends Handler ? Parameters<E[N]> : never): void;
  clear(): void;
}

export function createEmitter<E>(warn: (message: string) => void): Emitter<E> {
  const handlers = new Map<keyof E, Set<E[keyof E]>>();
  return {
    on(name, handler) {
      const set = handlers.get(name) ?? new Set();
      handlers.set(name, set);
      set.add(handler);
      return () => set.delete(handler);
    },
    emit(name, ...given) {
      // Iterate over a copy, because a handler may add or remove handlers.
      for (const handler of Array.from(handlers.get(name) ?? [])) {
        try {
          // `given` are the arguments of this very event.
          (handler as unknown as (...all: unknown[]) => void)(...given);
        } catch (error) {
          warn(`${String(name)}: ${String(error)}`);
        }
      }
    },
    clear: () => handlers.clear(),
  };
}
