/**
 * Notices within a few hundred ms that nothing arrives any more on connections that had traffic (docs/conferences.md#silence). A
 * browser's ICE needs 5 s and longer to notice a changed address. Only one connection is looked at while all is well, because a look
 * costs a collection of statistics.
 */
import type { MediaClock, MediaTimer } from "../clock.ts";

/** ms between two looks. */
export const LOOK_MS = 60;
/**
 * A look that took long is followed by a pause of so many times its length. On a machine that is too busy, looks would otherwise take the
 * time from sound and pictures.
 */
const REST = 8;
/** ms without a packet from which a connection counts as silent. On an uneven path it is twice the longest of the last gaps. */
export const SILENT_MS = 250;
/** Gaps that are remembered. A connection with fewer is not judged. */
const GAPS = 8;

/** Bytes and answers to connectivity checks of a connection, counted since it was made. */
export interface Traffic {
  readonly received: number;
  readonly sent: number;
}
export interface Watched {
  readonly rtcId: string;
  /** It sends media, so the other side keeps reporting what it received. */
  readonly publishes: boolean;
  /** @returns null when the browser does not report it */
  traffic(): Promise<Traffic | null>;
}
export interface Silence {
  start(): void;
  /** Call when ICE restarts. Emits `heard` at the next packet, because the browser reports no state change if ICE never failed. */
  restarting(rtcId: string): void;
  forget(rtcId: string): void;
  close(): void;
}

interface Known {
  received: number;
  sent: number;
  /** When something last arrived. */
  at: number;
  /** ms between the last arrivals. */
  gaps: number[];
  silent: boolean;
}

/** Adds up the candidate pairs: an ICE restart replaces the selected one. */
export function trafficOf(report: { values(): Iterable<unknown> }): Traffic | null {
  let received: number | null = null;
  let sent = 0;
  for (const stat of report.values() as Iterable<Readonly<Record<string, unknown>>>) {
    if (stat["type"] !== "candidate-pair" || typeof stat["bytesReceived"] !== "number") continue;
    received = (received ?? 0) + stat["bytesReceived"] + Number(stat["responsesReceived"] ?? 0);
    sent += Number(stat["bytesSent"] ?? 0);
  }
  return received === null ? null : { received, sent };
}

/** @param connected the connections whose ICE is connected */
export function createSilence(
  clock: MediaClock,
  connected: () => readonly Watched[],
  report: (event: "silent" | "heard", rtcId: string) => void,
): Silence {
  const known = new Map<string, Known>();
  const awaited = new Set<string>();
  let timer: MediaTimer | null = null;
  let closed = false;
  let pause = LOOK_MS;
  /** When the next look is due, and when the last one began. */
  let due = 0;
  let began = 0;

  function judge(rtcId: string, { received, sent }: Traffic, publishes: boolean): void {
    const now = clock.now();
    const one = known.get(rtcId);
    if (one === undefined) {
      known.set(rtcId, { received, sent, at: now, gaps: [], silent: false });
      return;
    }
    // A restart may drop the counts of pairs that are gone.
    if (received !== one.received) {
      const arrived = received > one.received;
      // The gap of a silence says nothing about the path.
      if (arrived && !one.silent) one.gaps = [...one.gaps, now - one.at].slice(-GAPS);
      Object.assign(one, { received, sent, at: now });
      if (!arrived) return;
      one.silent = false;
      if (awaited.delete(rtcId)) report("heard", rtcId);
      return;
    }
    const limit = Math.max(SILENT_MS, 2 * Math.max(...one.gaps, pause));
    if (one.silent || one.gaps.length < GAPS || began - one.at <= limit) return;
    // A publisher that sends nothing gets no receiver reports.
    if (publishes && sent === one.sent) return;
    one.silent = true;
    awaited.add(rtcId);
    report("silent", rtcId);
  }
  async function look(): Promise<void> {
    const all = connected();
    const sample = all.find(({ publishes }) => publishes) ?? all[0];
    // Another connection was looked at before: what is known of this one is old.
    for (const rtcId of known.keys()) {
      if (rtcId !== sample?.rtcId && !awaited.has(rtcId)) known.delete(rtcId);
    }
    const chosen = all.filter((one) => one === sample || awaited.has(one.rtcId));
    await Promise.all(
      chosen.map(async (one) => {
        const traffic = await one.traffic();
        if (traffic !== null && !closed) judge(one.rtcId, traffic, one.publishes);
      }),
    );
  }
  const wait = (): void => {
    due = clock.now() + pause;
    timer = clock.after(pause, tick);
  };
  const tick = (): void => {
    began = clock.now();
    const late = began - due;
    // Packets may be waiting in a machine that is busy: the time for which it was is no silence of the network.
    if (late > LOOK_MS) for (const one of known.values()) one.at += late;
    look()
      // The connection was closed meanwhile.
      .catch(() => undefined)
      .finally(() => {
        if (closed) return;
        pause = Math.max(LOOK_MS, REST * (clock.now() - began));
        wait();
      });
  };

  return {
    start() {
      if (!closed && timer === null) wait();
    },
    restarting: (rtcId) => void awaited.add(rtcId),
    forget(rtcId) {
      known.delete(rtcId);
      awaited.delete(rtcId);
    },
    close() {
      closed = true;
      timer?.cancel();
    },
  };
}
