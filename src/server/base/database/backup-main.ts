/**
 * `npm run db:backup [FILE]` and `npm run db:restore FILE [--force]` for the database that the environment names (DATABASE_URL,
 * DATA_DIR).
 */
import { readConfig } from "../config.ts";
import { existsSync } from "node:fs";
import { backup, restore } from "./backup.ts";
import { filesOf } from "./backup-files.ts";

async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  const [file, ...more] = rest.filter((arg) => arg !== "--force");
  const config = readConfig(process.env);
  if (more.length > 0) throw new Error("one file is expected");
  if (command === "backup") {
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
    const path = await backup(config, file ?? `backup-${stamp}.dump`);
    const files = filesOf(path);
    process.stdout.write(`${path}\n${existsSync(files) ? `${files}\n` : ""}`);
    return;
  }
  if (command !== "restore" || file === undefined) {
    throw new Error("npm run db:backup -- [FILE]   or   npm run db:restore -- FILE [--force]");
  }
  const aside = await restore(config, file, rest.includes("--force"));
  process.stdout.write(`restored${aside === null ? "" : `; the former database is ${aside}`}\n`);
}

main().catch((error: unknown) => {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    process.stderr.write(`${e.message}\n`);
  }
  process.exitCode = 1;
});
