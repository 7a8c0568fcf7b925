/** Measures a page's media by getStats and pixels, independently of the product's own state. */
import { expect, type Page } from "@playwright/test";

declare global {
  // Set by `watchPeers`.
  var peerConnections: RTCPeerConnection[] | undefined;
  /** A hash of the element's current picture; null when it shows nothing, or black. */
  var pictureHash: (video: HTMLVideoElement) => string | null;
}

/** Runs in the page before its scripts: collects the connections that are created, and provides `pictureHash`. */
export function watchPeers(): void {
  globalThis.pictureHash = (video) => {
    if (video.videoWidth === 0) return null;
    const canvas = document.createElement("canvas");
    canvas.width = 64;
    canvas.height = 48;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (context === null) return null;
    context.drawImage(video, 0, 0, 64, 48);
    const { data } = context.getImageData(0, 0, 64, 48);
    let hash = 0;
    let lit = 0;
    for (let i = 0; i < data.length; i += 1) {
      hash = (hash * 31 + (data[i] ?? 0)) | 0;
      if (i % 4 !== 3 && (data[i] ?? 0) > 16) lit += 1;
    }
    return lit > 100 ? String(hash) : null;
  };
  const Original = globalThis.RTCPeerConnection;
  // The console makes connections in a frame of its page too.
  const outer = globalThis.parent as Window & { readonly peerConnections?: RTCPeerConnection[] };
  const list = outer.peerConnections ?? [];
  globalThis.peerConnections = list;
  globalThis.RTCPeerConnection = class extends Original {
    constructor(config?: RTCConfiguration) {
      super(config);
      list.push(this);
    }
  };
}

export interface Inbound {
  framesDecoded: number;
  audioPackets: number;
  audioEnergy: number;
  openPeers: number;
}

/** The names of the cameras whose pictures the page's connected connections send. */
export const camerasSent = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const tracks = (globalThis.peerConnections ?? [])
      .filter(({ connectionState }) => connectionState === "connected")
      .flatMap((pc) => pc.getSenders())
      .flatMap(({ track }) => (track?.kind === "video" ? [track.label] : []));
    return [...new Set(tracks)];
  });

/** Sums over the open connections of the page. */
export function inbound(page: Page): Promise<Inbound> {
  return page.evaluate(async () => {
    const sum = { framesDecoded: 0, audioPackets: 0, audioEnergy: 0, openPeers: 0 };
    for (const pc of globalThis.peerConnections ?? []) {
      if (pc.connectionState === "closed") continue;
      sum.openPeers += 1;
      const report = await pc.getStats();
      report.forEach((entry: Record<string, unknown>) => {
        if (entry["type"] !== "inbound-rtp") return;
        if (entry["kind"] === "video") sum.framesDecoded += Number(entry["framesDecoded"] ?? 0);
        if (entry["kind"] === "audio") {
          sum.audioPackets += Number(entry["packetsReceived"] ?? 0);
          sum.audioEnergy += Number(entry["totalAudioEnergy"] ?? 0);
        }
      });
    }
    return sum;
  });
}

/**
 * Waits until that much more has arrived than at the lowest reading. The lowest, because a connection that replaces another counts
 * from zero, so that the first reading may be higher than the next.
 */
export async function expectArriving(
  page: Page,
  more: { readonly frames: number; readonly audioPackets: number },
  timeout?: number,
): Promise<void> {
  const lowest = { frames: Infinity, audioPackets: Infinity };
  await expect
    .poll(
      async () => {
        const { framesDecoded, audioPackets } = await inbound(page);
        lowest.frames = Math.min(lowest.frames, framesDecoded);
        lowest.audioPackets = Math.min(lowest.audioPackets, audioPackets);
        return {
          frames: framesDecoded >= lowest.frames + more.frames,
          audioPackets: audioPackets >= lowest.audioPackets + more.audioPackets,
        };
      },
      { message: "frames and sound", ...(timeout === undefined ? {} : { timeout }) },
    )
    .toEqual({ frames: true, audioPackets: true });
}

/** A hash of the current picture of the largest remote video element; null when none shows anything. */
export function remotePixels(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const videos = [...document.querySelectorAll("video")].filter(
      (v) => v.videoWidth > 0 && v.dataset["which"] !== "local",
    );
    const video = videos.sort((a, b) => b.clientWidth - a.clientWidth)[0];
    return video === undefined ? null : globalThis.pictureHash(video);
  });
}
