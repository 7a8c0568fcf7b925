/** People at their browsers: one context per person, any number of tabs, and a check of each browser console. */
import { type Browser, type BrowserContext, type Page, expect } from "@playwright/test";
import { isDead, keepsCore } from "./crash.ts";
import { leaveFor, storeLogin } from "./stored-login.ts";
import { watchPeers } from "./rtc.ts";
import { keepMessages } from "./shown-messages.ts";

export const PASSWORD = "Demo@2026";

/**
 * Harmless lines of the browser's console: Arco causes them under React 19 in development builds. Any other error or warning fails
 * the test.
 */
const ALLOWED: readonly RegExp[] = [
  /element\.ref was removed/,
  /Service Worker registration blocked by Playwright/,
];

/**
 * A service worker hides requests from the routes of a test and answers while the server is down, so only tests about it have one.
 * TEST_SERVICE_WORKERS=allow runs any suite with it.
 */
const SERVICE_WORKERS = process.env["TEST_SERVICE_WORKERS"] === "allow" ? "allow" : "block";

/**
 * Without a graphics processor, moving pictures take a third of the time in which a page opens, so people prefer reduced motion. Where
 * what they feel is measured, and with TEST_MOTION=full, they do not.
 */
const MOTION = process.env["TEST_MOTION"] === "full" ? "no-preference" : "reduce";

/** Longest wait for the pages of a context to close, and then for the context itself, ms. */
const CLOSE_MS = 20_000;

/** In one of some thousand runs Chromium does not answer that something closed. A test is over by then and need not wait for it. */
const soon = (closing: Promise<unknown>): Promise<unknown> =>
  Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);

export interface Person {
  readonly name: string;
  readonly context: BrowserContext;
  readonly pages: Page[];
  /** Errors and warnings of all tabs so far. */
  readonly complaints: string[];
  open(path?: string): Promise<Page>;
  close(): Promise<void>;
}

/** Runs in the page. Reports policy violations that a script catches, which otherwise do not appear in the console. */
function reportPolicy(): void {
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`policy: ${event.violatedDirective} refuses ${event.blockedURI}`);
  });
}

/**
 * Runs in pages of Firefox. There, Playwright's `fill` sets `value` and fires `input`, and React mistakes the change for its
 * own. Text inserted as if typed does reach React.
 */
function fillByTyping(): void {
  Object.defineProperty(globalThis, "__pw_bidiInsertText", {
    configurable: true,
    set() {
      // Ignore Playwright's own function.
    },
    get: () => (text: string) => void document.execCommand("insertText", false, text),
  });
}

/** Opens a browser context for a person, without a page. */
export async function person(
  browser: Browser,
  url: string,
  name: string,
  permissions: readonly string[] = ["camera", "microphone"],
  serviceWorkers: "allow" | "block" = SERVICE_WORKERS,
): Promise<Person> {
  const context = await browser.newContext({
    baseURL: url,
    serviceWorkers,
    viewport: { width: 1280, height: 800 },
    reducedMotion: MOTION,
    locale: "zh-CN",
  });
  if (browser.browserType().name() === "firefox") {
    // Playwright cannot grant permissions in Firefox. A preference in tests/firefox grants them to every page.
    await context.addInitScript(fillByTyping);
  } else if (permissions.length > 0) {
    await context.grantPermissions([...permissions], { origin: url });
  }
  // tsx, which runs the benchmarks, wraps named functions with a helper that pages lack.
  await context.addInitScript("globalThis.__name ??= (wrapped) => wrapped;");
  await context.addInitScript(watchPeers);
  await context.addInitScript(reportPolicy);
  await context.addInitScript(keepMessages);
  const pages: Page[] = [];
  const complaints: string[] = [];
  context.on("page", (page) => {
    page.on("console", (message) => {
      if (message.type() !== "error" && message.type() !== "warning") return;
      if (ALLOWED.some((known) => known.test(message.text()))) return;
      complaints.push(`${name}: ${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => complaints.push(`${name}: uncaught: ${error.message}`));
  });
  return {
    name,
    context,
    pages,
    complaints,
    open: async (path = "/") => {
      const page = await context.newPage();
      pages.push(page);
      await page.goto(path);
      return page;
    },
    async close() {
      const open = context
        .pages()
        .filter((page) => !isDead(page) || browser.browserType().name() !== "firefox");
      // Closing a context while its pages are busy sometimes hangs in Chromium, so close the pages first.
      await soon(Promise.all(open.map((page) => page.close())));
      await soon(context.close());
    },
  };
}

/** Logs in through the login form. */
export async function logIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码").fill(password);
  await page.getByRole("button", { name: "登录" }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

export interface LoginOptions {
  /** Number of tabs. The default is one. */
  readonly tabs?: number;
  readonly path?: string;
  /** The test kills the core (`killCore`). In Firefox the core then lives in the process of a separate page. */
  readonly killsCore?: boolean;
  /** The browser may have the console's service worker. */
  readonly serviceWorker?: boolean;
  /** Code that every page runs first. */
  readonly initScript?: string;
}

/** Opens a logged-in person with `tabs` tabs on `path`. */
export async function loggedIn(
  browser: Browser,
  url: string,
  username: string,
  options: LoginOptions & { readonly permissions?: readonly string[] } = {},
): Promise<Person> {
  const path = options.path ?? "/im/people";
  const isFirefox = browser.browserType().name() === "firefox";
  const workers = options.serviceWorker === true ? "allow" : undefined;
  const who = await person(browser, url, username, options.permissions, workers);
  const stored = isFirefox
    ? null
    : await storeLogin(who.context, url, { username, password: PASSWORD });
  if (options.initScript !== undefined) await who.context.addInitScript(options.initScript);
  if (options.killsCore === true && isFirefox) {
    const keeper = await who.context.newPage();
    await keeper.goto("/login");
    await expect(keeper.getByRole("button", { name: "登录" })).toBeVisible();
    keepsCore(keeper);
  }
  if (isFirefox) {
    const first = await who.open("/login");
    await logIn(first, username);
    await first.goto(path);
    await expect(first).toHaveURL(new RegExp(`${path}$`));
  }
  if (stored !== null && options.tabs === 0) await stored.close();
  else if (stored !== null) {
    who.pages.push(stored);
    await leaveFor(stored, path);
    await untilStarted(stored, path);
  }
  while (who.pages.length < (options.tabs ?? 1)) {
    await untilStarted(await who.open(path), path);
  }
  return who;
}

/** Waits until the page at `path` knows who is logged in. */
async function untilStarted(page: Page, path: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  // The console starts after the page's load event, and the account is known some requests later.
  await page.waitForFunction(
    () =>
      (globalThis.consoleCore as typeof globalThis.consoleCore | undefined)?.state.session
        .infoLoaded === true,
  );
}
