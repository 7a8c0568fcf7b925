/**
 * Reloads a tab by itself after a deployment, once nothing of the person can be lost or interrupted (docs/shell.md#deployments; the rules
 * are in shared/domain/renewal.ts). It is loaded early: later the server may not have its code any more.
 */
import { type RenewalFacts, renewalOf } from "../../shared/domain/renewal.ts";
import type { CoreClient } from "../../core-client/contracts.ts";

/** ms between two looks while another build is deployed. */
export const LOOK_EVERY = 10_000;

/** What the page knows of the person's work in it. */
export interface RenewalPage {
  readonly hidden: () => boolean;
  /** When the person last did something here, ms since the epoch. */
  readonly touchedAt: () => number;
  readonly unsaved: () => boolean;
  /** The build for which this tab has reloaded by itself; null: none. */
  readonly tried: () => string | null;
  /** Notes the build, then reloads. */
  readonly reload: (build: string) => void;
}

export interface RenewalDeps {
  readonly core: Pick<CoreClient, "connection"> & {
    readonly state: Pick<CoreClient["state"], "call" | "groupCall" | "conference">;
    readonly commands: { readonly worker: Pick<CoreClient["commands"]["worker"], "busy"> };
  };
  readonly page: RenewalPage;
  readonly clock: { now(): number; after(ms: number, run: () => void): { cancel(): void } };
  /** 0 to 1: not all tabs of a company reload at the same moment. */
  readonly random: () => number;
}

type Work = Pick<RenewalFacts, "inCall" | "importing" | "sending">;

const isInCall = ({ call, groupCall, conference }: RenewalDeps["core"]["state"]): boolean =>
  [call.status, groupCall.status, conference.status].some((status) => status !== "idle");

export interface Renewals {
  /** The connection to the core has changed. */
  changed(): void;
  stop(): void;
}

export function createRenewals({ core, page, clock, random }: RenewalDeps): Renewals {
  let timer: { cancel(): void } | null = null;
  let stopped = false;

  const factsWith = (work: Work): RenewalFacts => ({
    newer: core.connection.newerBuild !== null,
    ...work,
    unsaved: page.unsaved(),
    hidden: page.hidden(),
    quiet: clock.now() - page.touchedAt(),
    tried: page.tried() === core.connection.newerBuild,
  });
  /** A core that is gone does nothing that a reload could interrupt, but the tab may still carry its call. */
  const workOf = async (): Promise<Work> => {
    const inCall = isInCall(core.state);
    if (core.connection.state !== "ready") return { inCall, importing: false, sending: false };
    const busy = await core.commands.worker.busy({});
    return { ...busy, inCall: busy.inCall || inCall };
  };
  const look = async (): Promise<void> => {
    timer = null;
    const idle: Work = { inCall: isInCall(core.state), importing: false, sending: false };
    // most looks end here, without a question to the core
    if (renewalOf(factsWith(idle)) === "reload") {
      const work = await workOf().catch(() => null);
      const build = core.connection.newerBuild;
      if (stopped || build === null) return;
      if (work !== null && renewalOf(factsWith(work)) === "reload") return page.reload(build);
    }
    later(LOOK_EVERY);
  };
  const later = (ms: number): void => {
    if (stopped || timer !== null || core.connection.newerBuild === null) return;
    timer = clock.after(ms, () => void look());
  };
  const changed = (): void => later(LOOK_EVERY * random());
  changed();

  return {
    changed,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
