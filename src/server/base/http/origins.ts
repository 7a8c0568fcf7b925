/**
 * Which pages may use this server (docs/server.md#other-origins): those of its own origin, and those of the configured origins. Only
 * browsers send an origin, and only they need to be held back, because they act in their visitor's name.
 */

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

/** Whether the text is a host with or without a port, so that it can be part of an address. */
export const isHost = (text: string): boolean =>
  /^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/i.test(text);

/** @param hosts under which the client may know this server (`Client.hosts`) */
export function isOwnOrigin(origin: string, hosts: readonly string[]): boolean {
  const page = parsed(origin);
  if (page === null) return false;
  // A browser leaves out the usual port of its scheme, and a proxy may add it.
  return hosts.some(
    (host) =>
      host === page.host ||
      (isHost(host) && parsed(`${page.protocol}//${host}`)?.host === page.host),
  );
}

function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/**
 * Whether a socket may be opened: by a program, by a page of this server, or by a page of an allowed origin.
 *
 * @param origin undefined: a program, since every browser names the origin
 * @param hosts as for `isOwnOrigin`
 */
export const mayOpenSocket = (
  origin: string | undefined,
  hosts: readonly string[],
  allowed: readonly string[],
): boolean => origin === undefined || allowed.includes(origin) || isOwnOrigin(origin, hosts);
