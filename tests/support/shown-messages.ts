/** Keeps the short messages that a page has shown: a failed test looks at its pages when they are long gone. */
import type { Page } from "@playwright/test";

interface ShownMessage {
  /** Time of day. */
  readonly at: string;
  readonly text: string;
}
type Keeping = typeof globalThis & { shownMessages?: ShownMessage[] };

/** Runs in each page before its scripts. */
export function keepMessages(): void {
  const kept: ShownMessage[] = [];
  (globalThis as Keeping).shownMessages = kept;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement) || !node.matches(".arco-message, .arco-notification")) {
          continue;
        }
        kept.push({ at: new Date().toISOString().slice(11, 23), text: node.textContent ?? "" });
      }
    }
  }).observe(document, { childList: true, subtree: true });
}

/** @returns a line per message, the oldest first */
export const keptMessages = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    ((globalThis as Keeping).shownMessages ?? []).map(({ at, text }) => `${at} ${text}`),
  );
