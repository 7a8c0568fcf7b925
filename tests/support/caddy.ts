/** The machine's Caddy as a proxy in front of a server. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { example, replaced } from "./documented.ts";
import type { Proxy } from "./nginx.ts";
import { answers, makeCertificate } from "./tls.ts";

/** Null when Caddy is not installed. */
export const caddyPath = ["/usr/bin/caddy"].find((path) => existsSync(path)) ?? null;

/**
 * Starts Caddy with the example of docs/server.md, at a port and with a certificate of the test.
 *
 * @param upstream base URL of the server
 * @param change of the text of the example
 */
export async function startCaddy(
  upstream: string,
  change: (text: string) => string = (text) => text,
): Promise<Proxy> {
  if (caddyPath === null) throw new Error("Caddy is not installed");
  const folder = mkdtempSync(join(tmpdir(), "caddy-"));
  const port = await freePort();
  const origin = `https://localhost:${port}`;
  const { certificate, key } = makeCertificate(folder);
  const own = `{\n  admin off\n  auto_https off\n}\n`;
  const head = `${origin} {\n  tls ${certificate} ${key}\n  bind 127.0.0.1`;
  const text = replaced(change(example("caddyfile")), "console.example.org {", head);
  const file = join(folder, "Caddyfile");
  writeFileSync(file, own + replaced(text, "127.0.0.1:8080", new URL(upstream).host));
  let log = "";
  const child = spawn(caddyPath, ["run", "--config", file, "--adapter", "caddyfile"], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + 20_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error(`Caddy did not start:\n${log}`);
    }
    if (await answers(origin)) return { origin, close };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
