/** Detects when a remote track's first frame is decoded or its first packet arrives. */
import type { Kind } from "../engines/engine.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";

/** ms between readings of the statistics: often at first, seldom later (the other camera may stay off for an hour). */
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
 * Calls `found` once. Reads the statistics, which works in hidden tabs, where nothing is painted. For video it also waits for
 * a painted frame of a detached element. The first of the two counts.
 *
 * @param found receives ms since the epoch
 * @returns an idempotent function that stops watching
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
    probe.play().catch(() => undefined); // if it is refused, the statistics still detect the frame
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
      // The report is a map, of which the types know only forEach.
      if (hasMedia((await receiver.getStats()) as unknown as Iterable<[string, unknown]>, kind))
        hit();
    } catch {
      // A closed connection has no statistics. Closing it also stops this watcher.
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
  // "unmute" means that packets have arrived: do not wait for the timer, which a hidden tab runs once per second.
  undo.push(tally.listen(receiver.track, "unmute", () => void look()));
  return stop;
}
