/**
 * Which requests of pages the service worker answers from its caches (docs/shell.md). A cache belongs to a build and holds its
 * index.html and its assets. Nothing else is ever cached: no answer of a call and no file of a person.
 */
import { withoutBase } from "../../shared/domain/base-path.ts";
import { BUILD_PATH, type BuildFile, buildFileSchema } from "../../shared/protocol/build.ts";

/** The parts of a service worker that this file uses. */
export interface ShellWorld {
  readonly build: string;
  /** Address of the console: origin and base path, without a slash at its end. */
  readonly home: string;
  readonly caches: Pick<CacheStorage, "keys" | "open" | "delete" | "match">;
  readonly fetch: (request: Request | string, init?: RequestInit) => Promise<Response>;
  /** Resolves after so many ms. */
  readonly wait: (ms: number) => Promise<void>;
}

export interface ShellRequest {
  readonly request: Request;
  /** The answer that the browser has requested while this worker started; undefined: it has not. */
  readonly preloaded: Promise<Response | undefined>;
}

export interface Shell {
  /** @returns null when the request is none of the shell's, so that the browser handles it as ever */
  answer(asked: ShellRequest): Promise<Response> | null;
  /**
   * Stores the shell of this build, and drops the builds before the previous one.
   *
   * @param used assets that a tab has loaded, which are stored as well
   */
  keep(used: readonly string[]): Promise<void>;
}

const PREFIX = "shell-";
const INDEX = "/index.html";
/** Pages of this origin that are not the console, and calls whose answer a link downloads. */
export const OTHER_PAGES =
  /^\/(openapi|invite|healthz|metrics|dc-im|dc-message|umc-rbac|uaa|scm-supplier|sys-admin|common)(\/|$)|\/(chatfiles|share_files)\//;
/** ms that the server may take to answer for a page before the kept one is shown. */
export const PAGE_PATIENCE = 4_000;
/** Downloads at a time, so that a page which loads meanwhile has the other connections. */
const LANES = 3;
/** The previous build stays, because tabs of it may be open. */
const BUILDS = 2;

const isAsset = (path: string): boolean => path.startsWith("/assets/");
/** True for a page of the console: its router's paths have no ending. */
const isPage = (path: string): boolean =>
  !OTHER_PAGES.test(path) && (path === INDEX || !/\.[^/]*$/.test(path));

export function createShell({ build, home, caches, fetch, wait }: ShellWorld): Shell {
  const { origin, pathname: base } = new URL(home);
  const prefix = base === "/" ? PREFIX : `${PREFIX.slice(0, -1)}:${base}-`;
  const own = `${prefix}${build}`;
  const addressOf = (path: string): string => `${home}${path}`;
  const shells = async (): Promise<string[]> =>
    (await caches.keys()).filter((name) => name.startsWith(prefix));
  const find = (path: string): Promise<Response | undefined> =>
    caches.match(addressOf(path), { ignoreVary: true });

  /** index.html of this build, or else of the newest one that is complete. */
  async function keptPage(): Promise<Response | undefined> {
    const names = (await shells()).filter((name) => name !== own);
    for (const name of [own, ...names.toReversed()]) {
      const page = await (
        await caches.open(name)
      ).match(addressOf(INDEX), {
        ignoreVary: true,
      });
      if (page !== undefined) return page;
    }
    return undefined;
  }

  async function put(path: string, answer: Response): Promise<void> {
    if (answer.status !== 200 || answer.type === "opaque" || answer.redirected) return;
    // A full disk: the page works without the copy.
    await (await caches.open(own)).put(addressOf(path), answer).catch(() => undefined);
  }

  async function asset(request: Request, path: string): Promise<Response> {
    const kept = await find(path);
    if (kept !== undefined) return kept;
    const answer = await fetch(request);
    // The page does not wait for the copy.
    void put(path, answer.clone());
    return answer;
  }

  async function page({ request, preloaded }: ShellRequest): Promise<Response> {
    const fresh = preloaded
      .then((answer) => answer ?? fetch(request))
      .catch((error: unknown) => (error instanceof Error ? error : new Error("no answer")));
    const first = await Promise.race([fresh, wait(PAGE_PATIENCE)]);
    // A gateway without its server answers 502 to 504.
    if (first instanceof Response && first.status < 500) return first;
    const kept = await keptPage();
    if (kept !== undefined) return kept;
    const late = first ?? (await fresh);
    return late instanceof Response ? late : Response.error();
  }

  /** @throws Error when one of the assets is missing */
  async function load(paths: readonly string[]): Promise<void> {
    const cache = await caches.open(own);
    const waiting = [...new Set(paths)].filter(isAsset);
    const lane = async (): Promise<void> => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        if ((await find(path)) !== undefined) continue;
        const loaded = await fetch(addressOf(path));
        if (!loaded.ok) throw new Error(`${path}: ${loaded.status}`);
        await cache.put(addressOf(path), loaded);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  /** What a tab of the former build has loaded may be gone. */
  async function loadUsed(paths: readonly string[]): Promise<void> {
    for (const path of paths) await load([path]).catch(() => undefined);
  }

  /** @returns null while this build is not the deployed one, whose own worker keeps it */
  async function deployed(): Promise<BuildFile | null> {
    const answer = await fetch(addressOf(BUILD_PATH), { cache: "no-store" });
    if (!answer.ok) return null;
    const file = buildFileSchema.parse(await answer.json());
    return file.build === build ? file : null;
  }

  async function keep(used: readonly string[]): Promise<void> {
    const index = addressOf(INDEX);
    const cache = await caches.open(own);
    if ((await cache.match(index, { ignoreVary: true })) !== undefined) return loadUsed(used);
    const file = await deployed();
    if (file === null) return;
    await load(file.shell);
    // Last, because a page without its assets would not start. A deployment may have come between, so the build is asked again.
    const page = await fetch(addressOf(INDEX), { cache: "no-cache" });
    if (!page.ok || (await deployed()) === null) return;
    await cache.put(index, page);
    const others = (await shells()).filter((name) => name !== own);
    const tooOld = others.slice(0, Math.max(0, others.length - BUILDS + 1));
    await Promise.all(tooOld.map((name) => caches.delete(name)));
    await loadUsed(used);
  }

  return {
    keep,
    answer(asked) {
      const { request } = asked;
      const url = new URL(request.url);
      if (request.method !== "GET" || url.origin !== origin) return null;
      const path = withoutBase(url.pathname, base === "/" ? "" : base);
      if (request.mode === "navigate") return isPage(path) ? page(asked) : null;
      return isAsset(path) && !request.headers.has("range") ? asset(request, path) : null;
    },
  };
}
