/** How far a page moves what is on the screen without a gesture of the person: the browser's own layout shifts. Chromium alone tells. */
import type { Page } from "@playwright/test";

interface Shift {
  readonly value: number;
  /** What moved, from where to where. */
  readonly moved: readonly string[];
}
declare global {
  // Set by `watchShifts`.
  var layoutShifts: Shift[];
}

/** Begins to record the shifts of pages that are opened from now on in the page's tab. */
export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    interface LayoutShift extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly {
        readonly node: Node | null;
        readonly previousRect: DOMRect;
        readonly currentRect: DOMRect;
      }[];
    }
    globalThis.layoutShifts = [];
    const box = ({ x, y, width, height }: DOMRect): string => `${x},${y} ${width}x${height}`;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        // What moves within half a second of a gesture is its answer.
        if (entry.hadRecentInput) continue;
        globalThis.layoutShifts.push({
          value: entry.value,
          moved: entry.sources.map(({ node, previousRect, currentRect }) => {
            const element = node instanceof Element ? node : node?.parentElement;
            const name = `${element?.tagName ?? ""}.${element?.getAttribute("class") ?? ""}`;
            return `${name}: ${box(previousRect)} to ${box(currentRect)}`;
          }),
        });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** @returns the sum of the shifts since the last call, and what moved */
export const takeShifts = (page: Page): Promise<{ sum: number; moved: string[] }> =>
  page.evaluate(() => {
    const taken = globalThis.layoutShifts.splice(0);
    return {
      sum: taken.reduce((all, { value }) => all + value, 0),
      moved: taken.flatMap(({ value, moved }) => moved.map((one) => `${value.toFixed(4)} ${one}`)),
    };
  });
