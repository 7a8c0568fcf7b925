/**
 * Must be the entry's first import. The chat SDK assumes Node unless `window` exists when its module is evaluated, and stores its
 * device id in localStorage, which workers do not have.
 */
const memory = new Map<string, string>();
export const localStorageStandIn = {
  getItem: (key: string): string | null => memory.get(key) ?? null,
  setItem: (key: string, value: string): void => void memory.set(key, String(value)),
  removeItem: (key: string): void => void memory.delete(key),
  clear: (): void => memory.clear(),
  key: (index: number): string | null => [...memory.keys()][index] ?? null,
  get length(): number {
    return memory.size;
  },
};

Object.assign(globalThis, { window: globalThis });
if (!("localStorage" in globalThis)) {
  Object.defineProperty(globalThis, "localStorage", { value: localStorageStandIn });
}
