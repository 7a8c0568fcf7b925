/**
 * The console may lie below a path of its host, its base path (docs/server.md#base-path). It is "" or like "/console", without a slash at
 * its end.
 */

/** The build puts every script of a page and of the core into this folder, directly below the base path. */
const SCRIPT = /^[a-z]+:\/\/[^/]*(.*)\/assets\/[^/]+$/;

/** The base path, from the address of a script of the build. "" for a script that no build has placed. */
export const basePathOf = (script: string): string =>
  SCRIPT.exec(script.replace(/[?#].*$/, ""))?.[1] ?? "";

/**
 * The name of something that all pages of a host share: a database, a lock, a channel, an entry of the storage. Two consoles of one host
 * lie below different paths and must not meet in it.
 */
export const nameBelow = (base: string, name: string): string =>
  base === "" ? name : `${base}:${name}`;

/**
 * The locks of the host as those of the console below this base path.
 *
 * @param manager a LockManager, a type that code for workers and servers does not know
 */
export function locksBelow<R extends (...args: never[]) => unknown>(
  base: string,
  manager: { readonly request: R },
): { readonly request: R } {
  if (base === "") return manager;
  const request = (name: string, ...rest: unknown[]): unknown =>
    Reflect.apply(manager.request, manager, [nameBelow(base, name), ...rest]);
  // The same parameters, with another name.
  return { request: request as unknown as R };
}

/**
 * A path of the host as a path of the console. A path outside of the base path stays as it is.
 *
 * The base path may be there more than once: the chat SDK puts the provider's address, which ends with it, before the path of a file.
 */
export function withoutBase(path: string, base: string): string {
  if (base === "") return path;
  let rest = path;
  while (rest.startsWith(base) && /^([/?#]|$)/.test(rest.slice(base.length))) {
    rest = rest.slice(base.length);
  }
  return rest.startsWith("/") ? rest : `/${rest}`;
}
