/** How every suite and benchmark starts Chromium: an installed one, without sound, with fake devices. */
import { existsSync } from "node:fs";

const CANDIDATES = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

export const chromiumPath = (): string => {
  const found = CANDIDATES.find((path) => path !== undefined && path !== "" && existsSync(path));
  if (found === undefined) throw new Error("no Chromium; `npm test` installs one");
  return found;
};

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
  executablePath: chromiumPath(),
  args: [...chromiumArgs, ...extra],
});
