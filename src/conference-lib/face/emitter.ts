/** Typed events: a handler that throws keeps nobody else from hearing. */
type Handler = (...given: never[]) => void;

export interface Emitter<E> {
  /** @returns takes it off again */
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
      // as they are now: one may come or go meanwhile
      for (const handler of Array.from(handlers.get(name) ?? [])) {
        try {
          (handler as unknown as (...all: unknown[]) => void)(...given);
        } catch (error) {
          warn(`${String(name)}: ${String(error)}`);
        }
      }
    },
    clear: () => handlers.clear(),
  };
}
