/** Detects when a remote track's first frame is decoded or its first packet arrives. */
import type { Kind } from "../engine.ts";
import type { MediaDeps } from "../deps.ts";
import type { Tally } from "../tally.ts";

/** ms between two looks: often at first, seldom later (the other camera may stay off for an hour). */
const pace = (waited: number): number => (waited < 5_000 ? 50 : waited < 30_000 ? 250 : 1_000);
/**
 * ms between two readings of the statistics. A reading costs a hundred times what a look at the sources costs, and with thirty streams the
 * readings alone would occupy a machine. So only streams without a playing element use them.
 */
const readingPace = (waited: number): number => (waited < 30_000 ? 1_000 : 5_000);

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

/** Whether a packet was played or a frame was decoded; null where the browser does not say. */
const isDelivered = (receiver: RTCRtpReceiver): boolean | null =>
  receiver.getSynchronizationSources === undefined
    ? null
    : receiver.getSynchronizationSources().length > 0;

/** Nothing arrives before the connection is up. Where the browser does not say whether it is, it may be. */
const mayReceive = ({ transport }: RTCRtpReceiver): boolean =>
  transport === undefined || transport === null || transport.state === "connected";

/**
 * Calls `found` once. Looks at what was delivered, which works in hidden tabs, where nothing is painted; the statistics stand in where the
 * browser does not say it. For video it also waits for a painted frame of a detached element. The first of all counts.
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

  let reading = false;
  let readAt = -Infinity;
  /** @param now whether packets are known to have arrived */
  const look = async (now = false): Promise<void> => {
    if (done || !mayReceive(receiver)) return;
    const delivered = isDelivered(receiver);
    if (delivered === true) return hit();
    const at = clock.now();
    const pause = delivered === null ? 0 : readingPace(at - startedAt);
    if (reading || (!now && at - readAt < pause)) return;
    reading = true;
    readAt = at;
    try {
      // The report is a map, of which the types know only forEach.
      if (hasMedia((await receiver.getStats()) as unknown as Iterable<[string, unknown]>, kind))
        hit();
    } catch {
      // A closed connection has no statistics. Closing it also stops this watcher.
    } finally {
      reading = false;
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
  undo.push(tally.listen(receiver.track, "unmute", () => void look(true)));
  return stop;
}
