/**
 * How every suite and benchmark starts Chromium: an installed one, without sound, with fake devices. The headless shell is the same
 * engine without the browser's windows and takes a third less processor time.
 */
import { existsSync } from "node:fs";

const CANDIDATES = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const SHELLS = ["/usr/bin/chromium-headless-shell"];

/** The whole browser. Only it shows permission prompts. */
export const chromiumPath = (): string => {
  const found = CANDIDATES.find((path) => path !== undefined && path !== "" && existsSync(path));
  if (found === undefined) throw new Error("no Chromium; `npm test` installs one");
  return found;
};

/** The headless shell, or the whole browser where no shell is installed. Who names a browser by CHROMIUM_PATH gets that one. */
export const shellPath = (): string =>
  [process.env["CHROMIUM_SHELL_PATH"], process.env["CHROMIUM_PATH"], ...SHELLS].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  ) ?? chromiumPath();

export const chromiumArgs: readonly string[] = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  // One renderer per tab, as when a person opens tabs by hand, because tests kill single renderers.
  "--process-per-tab",
  "--renderer-process-limit=100",
];

export const launchOptions = (extra: readonly string[] = []) => ({
  executablePath: shellPath(),
  args: [...chromiumArgs, ...extra],
});
