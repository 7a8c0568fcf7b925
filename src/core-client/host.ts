/** Where the core runs. Only this file names the worker's URL; another host would implement the same interface. */
import { coreName } from "../shared/protocol/port-names.ts";

export interface HostPort {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

export interface CoreHost {
  readonly port: HostPort;
  /** The script failed to start. */
  onError: (() => void) | null;
}

/** null when this browser cannot host the core. */
export type HostFactory = (() => CoreHost) | null;

/** Missing in lib.dom: keeps the worker alive while its only tab reloads (Chromium 148 and later). */
interface SharedWorkerOptions extends WorkerOptions {
  readonly extendedLifetime?: boolean;
}

/**
 * Why this page cannot host a core. insecure: it was not loaded over https, so it has no Web Locks. noSharedWorker: the browser has
 * no SharedWorker. old: the browser lacks locks or language features.
 */
export type UnsupportedReason = "insecure" | "noSharedWorker" | "old";

/** The features that a page needs to host a core. */
export interface HostFeatures {
  readonly secure: boolean;
  readonly sharedWorker: boolean;
  readonly locks: boolean;
  /** Language features that the build's own code needs. */
  readonly language: boolean;
}

/** @returns null when the page can host a core */
export function unsupportedReason(has: HostFeatures): UnsupportedReason | null {
  // first, because the same browser may have everything it needs over https
  if (!has.secure) return "insecure";
  if (!has.sharedWorker) return "noSharedWorker";
  return has.locks && has.language ? null : "old";
}

/** Features of the current page. */
export const hostFeatures = (): HostFeatures => ({
  secure: isSecureContext,
  sharedWorker: typeof SharedWorker !== "undefined",
  locks: "locks" in navigator,
  language: "toSorted" in Array.prototype && typeof CompressionStream !== "undefined",
});

/** @returns null when the page cannot host a core; `unsupportedReason` says why */
export function sharedWorkerHost(): HostFactory {
  if (unsupportedReason(hostFeatures()) !== null) return null;
  return () => {
    const worker = new SharedWorker(new URL("../workers/core/entry.ts", import.meta.url), {
      type: "module",
      name: coreName(__BUILD__),
      // constant per worker name, because a browser refuses the same name with other options
      extendedLifetime: true,
    } as SharedWorkerOptions);
    const host: CoreHost = { port: worker.port, onError: null };
    worker.addEventListener("error", () => host.onError?.());
    return host;
  };
}
