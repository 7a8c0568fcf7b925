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

/** @returns null without SharedWorker, or without Web Locks: a page that came by plain http from another machine has none. */
export function sharedWorkerHost(): HostFactory {
  if (typeof SharedWorker === "undefined" || !("locks" in navigator)) return null;
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
