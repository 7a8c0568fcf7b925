/**
 * Runs with each test file in Node. Files share processes, so what a file stubs is restored at its end, and a global that a file
 * leaves behind fails it.
 */
import { afterAll, vi } from "vitest";

/** Globals that code under test may replace. */
const WATCHED = [
  "Date",
  "WebSocket",
  "BroadcastChannel",
  "addEventListener",
  "caches",
  "crypto",
  "document",
  "fetch",
  "indexedDB",
  "localStorage",
  "location",
  "navigator",
  "performance",
  "self",
  "sessionStorage",
  "setInterval",
  "setTimeout",
  "window",
] as const;

const valueOf = (name: string): unknown => Object.getOwnPropertyDescriptor(globalThis, name)?.value;
const before = new Map(WATCHED.map((name) => [name, valueOf(name)]));

afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  const left = WATCHED.filter((name) => before.get(name) !== valueOf(name));
  if (left.length > 0) throw new Error(`globals are left changed: ${left.join(", ")}`);
});
