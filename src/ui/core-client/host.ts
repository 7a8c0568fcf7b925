/** Where the core runs. The one file that names the worker's URL; another host (no SharedWorker) has the same face. */
import { coreName } from "../../shared/protocol/tab-port.ts";

export interface HostPort {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

export interface CoreHost {
  readonly port: HostPort;
  /** The script could not be started. */
  onError: (() => void) | null;
}

/** null where this browser has no way to host the core. */
export type HostFactory = (() => CoreHost) | null;

/** Beyond lib.dom: keeps the worker through the reload of the only tab (Chromium 148 and later). */
interface SharedWorkerOptions extends WorkerOptions {
  readonly extendedLifetime?: boolean;
}

/**
 * Why this page can host no core: it did not come by https, so that it has no Web Locks; the browser has no SharedWorker; or the
 * browser is too old.
 */
export type UnsupportedReason = "insecure" | "noSharedWorker" | "old";

/** What of a page decides whether it can host a core. */
export interface HostFeatures {
  readonly secure: boolean;
  readonly sharedWorker: boolean;
  readonly locks: boolean;
  /** What the build's own code needs beside them. */
  readonly language: boolean;
}

/** @returns null where a core can be hosted */
export function unsupportedReason(has: HostFeatures): UnsupportedReason | null {
  // first, since the same browser may have all it needs by https
  if (!has.secure) return "insecure";
  if (!has.sharedWorker) return "noSharedWorker";
  return has.locks && has.language ? null : "old";
}

/** Of the page that this script runs in. */
export const hostFeatures = (): HostFeatures => ({
  secure: isSecureContext,
  sharedWorker: typeof SharedWorker !== "undefined",
  locks: "locks" in navigator,
  language: "toSorted" in Array.prototype && typeof CompressionStream !== "undefined",
});

/** @returns null where the page can host no core; `unsupportedReason` says why */
export function sharedWorkerHost(): HostFactory {
  if (unsupportedReason(hostFeatures()) !== null) return null;
  return () => {
    const worker = new SharedWorker(new URL("../../workers/core/entry.ts", import.meta.url), {
      type: "module",
      name: coreName(__BUILD__),
      // never varied under one name: a browser refuses that
      extendedLifetime: true,
    } as SharedWorkerOptions);
    const host: CoreHost = { port: worker.port, onError: null };
    worker.addEventListener("error", () => host.onError?.());
    return host;
  };
}
