/** Reads a list of the storage once. Until that has worked, nothing may be written over the list. */
import type { Kv } from "./contracts.ts";

/**
 * @param join receives what is stored; undefined: nothing
 * @returns reads unless that has worked already, and resolves with whether the list is known
 */
export function createReadOnce(
  kv: Pick<Kv, "get">,
  key: string,
  join: (stored: unknown) => void,
): () => Promise<boolean> {
  let known = false;
  let running: Promise<boolean> | null = null;
  const read = async (): Promise<boolean> => {
    try {
      const stored = await kv.get<unknown>(key);
      known = true;
      join(stored);
    } catch {
      running = null;
    }
    return known;
  };
  return () => (running ??= read());
}
