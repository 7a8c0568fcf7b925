/**
 * Entry file of the service worker: it keeps the shell for a visit without the network (docs/shell.md), and rings a browser without a
 * tab (docs/calls.md#web-push).
 */
import { createStore, set } from "idb-keyval";
import { nameBelow, withoutBase } from "../../shared/domain/base-path.ts";
import { PUSH_STORE } from "../../shared/protocol/push.ts";
import { keepShellSchema } from "../../shared/protocol/build.ts";
import { pushRefuseCall } from "../../shared/protocol/rest/push.ts";
import { onClick, onPush, type PushTab, type PushWorld } from "./push.ts";
import { createShell, OTHER_PAGES } from "./shell.ts";

/** What this file uses of a service worker; the types of the project are those of pages. */
interface WindowTab {
  readonly url: string;
  readonly visibilityState: "visible" | "hidden";
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}
interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Push extends Waiting {
  readonly data: { text(): string } | null;
}
interface Click extends Waiting {
  readonly action: string;
  readonly notification: Notification;
}
interface FetchOfPage extends Event {
  readonly request: Request;
  readonly preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface Installing extends Waiting {
  /** Chromium: requests that need not wait for this worker. */
  addRoutes?(rules: readonly object[]): Promise<void>;
}
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly WindowTab[]>;
    openWindow(path: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install", handler: (event: Installing) => void): void;
  addEventListener(type: "activate", handler: (event: Waiting) => void): void;
  addEventListener(type: "fetch", handler: (event: FetchOfPage) => void): void;
  addEventListener(
    type: "message",
    handler: (event: Waiting & { readonly data: unknown }) => void,
  ): void;
  addEventListener(type: "push", handler: (event: Push) => void): void;
  addEventListener(type: "notificationclick", handler: (event: Click) => void): void;
}
// The types are those of a page; a worker has this scope instead.
const scope = globalThis as unknown as Scope;
/** The base path of the console. The build puts this script directly below it. */
const BASE = import.meta.env.DEV ? "" : new URL(".", location.href).pathname.slice(0, -1);

/** ms that the server may take to hear a refusal. */
const PATIENCE = 8000;

const tabOf = (tab: WindowTab): PushTab => ({
  visible: tab.visibilityState === "visible",
  focus: async () => void (await tab.focus()),
  send: (message) => tab.postMessage(message),
});

const world: PushWorld = {
  show: (title, options) =>
    scope.registration.showNotification(title, {
      ...options,
      ...(options.icon === undefined ? {} : { icon: `${BASE}${options.icon}` }),
    }),
  async close(tag) {
    for (const shown of await scope.registration.getNotifications({ tag })) shown.close();
  },
  async tabs() {
    const all = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
    // Another console of this host has a worker of its own.
    const own = all.filter(({ url }) => url.startsWith(`${location.origin}${BASE}/`));
    return own
      .filter(({ url }) => !OTHER_PAGES.test(withoutBase(new URL(url).pathname, BASE)))
      .map(tabOf);
  },
  open: async (path) => void (await scope.clients.openWindow(`${BASE}${path}`)),
  keep: (wish) =>
    set(PUSH_STORE.key, wish, createStore(nameBelow(BASE, PUSH_STORE.database), PUSH_STORE.store)),
  now: () => Date.now(),
  async refuse(token) {
    const response = await fetch(`${BASE}${pushRefuseCall.path}`, {
      method: pushRefuseCall.method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
  },
};

const shell = createShell({
  build: __BUILD__,
  home: `${location.origin}${BASE}`,
  caches,
  fetch: (request, init) => fetch(request, init),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
/** Requests of calls never wait for this worker to start. Browsers without routes ask it, and it lets them pass. */
const ROUTES = [
  {
    condition: {
      not: { or: [{ requestMode: "navigate" }, { urlPattern: { pathname: `${BASE}/assets/*` } }] },
    },
    source: "network",
  },
];
const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

scope.addEventListener("install", (event) => {
  try {
    const routes = event.addRoutes?.(ROUTES);
    if (routes !== undefined) event.waitUntil(settled(routes));
  } catch {
    // The browser knows other conditions: all requests ask this worker.
  }
  // A new build takes over at once: pages of the one before find its assets in its cache, and the next page is shown at once.
  event.waitUntil(Promise.all([scope.skipWaiting(), settled(shell.keep([]))]));
});
scope.addEventListener("activate", (event) => {
  const { navigationPreload } = scope.registration as Partial<ServiceWorkerRegistration>;
  event.waitUntil(
    Promise.all([settled(navigationPreload?.enable() ?? Promise.resolve()), scope.clients.claim()]),
  );
});
scope.addEventListener("fetch", (event) => {
  const answer = shell.answer({
    request: event.request,
    preloaded: event.preloadResponse ?? Promise.resolve(undefined),
  });
  if (answer !== null) event.respondWith(answer);
});
scope.addEventListener("message", (event) => {
  const message = keepShellSchema.safeParse(event.data);
  if (message.success) event.waitUntil(settled(shell.keep(message.data.used)));
});
scope.addEventListener("push", (event) => {
  if (event.data !== null) event.waitUntil(onPush(event.data.text(), world));
});
scope.addEventListener("notificationclick", (event) => {
  const { data, title } = event.notification;
  event.waitUntil(onClick({ action: event.action, title, data: data as unknown }, world));
});
