/** Finds out that the server has another build than this core, so that every tab offers a reload (docs/shell.md#deployments). */
import { BUILD_PATH, buildFileSchema } from "../../shared/protocol/build.ts";
import type { CoreEnv, Reach, Tabs, Timer } from "./contracts.ts";

/** ms between two questions while tabs are open. */
export const BUILD_EVERY = 5 * 60_000;
/** ms after the first tab came, so that its page does not compete with the question. */
export const BUILD_FIRST = 10_000;
const TIMEOUT = 10_000;

/** @returns the deployed build; null when the server does not say */
export const createBuildReader = (home: string) => async (): Promise<string | null> => {
  const answer = await fetch(`${home}${BUILD_PATH}`, {
    cache: "no-cache",
    signal: AbortSignal.timeout(TIMEOUT),
  });
  return answer.ok ? buildFileSchema.parse(await answer.json()).build : null;
};

export interface Deployments {
  /** Asks now. Never rejects: an unreachable server is asked again later. */
  check(): Promise<void>;
  stop(): void;
}

export function watchDeployments(deps: {
  readonly env: Pick<CoreEnv, "clock" | "build">;
  readonly tabs: Pick<Tabs, "list" | "onJoin" | "onLeave">;
  readonly reach: Pick<Reach, "onBack">;
  readonly readBuild: () => Promise<string | null>;
  /** Called once per other build; null when the server has this core's build again. */
  readonly onNewer: (build: string | null) => void;
}): Deployments {
  const { clock, build } = deps.env;
  let said = build;
  let timer: Timer | null = null;

  const ask = async (): Promise<void> => {
    const deployed = await deps.readBuild().catch(() => null);
    if (deployed === null || deployed === said) return;
    said = deployed;
    deps.onNewer(deployed === build ? null : deployed);
  };
  const later = (ms: number): void => {
    timer?.cancel();
    timer = clock.after(ms, () => {
      later(BUILD_EVERY);
      void ask();
    });
  };
  const ends = [
    deps.tabs.onJoin(() => {
      if (timer === null) later(BUILD_FIRST);
    }),
    deps.tabs.onLeave(() => {
      if (deps.tabs.list().length > 0) return;
      timer?.cancel();
      timer = null;
    }),
    // A restart of the server is often a deployment.
    deps.reach.onBack(() => void ask()),
  ];
  return {
    check: ask,
    stop() {
      timer?.cancel();
      for (const end of ends) end();
    },
  };
}
