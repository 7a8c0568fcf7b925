/**
 * React's lazy() for code that is loaded before it is needed (docs/shell.md#code-loaded-ahead). lazy() alone waits for its promise also when
 * the code is there, so that the fallback shows, and React keeps a fallback for 300 ms.
 */
import { lazy, type ComponentType, type LazyExoticComponent } from "react";

export type LazyAhead<P> = LazyExoticComponent<ComponentType<P>> & {
  /** Loads the code. Afterwards the first render shows the component at once. Rejects as `load` does. */
  loadAhead(): Promise<void>;
};

/** @param load gives the component; called again after it failed */
export function lazyAhead<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyAhead<P> {
  let loaded: { default: ComponentType<P> } | null = null;
  // lazy() accepts any object with `then`. This one answers inside the call of `then`, so React does not wait.
  // oxlint-disable-next-line unicorn/no-thenable -- the rule guards against `await` of such an object; only lazy() uses this one
  const kept = { then: (done: (value: unknown) => void) => done(loaded) };
  const component = lazy(() => (loaded === null ? load() : (kept as ReturnType<typeof load>)));
  return Object.assign(component, {
    async loadAhead() {
      loaded = await load();
    },
  });
}
