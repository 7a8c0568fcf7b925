/** Playwright's `test` with clients of the package, or of the library, beside the people of the console. */
import type { Browser, BrowserContext } from "@playwright/test";
import { launchOptions } from "../support/chromium.ts";
import { expect, test as base } from "../support/fixtures.ts";
import { PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";
import { watchPeers } from "../support/rtc.ts";
import type { Client } from "./client.ts";
import { type LibraryHost, startLibraryHost } from "./library-page.ts";
import { openPackage } from "./package-page.ts";
import { type Relay, startRelay } from "./relay.ts";

const APP_KEY = "hyzh#console";
/** Where an application of another host is, which the server's configuration allows. */
export const OTHER_ORIGIN = "http://app.localhost";

/** @returns the access token of a login, which is the identity's token */
async function tokenOf(origin: string, username: string): Promise<string> {
  return (await restLogin(origin, username, PASSWORD)).grant.access_token;
}

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
}

interface Fixtures {
  /** Opens a page with the package. At the end of the test the page is closed, and an uncaught error in it fails the test. */
  sdk(name: string, place?: Place): Promise<Client>;
  /** A way to the server that the test can cut. */
  relay: Relay;
}
interface Login {
  readonly context: BrowserContext;
  readonly token: string;
}
interface WorkerFixtures {
  /** Which client `sdk` opens. */
  client: "package" | "library";
  contexts: (name: string) => Promise<Login>;
  /** Null for the package. */
  libraryHost: LibraryHost | null;
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
      await use(async (name) => {
        const known = opened.get(name);
        if (known !== undefined) return known;
        const made = { context: await contextOf(browser), token: await tokenOf(server.url, name) };
        opened.set(name, made);
        return made;
      });
      for (const { context } of opened.values()) await context.close();
    },
    { scope: "worker" },
  ],
  libraryHost: [
    async ({ client, server }, use) => {
      const host = client === "library" ? await startLibraryHost(server.url) : null;
      await use(host);
      await host?.close();
    },
    { scope: "worker" },
  ],
  sdk: async ({ browser, contexts, libraryHost, server }, use) => {
    const clients: Client[] = [];
    await use(async (name, place = {}) => {
      const { context, token } = await contexts(name);
      const origin = place.server ?? server.url;
      const identity = { name, token, origin, appkey: APP_KEY };
      const client =
        libraryHost === null
          ? await openPackage(context, place.page ?? origin, identity)
          : // A worker of its own, so that no earlier conference goes on in it.
            await libraryHost.open(await contextOf(browser), identity);
      clients.push(client);
      return client;
    });
    for (const { page, act } of clients) {
      await act("leave");
      await page.close();
      if (libraryHost !== null) await page.context().close();
    }
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
