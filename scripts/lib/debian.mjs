// The Debian packages that the tests need, and a function that installs the missing ones.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { exitForEnvironment, tried } from "./environment.mjs";

/** Debian's library folders; MiniBrowser is in one of them. */
function libraryFolders() {
  return existsSync("/usr/lib")
    ? readdirSync("/usr/lib").filter((name) => name.includes("linux-gnu"))
    : [];
}

const anyExists = (paths) =>
  paths.find((path) => path !== undefined && path !== "" && existsSync(path));

/** @returns {string | undefined} path of the browser that WebKitWebDriver starts, part of libwebkit2gtk */
export const miniBrowserPath = () =>
  anyExists(libraryFolders().map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`));

/** Path of the newest PostgreSQL server. Debian has a folder per version. */
function postgresPath() {
  const folder = "/usr/lib/postgresql";
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => b - a) : [];
  return anyExists(versions.map((version) => `${folder}/${version}/bin/postgres`));
}

/** Per package: its name, what needs it, the commands that need it (`when`), and how to find an installed file of it. */
export const DEBIAN_PACKAGES = [
  {
    name: "chromium",
    needs: "browser tests",
    when: ["bench", "test", "torture"],
    find: () =>
      anyExists([
        process.env.CHROMIUM_PATH,
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome-stable",
        "/usr/bin/google-chrome",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
      ]),
  },
  {
    name: "chromium-headless-shell",
    needs: "browser tests that show no permission prompt",
    when: ["bench", "test", "torture"],
    find: () => anyExists([process.env.CHROMIUM_PATH, "/usr/bin/chromium-headless-shell"]),
  },
  {
    name: "fonts-noto-cjk",
    needs: "Chinese text in browsers",
    when: ["bench", "test", "torture"],
    find: () => anyExists(["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"]),
  },
  {
    name: "postgresql",
    needs: "the server's tests and benchmarks on PostgreSQL",
    when: ["bench", "test", "torture"],
    find: postgresPath,
  },
  {
    name: "redis-server",
    needs: "several server processes",
    when: ["test", "torture"],
    find: () => anyExists(["/usr/bin/redis-server"]),
  },
  {
    name: "janus",
    needs: "conferences over Janus",
    when: ["bench", "torture"],
    find: () => anyExists([process.env.JANUS_PATH, "/usr/bin/janus", "/opt/janus/bin/janus"]),
  },
  {
    name: "coturn",
    needs: "calls through a relay",
    when: ["torture"],
    find: () => anyExists(["/usr/bin/turnserver"]),
  },
  {
    name: "ffmpeg",
    needs: "what a recording contains",
    when: ["torture"],
    find: () => anyExists(["/usr/bin/ffprobe"]),
  },
  {
    name: "iproute2",
    needs: "cut networks",
    when: ["bench", "torture"],
    find: () => anyExists(["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"]),
  },
  {
    name: "nginx",
    needs: "many people behind one proxy",
    when: ["test", "torture"],
    find: () => anyExists(["/usr/sbin/nginx", "/usr/bin/nginx"]),
  },
  {
    name: "caddy",
    needs: "the documented proxies",
    when: ["test"],
    find: () => anyExists(["/usr/bin/caddy"]),
  },
  {
    name: "curl",
    needs: "clients that offer HTTP/2",
    when: ["test"],
    find: () => anyExists(["/usr/bin/curl"]),
  },
  {
    name: "openssl",
    needs: "certificates of proxies",
    when: ["test"],
    find: () => anyExists(["/usr/bin/openssl"]),
  },
  {
    name: "firefox-esr",
    needs: "browser tests in Firefox",
    when: ["torture"],
    find: () => anyExists([process.env.FIREFOX_PATH, "/usr/bin/firefox-esr"]),
  },
  {
    name: "webkit2gtk-driver",
    needs: "browser tests in WebKit",
    when: ["torture"],
    find: () => anyExists(["/usr/bin/WebKitWebDriver"]),
  },
  {
    name: "libwebkit2gtk-4.1-0",
    needs: "browser tests in WebKit",
    when: ["torture"],
    find: miniBrowserPath,
  },
  {
    name: "xvfb",
    needs: "browsers that need a display",
    when: ["torture"],
    find: () => anyExists(["/usr/bin/Xvfb"]),
  },
];

/** @returns {string | undefined} path of a package's program */
export const programPath = (name) => DEBIAN_PACKAGES.find((one) => one.name === name)?.find();

/** The install script. It also prevents packages from starting their services on the machine of the person who runs the tests. */
const INSTALL = `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq "$@" > /dev/null
`;

/**
 * Installs the packages that a command needs and that are missing. Without apt-get or the right to use it, installs nothing.
 * @param {"bench" | "test" | "torture"} command
 * @returns {{ name: string, needs: string }[]} packages that are still missing afterwards
 */
export function ensureDebian(command, packages = DEBIAN_PACKAGES, install = installByApt) {
  const wanted = packages.filter(({ when }) => when.includes(command));
  const missing = () => wanted.filter(({ find }) => find() === undefined);
  const before = missing();
  if (before.length > 0) install(before.map(({ name }) => name));
  return missing().map(({ name, needs }) => ({ name, needs }));
}

function installByApt(names) {
  if (process.platform !== "linux" || !existsSync("/usr/bin/apt-get")) return;
  console.log(`Installing ${names.join(", ")} …`);
  const command = ["sh", "-c", INSTALL, "sh", ...names];
  const isRoot = process.getuid?.() === 0;
  const mayInstall = isRoot || spawnSync("sudo", ["-n", "true"]).status === 0;
  if (!mayInstall) return;
  if (!isRoot) command.unshift("sudo", "-n");
  const stdio = ["ignore", "ignore", "inherit"];
  const installed = tried(() => spawnSync(command[0], command.slice(1), { stdio }).status === 0);
  if (!installed) exitForEnvironment(`${names.join(", ")} could not be installed`);
}
