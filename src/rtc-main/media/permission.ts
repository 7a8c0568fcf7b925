/** Reads the page's permissions for microphone and camera, in browsers that expose them. */
import type { Kind } from "../engine.ts";

export type Permission = "granted" | "denied" | "prompt";
export interface PermissionPort {
  /** @returns null when the browser does not report it */
  stateOf(kind: Kind): Promise<Permission | null>;
  /** Calls the handler when the person allows a device, also in the browser's settings. @returns a function that removes it */
  onGranted(handler: (kind: Kind) => void): () => void;
}

const NAMES: Readonly<Record<Kind, string>> = { audio: "microphone", video: "camera" };

/** @param permissions undefined when the browser has no Permissions API */
export function createPermission(permissions: Permissions | undefined): PermissionPort {
  const query = async (kind: Kind): Promise<PermissionStatus | null> => {
    try {
      return (await permissions?.query({ name: NAMES[kind] as PermissionName })) ?? null;
    } catch {
      // The browser does not know this permission name.
      return null;
    }
  };
  return {
    stateOf: async (kind) => (await query(kind))?.state ?? null,
    onGranted(handler) {
      const ended = new AbortController();
      for (const kind of ["audio", "video"] as const) {
        void query(kind).then((status) => {
          if (ended.signal.aborted) return;
          status?.addEventListener(
            "change",
            () => {
              if (status.state === "granted") handler(kind);
            },
            { signal: ended.signal },
          );
        });
      }
      return () => ended.abort();
    },
  };
}
