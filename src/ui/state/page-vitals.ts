/**
 * Reports once a minute how much memory the page has and what blocked it, where the browser says it
 * (docs/server.md#reports-of-cores).
 */
import type { CoreClient } from "../../core-client/contracts.ts";

const EVERY_MS = 60_000;
/** Pieces of work that one report names; of more, the longest. */
const TASKS_MAX = 200;

interface MemoryOfPage {
  /** Chromium, for pages that are isolated. */
  measureUserAgentSpecificMemory?(): Promise<{ readonly bytes: number }>;
  /** Chromium. */
  readonly memory?: { readonly usedJSHeapSize: number };
}

/** @returns bytes; null: the browser does not say it */
async function memoryOf(page: MemoryOfPage): Promise<number | null> {
  try {
    if (globalThis.crossOriginIsolated && page.measureUserAgentSpecificMemory !== undefined) {
      return (await page.measureUserAgentSpecificMemory()).bytes;
    }
  } catch {
    // It refuses while the page is not shown.
  }
  return page.memory?.usedJSHeapSize ?? null;
}

/** @returns a function that ends the reports */
export function reportVitals(
  core: Pick<CoreClient, "commands">,
  page: MemoryOfPage = performance as MemoryOfPage,
): () => void {
  let longTasks: number[] = [];
  const kinds = typeof PerformanceObserver === "undefined" ? [] : supportedKinds();
  const observer = kinds.includes("longtask")
    ? new PerformanceObserver((list) => {
        longTasks.push(...list.getEntries().map(({ duration }) => duration));
        if (longTasks.length > TASKS_MAX) {
          longTasks = longTasks.toSorted((a, b) => b - a).slice(0, TASKS_MAX);
        }
      })
    : null;
  observer?.observe({ type: "longtask", buffered: true });

  const report = async (): Promise<void> => {
    const memory = await memoryOf(page);
    const tasks = longTasks;
    longTasks = [];
    if (memory === null && tasks.length === 0) return;
    await core.commands.worker.pageVitals({ memory, longTasks: tasks });
  };
  // What is not reported is only missing in the figures.
  const timer = setInterval(() => void report().catch(() => undefined), EVERY_MS);
  return () => {
    clearInterval(timer);
    observer?.disconnect();
  };
}

const supportedKinds = (): readonly string[] => PerformanceObserver.supportedEntryTypes ?? [];
