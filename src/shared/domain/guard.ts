/** The route guard (docs/session.md#guard) as one pure function, and the check of the login's ?redirect. */

import type { Left } from "../protocol/slices/session.ts";

/** Paths that need no login. */
export const OPEN_PATHS = ["/login", "/auth-redirect", "/register", "/nextPage"] as const;
export const LOGIN_PATH = "/login";
export const AUTH_REDIRECT_PATH = "/auth-redirect";
export const HOME_PATH = "/";

export interface GuardSession {
  readonly status: "restoring" | "anonymous" | "authenticated";
  /** Account, roles and menus are loaded, so the dynamic routes can be generated. */
  readonly infoLoaded: boolean;
  readonly isGuest: "0" | "1";
  /** Loading the info failed, and the person did not retry: navigation continues without it. */
  readonly infoFailed: boolean;
  readonly accountId: string | null;
  /** The person has logged out while this page was open. */
  readonly loggedOut: boolean;
  /** The account that this tab showed last; null when it showed none. Another person must not be sent to its paths. */
  readonly pathOwner: string | null;
}

/** Whether nobody goes on where this login ended: paths, tags and unsaved input go with it. */
export const takesInputAlong = (left: Left | null): boolean =>
  left !== null && ["logout", "dismissed", "disabled", "company-locked"].includes(left);

export interface GuardTarget {
  readonly pathname: string;
  /** With its leading "?", or "". */
  readonly search: string;
  /** With its leading "#", or "". */
  readonly hash: string;
}

export type GuardDecision =
  /** It is not known yet whether there is a token, because the core is still reading its storage. */
  | { readonly type: "wait" }
  | { readonly type: "allow" }
  /** Fetch the user info, then decide again; the target stays. */
  | { readonly type: "load-info" }
  | { readonly type: "redirect"; readonly to: string };

const trimmed = (pathname: string): string => pathname.replace(/(?<=.)\/+$/, "");
/** Whether a page may be seen without a login. */
export const isOpenPath = (pathname: string): boolean =>
  (OPEN_PATHS as readonly string[]).includes(trimmed(pathname));

/**
 * @returns `raw` if a login may lead there: an absolute path of this origin other than the login page; else null. Refuses every
 * spelling of another origin that browsers understand: `//host`, `/\host`, control characters, schemes.
 */
export function safeRedirect(raw: string | null | undefined): string | null {
  if (raw === null || raw === undefined || raw.length > 2000) return null;
  if (!raw.startsWith("/") || raw.startsWith("//")) return null;
  // oxlint-disable-next-line no-control-regex -- URL parsers rewrite backslashes and drop control characters
  if (/[\\\u0000-\u001f\u007f]/.test(raw)) return null;
  const path = trimmed(raw.split(/[?#]/, 1)[0] ?? "");
  if (path === LOGIN_PATH || path.split("/").includes("..")) return null;
  return raw;
}

/** The `redirect` of a query string such as "?redirect=%2Fim%2Fpeople"; null when absent or unsafe. */
export function redirectOf(search: string): string | null {
  for (const pair of search.replace(/^\?/, "").split("&")) {
    const [name, ...rest] = pair.split("=");
    if (name !== "redirect") continue;
    try {
      return safeRedirect(decodeURIComponent(rest.join("=").replaceAll("+", " ")));
    } catch {
      return null;
    }
  }
  return null;
}

/** The login page for a person without a token. It keeps the wanted path with query and hash. */
export function loginFor(target: GuardTarget): string {
  const wanted = `${target.pathname}${target.search}${target.hash}`;
  return `${LOGIN_PATH}?redirect=${encodeURIComponent(wanted)}`;
}

/**
 * Decides about one navigation.
 *
 * @param session what is known about the person now
 * @param target where the person wants to go
 */
export function guard(session: GuardSession, target: GuardTarget): GuardDecision {
  const pathname = trimmed(target.pathname);
  if (session.status === "restoring") return { type: "wait" };
  if (session.status === "anonymous") {
    if (isOpenPath(pathname)) return { type: "allow" };
    // after a logout the next person must not be sent to the previous person's path
    return { type: "redirect", to: session.loggedOut ? LOGIN_PATH : loginFor(target) };
  }
  const { infoLoaded, accountId, pathOwner } = session;
  const another = infoLoaded && pathOwner !== null && pathOwner !== accountId;
  // a logged-in person leaves the login page for the home page, or for the page that sent them here
  if (pathname === LOGIN_PATH) {
    const wanted = redirectOf(target.search);
    // the owner of the path is known only once the account is loaded
    if (wanted !== null && pathOwner !== null && !infoLoaded && !session.infoFailed) {
      return { type: "load-info" };
    }
    const own = infoLoaded ? !another : pathOwner === null;
    return { type: "redirect", to: own && wanted !== null ? wanted : HOME_PATH };
  }
  if (isOpenPath(pathname)) return { type: "allow" };
  if (another && pathname !== HOME_PATH) return { type: "redirect", to: HOME_PATH };
  if (!session.infoLoaded && session.isGuest !== "1" && !session.infoFailed) {
    return { type: "load-info" };
  }
  return { type: "allow" };
}
