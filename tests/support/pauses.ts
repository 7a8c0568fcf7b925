/** When received packets and pictures of a page paused, as around a change of its network. Needs `watchPeers` in the page. */
import type { Page } from "@playwright/test";

/** ms that nothing may come. At 15 pictures and 50 packets a second, a longer pause is the change of the network. */
const PAUSE_MS = 200;

/** Runs in the page. */
function note(pause: number): void {
  const fields = { packets: "packetsReceived", pictures: "framesDecoded" };
  const ends: typeof globalThis.ends = { packets: [], pictures: [] };
  globalThis.ends = ends;
  const last = { packets: -1, pictures: -1 };
  const at = { packets: Date.now(), pictures: Date.now() };
  const look = async (): Promise<void> => {
    const open = (globalThis.peerConnections ?? []).filter((pc) => pc.connectionState !== "closed");
    const sum = { packets: 0, pictures: 0 };
    for (const report of await Promise.all(open.map((pc) => pc.getStats()))) {
      report.forEach((stat: Record<string, unknown>) => {
        if (stat["type"] !== "inbound-rtp") return;
        sum.packets += Number(stat[fields.packets] ?? 0);
        sum.pictures += Number(stat[fields.pictures] ?? 0);
      });
    }
    const now = Date.now();
    for (const what of ["packets", "pictures"] as const) {
      const arrived = sum[what] > last[what];
      // A connection that was closed takes its counts along.
      last[what] = sum[what];
      if (!arrived) continue;
      if (now - at[what] > pause) ends[what].push(now);
      at[what] = now;
    }
    setTimeout(() => void look(), 20);
  };
  void look();
}
/** Notes from now on when each pause of the packets, and of the decoded pictures, ended. */
export const notePauses = (page: Page): Promise<void> => page.evaluate(note, PAUSE_MS);

/** @param after ms since 1970 @returns when the first pause that ended after it did so */
export const firstPauseEnd = (page: Page, what: keyof typeof globalThis.ends, after: number) =>
  page
    .waitForFunction(([name, from]) => globalThis.ends[name].find((at) => at > from) ?? 0, [
      what,
      after,
    ] as const)
    .then((found) => found.jsonValue());

declare global {
  var ends: { packets: number[]; pictures: number[] };
}
