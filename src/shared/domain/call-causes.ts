/**
 * Why a call was bad, from its records alone (docs/calls.md#causes). One table: a condition that must hold for a time begins a cause, a
 * weaker one keeps it, so that a figure near the limit does not make a cause of every other sample. Pure.
 */
import type { CallTimeline, TimelineEvent, TimelineSide } from "../protocol/call-timeline.ts";
import { QUALITY_EVENT } from "../protocol/qoe.ts";
import { withoutEffects } from "./call-cause-effects.ts";
import { CAUSE_LIMITS, type CallCause, endOf, type FoundCause } from "./call-cause-kinds.ts";
import { type Moment, momentSteps } from "./call-moments.ts";
import { isDeviceCause } from "./device-states.ts";
import { doneAtOnce } from "./steps.ts";

export { CALL_CAUSES, type CallCause, type FoundCause } from "./call-cause-kinds.ts";

interface Row {
  readonly cause: CallCause;
  /** `side`: it concerns both directions, and is one cause on each side that notices it. `machine`: it is that of the side's own machine. */
  readonly of: "local" | "both" | "side" | "machine";
  readonly begins: (moment: Moment) => boolean;
  /** Left out: the same. */
  readonly stays?: (moment: Moment) => boolean;
  readonly hold: number;
}

const { hold, loss, delay, bandwidth, timers, silence, settled } = CAUSE_LIMITS;
const need = ({ picture }: Moment): number => (picture ? bandwidth.picture : bandwidth.sound);

export const CAUSE_ROWS: readonly Row[] = [
  {
    cause: "loss",
    of: "both",
    begins: (now) => now.loss !== null && now.loss >= loss.begins,
    stays: (now) => now.loss === null || now.loss >= loss.stays,
    hold,
  },
  {
    cause: "delay",
    of: "side",
    begins: (now) => now.rtt !== null && now.rtt >= delay.begins,
    stays: (now) => now.rtt === null || now.rtt >= delay.stays,
    hold,
  },
  {
    cause: "bandwidth",
    of: "local",
    begins: (now) =>
      now.available !== null && now.available < need(now) && now.age >= bandwidth.settled,
    stays: (now) => now.available === null || now.available < need(now) * bandwidth.stays,
    hold,
  },
  { cause: "cpu", of: "both", begins: (now) => now.overloaded && now.age >= hold, hold },
  {
    cause: "cpu",
    of: "machine",
    begins: (now) =>
      now.lateTimers !== null && now.lateTimers >= timers.begins && now.callAge >= timers.settled,
    stays: (now) => now.lateTimers !== null && now.lateTimers >= timers.stays,
    hold,
  },
  { cause: "camera", of: "local", begins: (now) => now.noFrames, hold: silence.camera },
  { cause: "microphone", of: "local", begins: (now) => now.noSound, hold: silence.microphone },
  { cause: "relay", of: "side", begins: (now) => now.relayed, hold },
  { cause: "outage", of: "both", begins: (now) => now.silent, hold: silence.outage },
];

/** Times in which a row's condition held. */
function spansOf(row: Row, moments: readonly Moment[]): { begin: number; end: number | null }[] {
  const spans: { begin: number; end: number | null }[] = [];
  const stays = row.stays ?? row.begins;
  let since: number | null = null;
  let away: number | null = null;
  let on = false;
  for (const moment of moments) {
    const holds = on ? stays(moment) : row.begins(moment);
    if (holds) {
      away = null;
      since ??= moment.at;
      if (on || moment.at - since < row.hold) continue;
      on = true;
      spans.push({ begin: since, end: null });
    } else if (!on) since = null;
    else {
      away ??= moment.at;
      if (moment.at - away < hold) continue;
      spans.push({ ...(spans.pop() as { begin: number }), end: away });
      [since, away, on] = [null, null, false];
    }
  }
  return spans;
}

