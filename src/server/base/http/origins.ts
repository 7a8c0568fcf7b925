/**
 * Which pages may use this server (docs/server.md#other-origins): those of its own origin, and those of the configured origins. Only
 * browsers send an origin, and only they need to be held back, because they act in their visitor's name.
 */
import type { IncomingMessage } from "node:http";

/** @returns null when an entry is not exactly an origin; `*` and `null` are none */
export function parseOrigins(text: string): readonly string[] | null {
  const origins = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return origins.every(isOrigin) ? origins : null;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^*]+$/.test(text)) return false;
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** Whether the page of this origin is served by the host that it calls. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
}

/** Whether a socket may be opened: by a program, by a page of this server, or by a page of an allowed origin. */
export function mayOpenSocket(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  return origin === undefined || allowed.includes(origin) || isOwnOrigin(origin, host);
}
