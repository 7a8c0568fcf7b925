/**
 * The environment for measuring readers: the page built into a temporary folder, a server for it, and a new browser for every
 * measurement.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright";
import { build } from "vite";
import { launchOptions } from "../../support/chromium.ts";
import { peakMemory } from "./memory.ts";
import type { PageResult, ReaderName } from "./protocol.ts";

export interface StageResult extends PageResult {
  /** Peak of the renderer in MiB above its memory before it got the file. */
  readonly memory: number;
}

export interface Stage {
  /** @throws Error when the reader fails or takes more than `timeout` ms */
  measure(reader: ReaderName, file: string, timeout: number): Promise<StageResult>;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

export async function createStage(): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), "import-bench-"));
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    build: { outDir: dir, emptyOutDir: true, target: "chrome120", chunkSizeWarningLimit: 4000 },
    worker: { format: "es" },
  });
  const server = createServer((request, response) => {
    const path = join(dir, normalize(new URL(request.url ?? "/", "http://x").pathname));
    const file = path.endsWith("/") ? join(path, "index.html") : path;
    if (!file.startsWith(dir) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const empty = join(dir, "empty.bin");
  writeFileSync(empty, "");

  return {
    async measure(reader, file, timeout) {
      const browser = await chromium.launchServer(launchOptions());
      try {
        const connected = await chromium.connect(browser.wsEndpoint());
        const page = await connected.newPage();
        page.setDefaultTimeout(timeout);
        await page.goto(url);
        await page.evaluate((name) => globalThis.importBench.load(name), reader);
        await page.setInputFiles("input", file);
        // Garbage from loading must not count for the reader.
        await page.requestGC();
        const memory = peakMemory(browser.process().pid ?? 0);
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error(`${reader}: over ${timeout} ms`)), timeout);
        });
        try {
          const result = await Promise.race([
            page.evaluate(() => globalThis.importBench.read()),
            late,
          ]);
          return { ...result, memory: memory() };
        } finally {
          clearTimeout(timer);
        }
      } finally {
        await browser.kill();
      }
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
