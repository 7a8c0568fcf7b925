/** Pages of another host with this project's own library, built as `npm run build:lib` builds it. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
// @ts-expect-error a script for people has no types
import { serveHostPage } from "../../scripts/host-page.mjs";
import { ensureLibrary } from "../../scripts/lib/prepare.mjs";
import { type Client, clientOf } from "./client.ts";
import { installBase } from "./driver.ts";
import { installLibraryDriver } from "./library-driver.ts";
import type { SdkIdentity } from "./package-driver.ts";

const PAGE = `<!doctype html><meta charset="utf-8"><title>Library</title><script type="module">
  globalThis.conferenceLibrary = await import("./conference.js");
</script>`;

export interface LibraryHost {
  open(context: BrowserContext, identity: SdkIdentity): Promise<Client>;
  close(): Promise<void>;
}

export async function startLibraryHost(): Promise<LibraryHost> {
  const dir = mkdtempSync(join(tmpdir(), "library-suite-"));
  cpSync(await ensureLibrary(), dir, { recursive: true });
  writeFileSync(join(dir, "suite.html"), PAGE);
  // One for each way to the server.
  const hosts = new Map<string, Promise<{ url: string; close(): Promise<void> }>>();
  const hostOf = (origin: string) => {
    const host = hosts.get(origin) ?? serveHostPage({ platform: origin, dir });
    hosts.set(origin, host);
    return host;
  };
  return {
    async open(context, identity) {
      const host = await hostOf(identity.origin);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(`${identity.name}: ${error.message}`));
      await page.goto(`${host.url}/suite.html`);
      await page.waitForFunction(() => "conferenceLibrary" in globalThis);
      await page.evaluate(installBase);
      await page.evaluate(installLibraryDriver, identity);
      return clientOf(identity.name, page, errors);
    },
    async close() {
      for (const host of hosts.values()) await (await host).close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
