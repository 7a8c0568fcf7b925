/** Finds the moment a remote track's first frame is decoded, or its first packet is there. */
import type { Kind } from "../engines/engine.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";

/** ms between looks at the statistics: often while it is expected, seldom later (the other camera may stay off for an hour). */
const pace = (waited: number): number => (waited < 5_000 ? 50 : waited < 30_000 ? 250 : 1_000);

interface InboundLike {
  readonly type: string;
  readonly kind?: string;
  readonly framesDecoded?: number;
  readonly packetsReceived?: number;
}

/** Whether a receiver's report shows media: a decoded frame, or an audio packet. */
export function hasMedia(report: Iterable<[string, unknown]>, kind: Kind): boolean {
  for (const [, value] of report) {
    const stat = value as InboundLike;
    if (stat.type !== "inbound-rtp" || stat.kind !== kind) continue;
    if ((kind === "video" ? stat.framesDecoded : stat.packetsReceived) ?? 0) return true;
  }
  return false;
}

/**
 * Calls `found` once. Looks at the statistics (works in hidden tabs, where nothing is painted) and, for video, also waits for
 * a painted frame of a detached element; whichever is first.
 *
 * @returns stops looking; idempotent
 */
export function watchFirstMedia(
  deps: Pick<MediaDeps, "clock" | "createProbeElement" | "createStream"> & { tally: Tally },
  receiver: RTCRtpReceiver,
  kind: Kind,
  found: (at: number) => void,
): () => void {
  const { clock, tally } = deps;
  const startedAt = clock.now();
  const undo: (() => void)[] = [];
  let done = false;
  const stop = (): void => {
    done = true;
    for (const run of undo.splice(0)) run();
  };
  const hit = (): void => {
    if (done) return;
    stop();
    found(clock.now());
  };

  const probe = kind === "video" ? deps.createProbeElement() : null;
  if (probe !== null) {
    const close = tally.open("elements");
    probe.srcObject = deps.createStream([receiver.track]);
    const handle = probe.requestVideoFrameCallback(hit);
    probe.play().catch(() => undefined); // a refusal only leaves the statistics to find it
    undo.push(() => {
      probe.cancelVideoFrameCallback(handle);
      probe.srcObject = null;
      close();
    });
  }

  let looking = false;
  const look = async (): Promise<void> => {
    if (done || looking) return;
    looking = true;
    try {
      if (hasMedia((await receiver.getStats()) as unknown as Iterable<[string, unknown]>, kind))
        hit();
    } catch {
      // a closed connection has no statistics; whoever closed it stops this too
    } finally {
      looking = false;
    }
  };
  const closeTimer = tally.open("timers");
  let timer = clock.after(0, function tick() {
    void look().then(() => {
      if (!done) timer = clock.after(pace(clock.now() - startedAt), tick);
    });
  });
  undo.push(() => {
    timer.cancel();
    closeTimer();
  });
  // the first packets have come: do not wait for a timer that a hidden tab runs once a second
  undo.push(tally.listen(receiver.track, "unmute", () => void look()));
  return stop;
}