/** Events that are causes by themselves. They end when something flows again, and after `echo` at the latest. */
const AT_ONCE: Readonly<Partial<Record<number, CallCause>>> = {
  [QUALITY_EVENT.takeover]: "takeover",
  [QUALITY_EVENT.serverRestarted]: "server",
  [QUALITY_EVENT.moved]: "address",
};

function fromEvents({ memName, events }: TimelineSide): FoundCause[] {
  const found: FoundCause[] = [];
  const open = new Map<"camera" | "microphone", number>();
  const deviceOf = ({ detail }: TimelineEvent) => {
    const [device, state] = detail.split(":");
    return device === "camera" || device === "microphone" ? ({ device, state } as const) : null;
  };
  for (const event of events) {
    const cause = AT_ONCE[event.code];
    if (cause !== undefined) {
      const end = event.at + CAUSE_LIMITS.echo;
      found.push({ cause, from: cause === "server" ? null : memName, begin: event.at, end });
    }
    const device = event.code === QUALITY_EVENT.device ? deviceOf(event) : null;
    if (device === null) continue;
    const begin = open.get(device.device);
    if (isDeviceCause(device.state)) {
      if (begin === undefined) open.set(device.device, event.at);
    } else if (begin !== undefined && device.state !== "asking") {
      found.push({ cause: device.device, from: memName, begin, end: event.at });
      open.delete(device.device);
    }
  }
  for (const [cause, begin] of open) found.push({ cause, from: memName, begin, end: null });
  return found;
}

const sendersOf = ({ streams }: TimelineSide): string[] => [
  ...new Set(streams.map(({ from }) => from)),
];

/** @param moments of what the side sends, or of what it receives of the sender */
function fromSamples(memName: string, from: string, moments: readonly Moment[]): FoundCause[] {
  const own = from === memName;
  const rows = CAUSE_ROWS.filter((row) => own || row.of !== "local");
  const spans = rows.flatMap((row) =>
    spansOf(row, moments).map((span) => ({
      cause: row.cause,
      from: row.of === "side" ? null : row.of === "machine" ? memName : from,
      ...span,
    })),
  );
  const moved = own ? moments.filter((now) => now.rerouted && now.age >= settled) : [];
  return [
    ...spans,
    ...moved.map(({ at }) => ({
      cause: "address" as const,
      from: memName,
      begin: at,
      end: at + CAUSE_LIMITS.echo,
    })),
  ];
}

/** One cause where both sides, or both directions of one, notice the same, or where it was away for a moment. */
function merged(all: readonly FoundCause[]): FoundCause[] {
  const out: FoundCause[] = [];
  for (const one of all.toSorted((a, b) => a.begin - b.begin)) {
    const at = out.findLastIndex(
      (other) =>
        other.cause === one.cause &&
        other.from === one.from &&
        one.begin <= endOf(other) + CAUSE_LIMITS.echo,
    );
    const known = out[at];
    if (known === undefined) out.push(one);
    else {
      const end = Math.max(endOf(known), endOf(one));
      out[at] = { ...known, end: Number.isFinite(end) ? end : null };
    }
  }
  return out;
}

/** The causes of a call or conference, in the order in which they began. A good call has none. In steps of few milliseconds. */
export function* causeSteps({ sides }: CallTimeline): Generator<undefined, readonly FoundCause[]> {
  const found: FoundCause[] = [];
  const sent = new Map<string, readonly Moment[]>();
  for (const side of sides) {
    found.push(...fromEvents(side));
    for (const from of sendersOf(side)) {
      const moments = yield* momentSteps(side.streams.filter((one) => one.from === from));
      if (from === side.memName) sent.set(from, moments);
      found.push(...fromSamples(side.memName, from, moments));
      yield;
    }
  }
  return withoutEffects(merged(found), sent);
}

export const causesOf = (timeline: CallTimeline): readonly FoundCause[] =>
  doneAtOnce(causeSteps(timeline));
