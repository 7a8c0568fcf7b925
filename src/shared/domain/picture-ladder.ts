/**
 * The picture of a call of two gives way on a weak network, so that the sound stays, and comes back (docs/calls.md#weak-network). A table,
 * and what its events are made of: figures over a window of wall clock. Pure.
 */
import type { StreamSample } from "../protocol/qoe.ts";
import { type Guards, type MachineTable, type Step, step } from "./machine.ts";
import { PICTURE_LEVELS, type PictureLevel } from "./picture-levels.ts";

/** Loss in % of the packets of the window, bandwidth in kbit/s, times in ms. */
export const LADDER = {
  windowMillis: 8000,
  /** The window says nothing before. */
  leastMillis: 4000,
  leastPackets: 10,
  /** So long without figures, the window begins again: another tab has the media, or the owner slept. */
  gapMillis: 6000,
  poorMillis: 4000,
  goodMillis: 10_000,
  mostGoodMillis: 120_000,
  /** A network that is poor again so soon after a step up was not better: the next wait is twice as long. */
  relapseMillis: 20_000,
  full: { poorLoss: 8, poorKbps: 200 },
  small: { poorLoss: 15, poorKbps: 50, goodLoss: 5, goodKbps: 100 },
  /** Without a picture nothing measures the bandwidth. */
  off: { goodLoss: 10 },
} as const;

export type LadderEventType =
  /** The figures have been too bad for the present picture for `poorMillis`. */
  | "poor"
  /** They have been good enough for the next better one for as long as the wait is. */
  | "good"
  /** There is no picture to send: the camera is off, or the call ends. */
  | "stopped";
export interface LadderEvent {
  readonly type: LadderEventType;
}
export type LadderGuard =
  /** The last step up is `relapseMillis` ago, or there was none. */ "steady";
export type LadderEffect =
  /** The owner tab sends this picture, the other side and the person hear of it. */
  "apply" | "doubleWait" | "resetWait" | "noteRise";

export const pictureLadderTable: MachineTable<
  PictureLevel,
  LadderEventType,
  LadderGuard,
  LadderEffect
> = {
  name: "picture-ladder",
  initial: "full",
  states: PICTURE_LEVELS,
  rules: [
    {
      from: ["full"],
      on: "poor",
      when: ["steady"],
      to: "small",
      do: ["apply", "resetWait"],
      note: "160 lines, at most 80 kbit/s",
    },
    { from: ["full"], on: "poor", to: "small", do: ["apply", "doubleWait"] },
    { from: ["small"], on: "poor", when: ["steady"], to: "off", do: ["apply", "resetWait"] },
    { from: ["small"], on: "poor", to: "off", do: ["apply", "doubleWait"] },
    { from: ["off"], on: "good", to: "small", do: ["apply", "noteRise"] },
    { from: ["small"], on: "good", to: "full", do: ["apply", "noteRise"] },
    { from: ["small", "off"], on: "stopped", to: "full", do: ["apply", "resetWait"] },
  ],
};

interface LadderContext {
  /** ms since the last step up; null without one. */
  readonly sinceRise: number | null;
}
const guards: Guards<LadderGuard, LadderContext, LadderEvent> = {
  steady: ({ sinceRise }) => sinceRise === null || sinceRise >= LADDER.relapseMillis,
};
export const ladderStep = (
  level: PictureLevel,
  context: LadderContext,
  event: LadderEvent,
): Step<PictureLevel, LadderEffect> => step(pictureLadderTable, guards, level, context, event);

/** What one poll of the owner says about what is sent. */
export interface LadderPoint {
  /** ms since the epoch */
  readonly at: number;
  /** The connection. Counters of another one begin again. */
  readonly rtcId: string;
  readonly packets: number;
  readonly lost: number;
  /** The bandwidth that the browser expects, kbit/s; null where it does not say. */
  readonly kbps: number | null;
}

/** Adds up sound and picture of the connection that was sampled last. @returns null when nothing is sent */
export function pointOf(samples: readonly StreamSample[]): LadderPoint | null {
  const rtcId = samples.findLast(({ direction }) => direction === "local")?.rtcId;
  if (rtcId === undefined) return null;
  const own = samples.filter((one) => one.direction === "local" && one.rtcId === rtcId);
  const sum = (value: (one: StreamSample) => number): number =>
    own.reduce((total, one) => total + value(one), 0);
  return {
    at: Math.max(...own.map(({ at }) => at)),
    rtcId,
    packets: sum(({ packets }) => packets),
    lost: sum(({ packetsLost }) => packetsLost),
    kbps: own.find(({ availableKbps }) => availableKbps != null)?.availableKbps ?? null,
  };
}

/** @returns the window with this point: older ones fall out, and a gap or another connection begins it again */
export function intoWindow(
  window: readonly LadderPoint[],
  point: LadderPoint,
): readonly LadderPoint[] {
  const last = window.at(-1);
  if (
    last === undefined ||
    last.rtcId !== point.rtcId ||
    point.at < last.at ||
    point.at - last.at > LADDER.gapMillis ||
    point.packets < last.packets
  )
    return [point];
  return [...window.filter(({ at }) => point.at - at <= LADDER.windowMillis), point];
}

/** Loss in % and bandwidth in kbit/s over the window; null while it is too short. */
export function figuresOf(
  window: readonly LadderPoint[],
): { readonly loss: number | null; readonly kbps: number | null } | null {
  const [first] = window;
  const last = window.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < LADDER.leastMillis)
    return null;
  const packets = last.packets - first.packets;
  const lost = Math.max(0, last.lost - first.lost);
  const measured = window.map(({ kbps }) => kbps).filter((kbps) => kbps !== null);
  return {
    loss: packets < LADDER.leastPackets ? null : Math.min(100, (lost / packets) * 100),
    // One low estimate says nothing: the best of the window counts.
    kbps: measured.length === 0 ? null : Math.max(...measured),
  };
}

/** What the figures mean for a picture of this level; null: it stays. */
export function judge(
  level: PictureLevel,
  { loss, kbps }: { readonly loss: number | null; readonly kbps: number | null },
): "poor" | "good" | null {
  if (level !== "off") {
    const { poorLoss, poorKbps } = LADDER[level];
    if ((loss !== null && loss >= poorLoss) || (kbps !== null && kbps < poorKbps)) return "poor";
  }
  if (level === "full" || loss === null || loss >= LADDER[level].goodLoss) return null;
  return level === "off" || kbps === null || kbps >= LADDER.small.goodKbps ? "good" : null;
}
