// Provides what a fresh clone lacks: packages, a built console, a Chromium. Plain JavaScript, because it runs before anything is
// installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { areBuilt, BUNDLES } from "../../src/server/base/bundles.mjs";
import { ensureDebian, programPath } from "./debian.mjs";
import { makeRegistries } from "./registries.mjs";
import { exitForEnvironment, tried } from "./environment.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Exits when Node is too old, and names the required version. */
export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node 20.19 or later is needed; this is ${process.versions.node}.`);
    process.exit(1);
  }
}

/**
 * Installs the packages of the lock file when they are missing or older than it, and makes the registries.
 * @param {{ tests?: boolean }} options `tests: false` leaves out what only tests, benchmarks and checks need, which is most of it
 */
export function ensurePackages({ tests = true } = {}) {
  if (!arePackagesCurrent(tests)) installPackages(tests);
  makeRegistries(root);
}

/** npm has installed all packages of the tests, or none. */
const hasTests = () => existsSync(join(root, "node_modules/vitest"));
const STAMP = join(root, "node_modules/.lock-hash");
const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

function arePackagesCurrent(tests) {
  if (tests && !hasTests()) return false;
  const present = join(root, "node_modules/.package-lock.json");
  if (!existsSync(present)) return false;
  const lock = join(root, "package-lock.json");
  if (statSync(present).mtimeMs >= statSync(lock).mtimeMs - 1000) return true;
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === lockHash();
}

function installPackages(tests) {
  console.log("Installing packages …");
  const left = tests || hasTests() ? [] : ["--omit=dev"];
  const command = ["ci", ...left, "--no-audit", "--no-fund", "--loglevel=error"];
  const installed = tried(() => {
    const result = spawnSync("npm", command, {
      cwd: root,
      stdio: ["inherit", "inherit", "pipe"],
      shell: process.platform === "win32",
    });
    const said = String(result.stderr ?? "");
    process.stderr.write(said);
    // The lock file does not fit package.json: no registry can mend that.
    if (said.includes("EUSAGE")) process.exit(1);
    return result.status === 0;
  });
  if (!installed) exitForEnvironment("the packages of the lock file could not be installed");
  writeFileSync(STAMP, lockHash());
}

function sourcesHash() {
  const hash = createHash("sha256");
  const walk = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) walk(join(path, name));
    } else hash.update(path.slice(root.length)).update(readFileSync(path));
  };
  for (const name of [
    "src",
    "scripts/lib",
    "index.html",
    "vite.config.ts",
    "package-lock.json",
    "public",
  ]) {
    if (existsSync(join(root, name))) walk(join(root, name));
  }
  return hash.digest("hex");
}

/**
 * @param {string[]} args options for the build
 * @param {Record<string, string>} env
 */
async function build(args, env = {}) {
  const command = [join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"];
  const started = spawn(process.execPath, [...command, ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const [code] = await once(started, "exit");
  if (code !== 0) throw new Error(`vite build ${args.join(" ")} ended with ${code}`);
}

/** Whether `folder` was built from exactly these sources. */
const isCurrent = (folder, hash) => {
  const stamp = join(folder, ".sources");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === hash;
};

function setCurrent(folder, hash) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".sources"), hash);
}

/**
 * Builds the console and the server unless both were built from exactly these sources.
 * @param {{ quick?: boolean }} options `quick` accepts a build whose files are compressed in less time, and are larger
 */
export async function ensureBuild({ quick = false } = {}) {
  const folder = join(root, "dist");
  const hash = sourcesHash();
  const hashOfQuick = `${hash} quick`;
  const isThere = isCurrent(folder, hash) || (quick && isCurrent(folder, hashOfQuick));
  if (areBuilt(root) && isThere) return;
  console.log("Building the console …");
  const env = { QUICK_BUILD: quick ? "1" : "" };
  // At once: much of a build runs on one processor.
  await Promise.all(
    [[], ...Object.keys(BUNDLES).map((name) => ["--mode", name])].map((args) => build(args, env)),
  );
  setCurrent(folder, quick ? hashOfQuick : hash);
}

/**
 * Builds the conferencing library for the tests, unless it was built from exactly these sources.
 * @returns {Promise<string>} its folder; a test that writes there copies it first
 */
export async function ensureLibrary() {
  const folder = join(root, ".artifacts/library");
  const hash = sourcesHash();
  if (isCurrent(folder, hash)) return folder;
  console.log("Building the library …");
  await build(["--mode", "lib", "--outDir", folder, "--emptyOutDir"]);
  setCurrent(folder, hash);
  return folder;
}

/**
 * Installs the Debian packages of a command (see debian.mjs) and prints which are still missing. Exits without a Chromium,
 * because no suite can run without one.
 * @param {"bench" | "test" | "torture"} command
 * @returns {Record<string, string>} environment variables that name the programs found
 */
export function ensurePrograms(command) {
  const missing = ensureDebian(command);
  for (const { name, needs } of missing) console.log(`Not installed: ${name} (${needs}).`);
  const chromium = programPath("chromium");
  if (chromium === undefined) {
    console.error(
      "No Chromium was found. Install one (Debian: apt-get install chromium fonts-noto-cjk) or name it in CHROMIUM_PATH.",
    );
    process.exit(1);
  }
  const shell = programPath("chromium-headless-shell") ?? chromium;
  return { CHROMIUM_PATH: chromium, CHROMIUM_SHELL_PATH: shell };
}
