/** Leaves out the causes that only follow from other ones (docs/calls.md#causes). Pure. */
import { CAUSE_LIMITS, type CallCause, endOf, type FoundCause } from "./call-cause-kinds.ts";
import type { Moment } from "./call-moments.ts";
import { ROUND_TRIP, type RoundTrips, roundTripsOf } from "./round-trips.ts";

const { hold, loss, delay, echo, compared } = CAUSE_LIMITS;

/** What follows of itself: of the cause on the left, those on the right are only the effect. */
const EFFECTS: Readonly<Partial<Record<CallCause, readonly CallCause[]>>> = {
  address: ["loss", "delay", "bandwidth", "outage"],
  takeover: ["loss", "delay", "bandwidth", "outage", "address", "cpu"],
  camera: ["outage"],
  microphone: ["outage"],
  bandwidth: ["loss", "delay", "outage"],
  delay: ["bandwidth"],
  loss: ["bandwidth"],
  outage: ["loss", "delay", "bandwidth"],
};
/** They happen at one moment, and their end has the echo in it. */
const MOMENTS: ReadonlySet<CallCause> = new Set(["takeover", "server", "address"]);
/** Causes that measures of both kinds show at once, so that either may be noticed first. */
const TOGETHER: ReadonlySet<CallCause> = new Set([
  "bandwidth",
  "delay",
  "outage",
  "camera",
  "microphone",
]);

/** Whether the round trip rose with the cause, as before a link that is too narrow, and as on a path that became longer. */
function roseWith({ begin }: FoundCause, sent: readonly Moment[]): boolean {
  return sent.some(
    ({ at, rtt, restRtt }) =>
      Math.abs(at - begin) <= echo &&
      rtt !== null &&
      restRtt !== null &&
      rtt >= restRtt + ROUND_TRIP.queue,
  );
}

/**
 * What the round trips are while bandwidth is narrow and delay long. Their first and last seconds are left out, in which the round trips
 * of before and after are among the measures.
 *
 * @param sent moments of what the side sends whose bandwidth is narrow
 */
function roundTripsDuring(
  narrow: FoundCause,
  delayed: FoundCause,
  sent: readonly Moment[],
): RoundTrips | null {
  const begin = Math.max(narrow.begin, delayed.begin) + hold;
  const least = begin + compared;
  const end = Math.min(endOf(delayed) - hold, Math.max(endOf(narrow), least));
  return roundTripsOf(
    sent.filter(({ at }) => at >= begin && at < end),
    { long: delay.begins, loss: loss.begins },
  );
}

/** @param sent moments of what each side sends, by its name */
export function withoutEffects(
  all: readonly FoundCause[],
  sent: ReadonlyMap<string, readonly Moment[]>,
): FoundCause[] {
  const sentOf = ({ from }: FoundCause): readonly Moment[] =>
    from === null ? [] : (sent.get(from) ?? []);
  const queues = (cause: FoundCause): boolean => roseWith(cause, sentOf(cause));
  const explains = (cause: FoundCause, other: FoundCause): boolean => {
    if (EFFECTS[cause.cause]?.includes(other.cause) !== true) return false;
    if (cause.from !== null && other.from !== null && cause.from !== other.from) {
      // Another address of one side is felt in both directions.
      if (cause.cause !== "address" && cause.cause !== "takeover") return false;
    }
    if (other.begin > endOf(cause) + (MOMENTS.has(cause.cause) ? 0 : echo)) return false;
    const early = TOGETHER.has(cause.cause) ? echo : hold;
    if (other.begin < cause.begin - early) return false;
    if (cause.cause === "loss") return !queues(other);
    if (cause.cause === "delay") return roundTripsDuring(other, cause, sentOf(other)) === "path";
    if (cause.cause === "bandwidth") {
      if (other.cause !== "delay") return queues(cause);
      const roundTrips = roundTripsDuring(cause, other, sentOf(cause));
      return queues(cause) && (roundTrips === "queue" || roundTrips === null);
    }
    return true;
  };
  return all.filter((other) => !all.some((cause) => cause !== other && explains(cause, other)));
}
