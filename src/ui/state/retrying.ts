/**
 * Retries the code of a page that could not be loaded, because React's lazy() keeps the first failure until a reload
 * (docs/shell.md#a-missing-script).
 */
import type { Deployed } from "../../core-client/contracts.ts";

/** ms between two attempts. */
const PAUSE = 1_500;
/** Failures with a reachable server that are retried. After one more, the code counts as gone: it belongs to an older build. */
const REFUSALS = 3;
/** The same when the server has another build: once more, because a lost answer may be the reason all the same. */
const REFUSALS_OF_OTHER = 1;

/** A stylesheet that failed to load has no rules in Firefox; in Chromium, reading its rules throws. */
function isBroken({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet === null || sheet.cssRules.length === 0;
  } catch {
    return true;
  }
}

/**
 * Loads failed stylesheets again: the bundler requests a page's stylesheet once and continues without it after a failure.
 */
async function reloadBrokenStyles(): Promise<void> {
  const broken = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    isBroken,
  );
  await Promise.all(
    broken.map((link) =>
      new Promise<void>((resolve, reject) => {
        const next = link.cloneNode() as HTMLLinkElement;
        next.addEventListener("load", () => resolve());
        next.addEventListener("error", () => {
          next.remove();
          reject(new Error(`Unable to preload CSS for ${link.href}`));
        });
        link.after(next);
      }).then(() => link.remove()),
    ),
  );
}

export interface RetryDeps {
  readonly wait: (ms: number) => Promise<void>;
  /** Asks the server which build it has. */
  readonly look: () => Promise<Deployed>;
  readonly reloadStyles: () => Promise<void>;
  /** True in Firefox, which never requests a module again that it once failed to fetch, until the page is reloaded. */
  readonly remembersFailures: boolean;
}

/** Resolves early when the person says that it is worth an attempt (retry-now.ts). */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
    addEventListener("retry-code", () => resolve(), { once: true });
  });

const browser: RetryDeps = {
  wait: pause,
  look: () => globalThis.consoleCore.look(),
  reloadStyles: reloadBrokenStyles,
  remembersFailures: /\bFirefox\//.test(globalThis.navigator?.userAgent ?? ""),
};

/** Resolves when the code is loaded; rejects only when a reachable server does not have it. */
export async function retrying<T>(load: () => Promise<T>, deps: RetryDeps = browser): Promise<T> {
  let failures = 0;
  for (let refusals = 0; ; failures += 1) {
    if (deps.remembersFailures && (await deps.look()) === "unreachable") {
      await deps.wait(PAUSE);
      continue;
    }
    try {
      const loaded = await load();
      if (failures > 0) {
        await deps.reloadStyles();
        // the server is back: no other page that loads says that it is not
        void deps.look();
      }
      return loaded;
    } catch (error) {
      const deployed = await deps.look();
      if (deployed !== "unreachable") refusals += 1;
      if (refusals > (deployed === "other" ? REFUSALS_OF_OTHER : REFUSALS)) throw error;
      await deps.wait(PAUSE);
    }
  }
}
