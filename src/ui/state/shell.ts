/** Lets the service worker keep the shell, once the page has settled (docs/shell.md). */
import { subscribe } from "valtio";
import { keepShell, renewShell } from "../../core-client/service-worker.ts";
import type { CoreClient } from "../../core-client/contracts.ts";

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

export function keepShellWhenSettled(core: Pick<CoreClient, "link">): void {
  const begin = (): void => quietly(settled().then(() => keepShell(settled)));
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
  let known: string | null = null;
  subscribe(core.link, () => {
    const { newerBuild } = core.link;
    if (newerBuild === known) return;
    known = newerBuild;
    if (newerBuild !== null) quietly(renewShell());
  });
}
