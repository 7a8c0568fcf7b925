/** A browser of its own that a test puts to sleep: all of its processes stop, as on a laptop whose lid is closed. */
import { type Browser, chromium } from "@playwright/test";
import { launchOptions } from "./chromium.ts";
import { processTree } from "./memory.ts";

export interface SleepyBrowser {
  readonly browser: Browser;
  /** Nothing of the browser runs for so many ms. Its sockets stay open, and what comes for them waits. */
  sleep(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function sleepyBrowser(): Promise<SleepyBrowser> {
  const server = await chromium.launchServer({ ...launchOptions(), headless: true });
  const browser = await chromium.connect(server.wsEndpoint());
  const signal = (name: "SIGSTOP" | "SIGCONT"): void => {
    const pid = server.process().pid;
    for (const id of pid === undefined ? [] : processTree(pid)) {
      try {
        process.kill(id, name);
      } catch {
        // It ended meanwhile.
      }
    }
  };
  return {
    browser,
    async sleep(ms) {
      signal("SIGSTOP");
      try {
        await new Promise((resolve) => setTimeout(resolve, ms));
      } finally {
        signal("SIGCONT");
      }
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
