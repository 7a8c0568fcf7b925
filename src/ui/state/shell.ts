/** Lets the service worker keep the shell, once the page has settled, and renews the page after a deployment (docs/shell.md). */
import { subscribe } from "valtio";
import { BASE_PATH } from "../../core-client/base-path.ts";
import { keepShell, renewShell } from "../../core-client/service-worker.ts";
import type { CoreClient } from "../../core-client/contracts.ts";
import { nameBelow } from "../../shared/domain/base-path.ts";
import { createRenewals } from "./renewal.ts";
import { watchWork } from "./work-in-page.ts";

/** ms in which the first screen loads what it needs. */
const SETTLE = 3_000;
/** ms after which a busy page counts as idle too. */
const LONGEST = 20_000;

const settled = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, SETTLE));
  if (!("requestIdleCallback" in globalThis)) return;
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: LONGEST }));
};
/** Private windows and blocked storage: the console works without the kept shell. */
const quietly = (work: Promise<void>): void => void work.catch(() => undefined);

function keepShellWhenSettled(core: Pick<CoreClient, "connection">): void {
  const begin = (): void => quietly(settled().then(() => keepShell(settled)));
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
  let known: string | null = null;
  subscribe(core.connection, () => {
    const { newerBuild } = core.connection;
    if (newerBuild === known) return;
    known = newerBuild;
    if (newerBuild !== null) quietly(renewShell());
  });
}

/** The build for which this tab has reloaded by itself. */
const TRIED = nameBelow(BASE_PATH, "hyzh-renewed");
/** A browser that refuses storage: the tab does not reload by itself, since it could not know when to stop. */
const inStorage = <T>(run: (storage: Storage) => T, refused: T): T => {
  try {
    return run(sessionStorage);
  } catch {
    return refused;
  }
};

/** Reloads this tab by itself for a newer build once nothing is lost. */
function renewWhenSafe(core: CoreClient, renew: () => void): void {
  const work = watchWork(() => Date.now());
  const renewals = createRenewals({
    core,
    page: {
      ...work,
      hidden: () => document.visibilityState === "hidden",
      tried: () => inStorage((storage) => storage.getItem(TRIED), core.connection.newerBuild),
      reload(build) {
        inStorage((storage) => storage.setItem(TRIED, build), undefined);
        renew();
      },
    },
    clock: {
      now: () => Date.now(),
      after(ms, run) {
        const handle = setTimeout(run, ms);
        return { cancel: () => clearTimeout(handle) };
      },
    },
    random: Math.random,
  });
  subscribe(core.connection, renewals.changed);
}

/** A person who logs out leaves no file of a draft on the machine (docs/session.md#drafts-of-forms). */
function dropFilesAtLogout(core: Pick<CoreClient, "state">): void {
  const { session } = core.state;
  let out = false;
  subscribe(session, () => {
    const now = session.status === "anonymous" && session.left === "logout";
    if (now && !out) {
      quietly(import("./kept-files.ts").then(({ keptFiles }) => keptFiles().dropAll()));
    }
    out = now;
  });
}

/** Starts what the first screen does without. */
export function startLater(core: CoreClient, renew: () => void): void {
  keepShellWhenSettled(core);
  renewWhenSafe(core, renew);
  dropFilesAtLogout(core);
}
