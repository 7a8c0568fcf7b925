import { describe, expect, it } from "vitest";
import { createShell, type ShellWorld } from "./shell.ts";

const ORIGIN = "https://console.test";

/** Caches in memory, by name and address. */
function createCaches() {
  const all = new Map<string, Map<string, Response>>();
  const open = (name: string): Cache => {
    const kept = all.get(name) ?? new Map<string, Response>();
    all.set(name, kept);
    return {
      match: async (url: string) => kept.get(url)?.clone(),
      put: async (url: string, answer: Response) => void kept.set(url, answer),
    } as unknown as Cache;
  };
  const caches = {
    keys: async () => [...all.keys()],
    open: async (name: string) => open(name),
    delete: async (name: string) => all.delete(name),
    async match(url: string) {
      for (const kept of all.values()) if (kept.has(url)) return kept.get(url)?.clone();
      return undefined;
    },
  } as unknown as ShellWorld["caches"];
  const paths = (): string[] =>
    [...all].flatMap(([name, kept]) =>
      [...kept.keys()].map((url) => `${name} ${new URL(url).pathname}`),
    );
  return { caches, paths };
}

function setUp(store = createCaches(), build = "b1", base = "") {
  const server = {
    down: false,
    status: 200,
    build,
    assets: ["/assets/main.js"] as string[],
    asked: [] as string[],
    never: false,
  };
  const shell = createShell({
    build,
    home: ORIGIN + base,
    caches: store.caches,
    // The wait is over at once, or never.
    wait: () => (server.never ? Promise.resolve() : new Promise(() => {})),
    async fetch(request) {
      const { pathname } = new URL(typeof request === "string" ? request : request.url, ORIGIN);
      server.asked.push(pathname);
      if (server.never) return new Promise(() => {});
      if (server.down) throw new TypeError("Failed to fetch");
      if (server.status !== 200) return new Response("", { status: server.status });
      if (pathname === `${base}/build.json`) {
        return Response.json({ build: server.build, shell: server.assets });
      }
      if (pathname.startsWith(`${base}/assets/gone`)) return new Response("", { status: 404 });
      return new Response(`${server.build} ${pathname}`);
    },
  });
  const ask = async (path: string, init: RequestInit & { navigate?: boolean } = {}) => {
    const request = new Request(new URL(path, ORIGIN), init);
    if (init.navigate === true) Object.defineProperty(request, "mode", { value: "navigate" });
    const answer = shell.answer({ request, preloaded: Promise.resolve(undefined) });
    return answer === null ? "passed" : await (await answer).text();
  };
  return { shell, server, ask, store };
}
const PAGE = { navigate: true } as const;

describe("The shell of the service worker", () => {
  it("answers pages and assets without the network once it has kept them", async () => {
    const { shell, server, ask } = setUp();
    await shell.keep(["/assets/people.js"]);
    server.down = true;
    expect(await ask("/im/people?chat=a", PAGE)).toBe("b1 /index.html");
    expect(await ask("/assets/main.js")).toBe("b1 /assets/main.js");
    expect(await ask("/assets/people.js")).toBe("b1 /assets/people.js");
  });

  it("asks the server for a page first, and shows the kept one when a gateway fails or nothing answers", async () => {
    const { shell, server, ask } = setUp();
    await shell.keep([]);
    expect(await ask("/im/people", PAGE)).toBe("b1 /im/people");
    server.status = 502;
    expect(await ask("/im/people", PAGE)).toBe("b1 /index.html");
    server.never = true;
    expect(await ask("/im/people", PAGE)).toBe("b1 /index.html");
  });

  it("of a console below a path keeps and answers what lies there, beside that of another console", async () => {
    const store = createCaches();
    const root = setUp(store, "b1");
    const below = setUp(store, "b2", "/console");
    await root.shell.keep([]);
    await below.shell.keep(["/assets/people.js"]);
    expect(store.paths()).toEqual([
      "shell-b1 /assets/main.js",
      "shell-b1 /index.html",
      "shell:/console-b2 /console/assets/main.js",
      "shell:/console-b2 /console/index.html",
      "shell:/console-b2 /console/assets/people.js",
    ]);
    below.server.down = true;
    expect(await below.ask("/console/im/people", PAGE)).toBe("b2 /console/index.html");
    expect(await below.ask("/console/assets/people.js")).toBe("b2 /console/assets/people.js");
    expect(await below.ask("/console/openapi", PAGE)).toBe("passed");
    expect(await below.ask("/console/build.json")).toBe("passed");
  });

  it("asks the server for an asset once", async () => {
    const { server, ask } = setUp();
    await ask("/assets/chart.js");
    await ask("/assets/chart.js");
    expect(server.asked).toEqual(["/assets/chart.js"]);
  });

  it.each([
    ["/dc-im/api/files/1", {}],
    ["/supplier/employees?limit=20", {}],
    ["/console-config.json", {}],
    ["/build.json", {}],
    ["/healthz", {}],
    ["/openapi", PAGE],
    ["/invite/abc", PAGE],
    ["/umc-rbac/common/download?fileName=a", PAGE],
    ["/hyzh/console/chatfiles/1b4e28ba?share-secret=a", PAGE],
    ["/files/contract.pdf", PAGE],
    ["/assets/main.js", { method: "POST" }],
    ["/assets/ring.mp3", { headers: { range: "bytes=0-1" } }],
    ["https://elsewhere.test/assets/main.js", {}],
  ])("lets %s pass and keeps nothing of it", async (path, init) => {
    const { shell, ask, store } = setUp();
    await shell.keep([]);
    const before = store.paths();
    expect(await ask(path, init)).toBe("passed");
    expect(store.paths()).toEqual(before);
  });

  it("keeps no missing asset", async () => {
    const { shell, server, ask, store } = setUp();
    await ask("/assets/gone.js");
    server.assets = ["/assets/main.js", "/assets/gone.js"];
    await expect(shell.keep([])).rejects.toThrow("404");
    expect(store.paths()).not.toContain("shell-b1 /index.html");
    expect(store.paths()).not.toContain("shell-b1 /assets/gone.js");
  });

  it("keeps the shell also when a tab names an asset that is gone", async () => {
    const { shell, store } = setUp();
    await shell.keep(["/assets/gone.js", "/assets/people.js"]);
    expect(store.paths()).toEqual([
      "shell-b1 /assets/main.js",
      "shell-b1 /index.html",
      "shell-b1 /assets/people.js",
    ]);
  });

  it("keeps no page of another build", async () => {
    const { shell, server, store } = setUp();
    server.build = "b2";
    await shell.keep([]);
    expect(store.paths()).toEqual([]);
  });

  it("keeps the build before for its open tabs, and drops older ones", async () => {
    const store = createCaches();
    for (const build of ["b1", "b2", "b3"]) {
      const { shell, server } = setUp(store, build);
      server.assets = [`/assets/${build}.js`];
      await shell.keep([]);
    }
    const { server, ask } = setUp(store, "b3");
    server.down = true;
    expect(store.paths()).toEqual([
      "shell-b2 /assets/b2.js",
      "shell-b2 /index.html",
      "shell-b3 /assets/b3.js",
      "shell-b3 /index.html",
    ]);
    expect(await ask("/assets/b2.js")).toBe("b2 /assets/b2.js");
    expect(await ask("/", PAGE)).toBe("b3 /index.html");
  });
});
