/**
 * Finds out whether the platform is reachable. A failed request or socket is only a suspicion: the server is probed, and during an
 * outage probed again and again, so that everything that waits continues as soon as the server is back.
 */
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import type { ReachSlice } from "../../../shared/protocol/reach.ts";
import type { CoreEnv, Reach, Store, Timer } from "../contracts.ts";
import type { Transport } from "../http/index.ts";
import type { Probe } from "./probe.ts";

/**
 * ms between two probes, by how long the outage has lasted. A restart takes seconds, and people in a call or conference wait
 * for it. Up to half is added at random, so that clients do not probe together.
 */
const PROBES = [
  { until: 30_000, every: 500 },
  { until: 120_000, every: 1_000 },
  { until: Infinity, every: 2_000 },
] as const;

const UNREACHABLE: ReadonlySet<ErrorCode> = new Set([
  "network.offline",
  "network.timeout",
  "network.intercepted",
  "server.unavailable",
]);

export interface ReachModule extends Reach {
  /** Wraps a transport so that its failures and answers are noticed. */
  watch(transport: Transport): Transport;
  stop(): void;
}

export function createReach(deps: {
  readonly env: Pick<CoreEnv, "clock" | "online" | "random">;
  readonly store: () => Pick<Store, "get" | "set">;
  readonly probe: Probe;
}): ReachModule {
  const { clock, online, random } = deps.env;
  const handlers = new Set<() => void>();
  let timer: Timer | null = null;
  let asking = false;
  /** When the first probe failed; null without an outage. */
  let downSince: number | null = null;
  let stopped = false;

  const state = (): ReachSlice["state"] => deps.store().get("reach").state;
  const enter = (next: ReachSlice["state"]): void => {
    if (state() === next) return;
    deps.store().set(["reach"], { state: next, since: clock.now() });
  };
  const answered = (): void => {
    timer?.cancel();
    timer = null;
    downSince = null;
    if (state() === "up") return;
    enter("up");
    for (const handler of handlers) handler();
  };
  const ask = async (): Promise<void> => {
    if (asking || stopped) return;
    asking = true;
    timer?.cancel();
    timer = null;
    const found = online.online && (await deps.probe().catch(() => false));
    asking = false;
    if (stopped) return;
    if (found === true) return answered();
    const unreachable = found === "intercepted" ? "intercepted" : "down";
    enter(online.online ? unreachable : "offline");
    downSince ??= clock.now();
    const lasted = clock.now() - downSince;
    const every = PROBES.find(({ until }) => lasted < until)?.every ?? 2_000;
    timer = clock.after(Math.round(every * (1 + random() / 2)), () => void ask());
  };
  const suspect = (): void => {
    if (state() === "up") void ask();
  };
  const stopListening = online.onChange((now) => {
    downSince = null;
    if (now) void ask();
    else enter("offline");
  });
  const onBack = (handler: () => void): (() => void) => {
    handlers.add(handler);
    return () => handlers.delete(handler);
  };

  return {
    suspect,
    answered,
    onBack,
    watch: (transport) => async (request) => {
      try {
        const answer = await transport(request);
        answered();
        return answer;
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
        if (UNREACHABLE.has(thrown.code)) suspect();
        else if (typeof thrown.details?.["status"] === "number") answered();
        throw thrown;
      }
    },
    online: {
      get online() {
        return online.online;
      },
      onChange(handler) {
        const ends = [online.onChange(handler), onBack(() => handler(true))];
        return () => {
          for (const end of ends) end();
        };
      },
    },
    stop() {
      stopped = true;
      timer?.cancel();
      stopListening();
      handlers.clear();
    },
  };
}
