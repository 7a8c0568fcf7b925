/** The longest time in which a page plays nothing of the other side, over all of its connections. */
import type { Page } from "@playwright/test";

declare global {
  // Set by `watchGap`.
  var gapWatch: { stop(): Promise<Gap> } | undefined;
}

export interface Gap {
  /** ms between two packets of sound that were played; what the browser makes up counts as silence. */
  readonly sound: number;
  /** ms between two frames of the remote picture that were shown. */
  readonly picture: number;
  /** Frames that were black. */
  readonly black: number;
  /** ms of sound that the browser made up, of all connections. */
  readonly concealed: number;
  /** ms between two looks of this measurement: the result is no finer. */
  readonly look: number;
}

/** Begins to watch. The page must be visible, or its timers are slow. */
export const watchGap = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const played = new Set<number>();
    const shown: number[] = [];
    let black = 0;
    let look = 0;
    let last = performance.now();
    const receivers = (): RTCRtpReceiver[] =>
      (globalThis.peerConnections ?? [])
        .filter(({ connectionState }) => connectionState !== "closed")
        .flatMap((pc) => pc.getReceivers())
        .filter(({ track }) => track.kind === "audio");
    const concealed = new Map<string, number>();
    const readConcealed = async (): Promise<void> => {
      for (const [at, receiver] of receivers().entries()) {
        const report = await receiver.getStats();
        report.forEach((entry: Record<string, unknown>) => {
          if (entry["type"] !== "inbound-rtp") return;
          const made = Number(entry["concealedSamples"] ?? 0);
          concealed.set(`${at} ${String(entry["ssrc"])}`, made);
        });
      }
    };
    const began = readConcealed().then(() => new Map(concealed));
    const timer = setInterval(() => {
      const now = performance.now();
      look = Math.max(look, now - last);
      last = now;
      for (const receiver of receivers()) {
        for (const source of receiver.getSynchronizationSources()) played.add(source.timestamp);
      }
    }, 4);
    const slow = setInterval(() => void readConcealed(), 50);
    const video = [...document.querySelectorAll("video")]
      .filter((each) => each.videoWidth > 0 && each.dataset["which"] !== "local")
      .sort((a, b) => b.clientWidth - a.clientWidth)[0];
    let handle = 0;
    const frame = (now: number): void => {
      if (video === undefined) return;
      shown.push(now);
      if (globalThis.pictureHash(video) === null) black += 1;
      handle = video.requestVideoFrameCallback(frame);
    };
    if (video !== undefined) handle = video.requestVideoFrameCallback(frame);
    const longest = (times: readonly number[]): number => {
      const sorted = times.toSorted((a, b) => a - b);
      return Math.max(0, ...sorted.slice(1).map((time, at) => time - (sorted[at] ?? time)));
    };
    globalThis.gapWatch = {
      async stop() {
        clearInterval(timer);
        clearInterval(slow);
        video?.cancelVideoFrameCallback(handle);
        await readConcealed();
        const before = await began;
        let samples = 0;
        for (const [id, made] of concealed) samples += made - (before.get(id) ?? 0);
        return {
          sound: longest([...played]),
          picture: longest(shown),
          black,
          concealed: samples / 48,
          look,
        };
      },
    };
  });

export const readGap = (page: Page): Promise<Gap> =>
  page.evaluate(() => {
    const { gapWatch } = globalThis;
    if (gapWatch === undefined) throw new Error("nothing is watched");
    return gapWatch.stop();
  });
