/** Playwright's `test` with clients of the package, or of the library, beside the people of the console. */
import type { Browser, BrowserContext } from "@playwright/test";
import { OPTIONS_PERMISSION } from "../../src/shared/domain/conference-types.ts";
import { launchOptions } from "../support/chromium.ts";
import { expect, test as base } from "../support/fixtures.ts";
import { type Relay, startRelay } from "../support/relay.ts";
import { giveRole } from "../support/given-role.ts";
import { watchPeers } from "../support/rtc.ts";
import type { Client } from "./client.ts";
import { APP_KEY, chatIdentity, type Identity, loginIdentity } from "./identity.ts";
import { type LibraryHost, startLibraryHost } from "./library-page.ts";
import { openPackage } from "./package-page.ts";

/** Where an application of another host is, which the server's configuration allows. */
export const OTHER_ORIGIN = "http://app.localhost";

async function contextOf(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  // The browser takes a page that the test serves for one of another network.
  await context.grantPermissions(["camera", "microphone", "local-network-access"]);
  await context.addInitScript(watchPeers);
  return context;
}

export interface Place {
  /** The server's address as the client has it. The default is the server's own. */
  readonly server?: string;
  /** Where its page is. The default is the server's address. */
  readonly page?: string;
  /** The client shows the chat's name and token. The default are those of the login. */
  readonly chat?: boolean;
  /** Another client than the suite's. */
  readonly client?: "package" | "library";
}

interface Fixtures {
  /** Opens a page with the package. At the end of the test the page is closed, and an uncaught error in it fails the test. */
  sdk(name: string, place?: Place): Promise<Client>;
  /** A way to the server that the test can cut. */
  relay: Relay;
}
interface Login {
  readonly context: BrowserContext;
  readonly identity: Identity;
}
interface WorkerFixtures {
  /** Which client `sdk` opens. */
  client: "package" | "library";
  contexts: (name: string) => Promise<Login>;
  /** Starts what serves the library's pages, once. */
  libraryHost: () => Promise<LibraryHost>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  client: ["package", { scope: "worker", option: true }],
  serverEnv: [{ ALLOWED_ORIGINS: OTHER_ORIGIN }, { scope: "worker" }],
  launchOptions: [
    launchOptions([
      // Cameras to change to. WebRTC cannot send the picture of the second one.
      "--use-fake-device-for-media-stream=device-count=3",
      "--auto-select-desktop-capture-source=Entire screen",
    ]),
    { scope: "worker" },
  ],
  contexts: [
    async ({ browser, server }, use) => {
      const opened = new Map<string, Login>();
      // She hosts the conferences of these tests, some of other kinds and with other limits.
      await giveRole(server.url, "lina", [OPTIONS_PERMISSION]);
      await use(async (name) => {
        const known = opened.get(name);
        if (known !== undefined) return known;
        const identity = await loginIdentity(server.url, name);
        const made = { context: await contextOf(browser), identity };
        opened.set(name, made);
        return made;
      });
      for (const { context } of opened.values()) await context.close();
    },
    { scope: "worker" },
  ],
  libraryHost: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      let host: Promise<LibraryHost> | undefined;
      await use(() => (host ??= startLibraryHost()));
      await (await host)?.close();
    },
    { scope: "worker" },
  ],
  sdk: async ({ browser, client: usual, contexts, libraryHost, server }, use) => {
    const clients: Client[] = [];
    const own = new Set<BrowserContext>();
    await use(async (name, place = {}) => {
      const { context, identity: login } = await contexts(name);
      const known = place.chat === true ? await chatIdentity(server.url, login) : login;
      const origin = place.server ?? server.url;
      const identity = { ...known, origin, appkey: APP_KEY };
      let client: Client;
      if ((place.client ?? usual) === "package") {
        client = await openPackage(context, place.page ?? origin, identity);
      } else {
        // A worker of its own, so that no earlier conference goes on in it.
        const fresh = await contextOf(browser);
        own.add(fresh);
        client = await (await libraryHost()).open(fresh, identity);
      }
      clients.push(client);
      return client;
    });
    for (const { page, act } of clients) {
      await act("leave");
      await page.close();
    }
    for (const context of own) await context.close();
    expect(
      clients.flatMap(({ errors }) => errors),
      "uncaught errors of the pages",
    ).toEqual([]);
  },
  relay: async ({ server }, use) => {
    const relay = await startRelay(server.url);
    await use(relay);
    await relay.close();
  },
});

export { expect };
