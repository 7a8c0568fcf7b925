/** The longest time in which a page lets nothing of other people be heard: sound counts that an element plays aloud. */
import type { Page } from "@playwright/test";

type Watching = { heardWatch?: { stop(): number } };

/** Begins to watch. The page must be visible, or its timers are slow. */
export const watchHeard = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const played = new Set<number>();
    const timer = setInterval(() => {
      const aloud = new Set(
        [...document.querySelectorAll<HTMLMediaElement>("audio, video")]
          .filter(({ muted, paused, volume }) => !muted && !paused && volume > 0)
          .flatMap(({ srcObject }) => (srcObject as MediaStream | null)?.getTracks() ?? []),
      );
      for (const pc of globalThis.peerConnections ?? []) {
        if (pc.connectionState === "closed") continue;
        for (const receiver of pc.getReceivers()) {
          if (!aloud.has(receiver.track)) continue;
          for (const { timestamp } of receiver.getSynchronizationSources()) played.add(timestamp);
        }
      }
    }, 4);
    (globalThis as Watching).heardWatch = {
      stop() {
        clearInterval(timer);
        const sorted = [...played].toSorted((a, b) => a - b);
        return Math.max(0, ...sorted.slice(1).map((time, at) => time - (sorted[at] ?? time)));
      },
    };
  });

/** @returns ms between two packets of sound that were heard */
export const readHeard = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { heardWatch } = globalThis as Watching;
    if (heardWatch === undefined) throw new Error("nothing is watched");
    return heardWatch.stop();
  });
