/** The service worker: it keeps the shell (docs/shell.md) and rings a browser without a tab (docs/calls.md#web-push). Only this file names its URL. */
// oxlint-disable-next-line typescript/no-restricted-imports, import/default -- the import is the address, not the code
import url from "../workers/service/entry.ts?worker&url";
import { withoutBase } from "../shared/domain/base-path.ts";
import { BASE_PATH } from "./base-path.ts";
import type { KeepShell } from "../shared/protocol/build.ts";

/** The build puts it beside index.html, so its scope is the whole console. Vite serves it from its folder, so it controls no page. */
const scope = (): string => new URL("./", new URL(url, location.href)).pathname;

export const hasPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** @returns null when this browser has not registered it */
export async function serviceRegistration(): Promise<ServiceWorkerRegistration | null> {
  const found = await navigator.serviceWorker.getRegistration(scope());
  // A worker of another scope answers too.
  return found !== undefined && new URL(found.scope).pathname === scope() ? found : null;
}

/** Earlier builds registered a worker for pushes alone. */
const FORMER_SCOPE = "/push/";

async function dropFormer(): Promise<void> {
  const found = await navigator.serviceWorker.getRegistration(FORMER_SCOPE);
  if (found !== undefined && new URL(found.scope).pathname === FORMER_SCOPE) {
    await found.unregister();
  }
}

/** @returns the registration once the worker runs */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  await dropFormer();
  const registration = await navigator.serviceWorker.register(url, {
    scope: scope(),
    // The build makes one script without imports, which Firefox needs; vite serves modules.
    type: import.meta.env.DEV ? "module" : "classic",
  });
  const worker = registration.installing ?? registration.waiting;
  if (registration.active === null && worker !== null) {
    await new Promise<void>((resolve, reject) => {
      worker.addEventListener("statechange", () => {
        if (worker.state === "activated") resolve();
        else if (worker.state === "redundant") reject(new Error("the worker did not start"));
      });
    });
  }
  return registration;
}

/** Paths, inside the console, of the assets that this page has loaded so far. */
const usedAssets = (): string[] => [
  ...new Set(
    performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name))
      .filter(({ origin }) => origin === location.origin)
      .map(({ pathname }) => withoutBase(pathname, BASE_PATH))
      .filter((path) => path.startsWith("/assets/")),
  ),
];

/** Resolves when the service worker answers for this page, so that it sees everything that the page loads from now on. */
function controlled(): Promise<void> {
  const container = navigator.serviceWorker;
  if (container.controller !== null) return Promise.resolve();
  return new Promise((resolve) =>
    container.addEventListener("controllerchange", () => resolve(), { once: true }),
  );
}

/**
 * Registers the service worker and lets it keep the shell. Call it when the page has settled; it changes nothing on the page.
 *
 * @param settled waits until the page has loaded what it began to load
 */
export async function keepShell(settled: () => Promise<void>): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  const { active } = await registerServiceWorker();
  await controlled();
  await settled();
  const message: KeepShell = { kind: "keep-shell", used: usedAssets().slice(0, 500) };
  active?.postMessage(message);
}

/** Looks for the worker of a newer deployment, which then keeps that build's shell before the person reloads. */
export async function renewShell(): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  await (await serviceRegistration())?.update();
}
