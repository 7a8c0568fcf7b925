/**
 * WebKitGTK, driven by WebKitWebDriver's classic WebDriver over fetch, on a display of Xvfb. One driver has one browser. A new tab
 * stays hidden, even when the driver switches to it, until the tabs before it are closed.
 */
import { type ChildProcess, spawn } from "node:child_process";
// @ts-expect-error a script has no types
import { miniBrowserPath } from "../../scripts/lib/debian.mjs";
import { freePort } from "../../scripts/lib/free-port.mjs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export interface WebKit {
  /** Process of the driver that started the browser. */
  readonly driverPid: number;
  open(url: string): Promise<void>;
  /** Opens a tab; the driver stays in the current one. @returns the handle of the new tab */
  newTab(): Promise<string>;
  tab(): Promise<string>;
  switchTo(tab: string): Promise<void>;
  closeTab(): Promise<void>;
  /** Runs a function body in the page and awaits a promise that it returns. */
  run<T>(body: string, ...args: unknown[]): Promise<T>;
  /** Waits until the function body gives something other than null, false or undefined. */
  until<T>(body: string, ...args: unknown[]): Promise<T>;
  /** Waits for the element that the function body gives. */
  element(body: string, ...args: unknown[]): Promise<WebKitElement>;
  close(): Promise<void>;
}
export interface WebKitElement {
  click(): Promise<void>;
  /** Types text into a field, or passes a path to a file input. */
  type(text: string): Promise<void>;
}

const WAIT_MS = 30_000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** Starts Xvfb. @returns the display, e.g. ":7" */
async function startDisplay(): Promise<{ display: string; child: ChildProcess }> {
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error("Xvfb ended while starting")));
    child.stdio[3]?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
  return { display: `:${number}`, child };
}

export async function startWebKit(): Promise<WebKit> {
  const binary = miniBrowserPath() as string | undefined;
  if (binary === undefined) throw new Error("no MiniBrowser; `npm run test:torture` installs it");
  const { display, child: screen } = await startDisplay();
  const port = await freePort();
  const driver = spawn("/usr/bin/WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
    env: { ...process.env, DISPLAY: display, LANG: "C.UTF-8" },
    stdio: "ignore",
  });
  const base = `http://127.0.0.1:${port}`;

  /** @throws Error with the error that WebDriver reports */
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(base + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  const up = Date.now() + WAIT_MS;
  while (
    !(await fetch(`${base}/status`).then(
      (r) => r.ok,
      () => false,
    ))
  ) {
    if (Date.now() > up) throw new Error("WebKitWebDriver did not come up");
    await wait(50);
  }
  const { sessionId } = (await call("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        "webkitgtk:browserOptions": {
          binary,
          args: [
            "--automation",
            "--enable-media-stream=true",
            "--enable-mock-capture-devices=true",
            "--autoplay-policy=allow",
          ],
        },
      },
    },
  })) as { sessionId: string };
  const session = (method: string, path: string, body?: unknown): Promise<unknown> =>
    call(method, `/session/${sessionId}${path}`, body);
  await session("POST", "/timeouts", { script: WAIT_MS, pageLoad: 60_000 });

  const run = async <T>(body: string, ...args: unknown[]): Promise<T> => {
    const script = `const done = arguments[arguments.length - 1];
      const args = [...arguments].slice(0, -1);
      Promise.resolve((async () => { ${body} })()).then(
        (value) => done({ value: value ?? null }),
        (error) => done({ error: String(error) }),
      );`;
    const answer = (await session("POST", "/execute/async", { script, args })) as {
      value?: T;
      error?: string;
    };
    if (answer.error !== undefined) throw new Error(`${answer.error} in: ${body}`);
    return answer.value as T;
  };
  const until = async <T>(body: string, ...args: unknown[]): Promise<T> => {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const found = await run<T | null | false>(body, ...args);
      if (found !== null && found !== false) return found;
      if (Date.now() > end)
        throw new Error(`timed out waiting for: ${body} ${JSON.stringify(args)}`);
      await wait(100);
    }
  };

  return {
    driverPid: driver.pid ?? 0,
    run,
    until,
    open: async (url) => void (await session("POST", "/url", { url })),
    async newTab() {
      const { handle } = (await session("POST", "/window/new", { type: "tab" })) as {
        handle: string;
      };
      return handle;
    },
    tab: async () => (await session("GET", "/window")) as string,
    switchTo: async (handle) => void (await session("POST", "/window", { handle })),
    closeTab: async () => void (await session("DELETE", "/window")),
    async element(body, ...args) {
      const found = await until<Record<string, string>>(body, ...args);
      const path = `/element/${found[ELEMENT]}`;
      return {
        click: async () => void (await session("POST", `${path}/click`, {})),
        type: async (text) => void (await session("POST", `${path}/value`, { text })),
      };
    },
    async close() {
      await session("DELETE", "").catch(() => undefined);
      await stop(driver);
      await stop(screen);
    },
  };
}
