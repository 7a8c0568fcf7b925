/** Kills processes that may die at any time: the renderer of a page, or the core of a person. */
import type { BrowserContext, Page } from "@playwright/test";
import { killFirefoxPage } from "../firefox/kill.ts";
import { consoleStarted } from "./started.ts";

const dead = new WeakSet<Page>();
/** Whether a test has killed the page. In Firefox, closing a dead page never finishes. */
export const isDead = (page: Page): boolean => dead.has(page);

export const engineOf = (page: Page): string =>
  page.context().browser()?.browserType().name() ?? "chromium";

/**
 * Kills the renderer, as the system does when memory runs out.
 *
 * @returns the time of the kill, ms since the epoch
 */
export async function crash(page: Page): Promise<number> {
  dead.add(page);
  if (engineOf(page) === "firefox") return killFirefoxPage(page);
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise<void>((resolve) => page.once("crash", () => resolve()));
  const at = Date.now();
  // The command never returns an answer, because its target is dead.
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
  return at;
}

const keepers = new WeakMap<BrowserContext, Page>();
/**
 * Marks a page that exists only to start the core. Firefox has no command that ends a SharedWorker, but runs it in the process of
 * the page that started it. So `killCore` kills that page.
 */
export const keepsCore = (page: Page): void => void keepers.set(page.context(), page);

/** Ends the SharedWorker of the page's person. Resolves when the browser has accepted the command. */
export async function killCore(page: Page): Promise<void> {
  if (engineOf(page) === "firefox") {
    const keeper = keepers.get(page.context());
    if (keeper === undefined || isDead(keeper)) throw new Error("no separate page keeps this core");
    await crash(keeper);
    return;
  }
  const session = await page.context().newCDPSession(page);
  try {
    const { targetInfo } = await session.send("Target.getTargetInfo");
    const { targetInfos } = await session.send("Target.getTargets");
    const core = targetInfos.find(
      ({ type, browserContextId }) =>
        type === "shared_worker" && browserContextId === targetInfo.browserContextId,
    );
    if (core === undefined) throw new Error("this person has no core");
    await session.send("Target.closeTarget", { targetId: core.targetId });
  } finally {
    await session.detach();
  }
}

/** Id of the core to which the page is connected. */
export async function coreId(page: Page): Promise<string> {
  await consoleStarted(page);
  return page.evaluate(() => globalThis.consoleCore.state.worker.coreId);
}
