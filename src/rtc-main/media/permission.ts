/** Reads the page's permissions for microphone and camera, in browsers that expose them. */
import type { Kind } from "../engines/engine.ts";

export type Permission = "granted" | "denied" | "prompt";
export interface PermissionPort {
  /** @returns null where the browser does not tell */
  of(kind: Kind): Promise<Permission | null>;
  /** The person allows a device, in the browser's own settings too. @returns stops listening */
  onGranted(handler: (kind: Kind) => void): () => void;
}

const NAMES: Readonly<Record<Kind, string>> = { audio: "microphone", video: "camera" };

/** @param permissions undefined where the browser has none */
export function createPermission(permissions: Permissions | undefined): PermissionPort {
  const query = async (kind: Kind): Promise<PermissionStatus | null> => {
    try {
      return (await permissions?.query({ name: NAMES[kind] as PermissionName })) ?? null;
    } catch {
      // a name that this browser does not know
      return null;
    }
  };
  return {
    of: async (kind) => (await query(kind))?.state ?? null,
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
