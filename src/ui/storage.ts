/** What a tab remembers on its own: storage entries prefixed 'hyzh-', below a path with the path before it (docs/session.md#storage-keys), and the sidebar's cookie. */

import { BASE_PATH } from "../core-client/base-path.ts";
import { nameBelow } from "../shared/domain/base-path.ts";

const PREFIX = nameBelow(BASE_PATH, "hyzh-");
const COOKIE_PATH = BASE_PATH === "" ? "/" : BASE_PATH;
/** Key of the tab's tags (tags.ts), which a logout takes along. */
export const TAGS_KEY = "tagsView";

/** `storage` is called inside the try, because a browser that refuses storage throws on access to the property. */
function read(storage: () => Storage, key: string): unknown {
  try {
    const raw = storage().getItem(PREFIX + key);
    if (raw === null) return null;
    const entry: unknown = JSON.parse(raw);
    return typeof entry === "object" && entry !== null && "value" in entry ? entry.value : null;
  } catch {
    return null;
  }
}

function write(storage: () => Storage, type: "" | "session", key: string, value: unknown): void {
  const entry = { dataType: typeof value, value, type, datetime: Date.now() };
  try {
    storage().setItem(PREFIX + key, JSON.stringify(entry));
  } catch {
    // a full or refused storage loses only the preference
  }
}

/** The whole name of an entry of localStorage, as a `storage` event has it. */
export const localKey = (key: string): string => PREFIX + key;
/** null when the value is absent or broken, or storage is refused. */
export const readLocal = (key: string): unknown => read(() => localStorage, key);
export const writeLocal = (key: string, value: string | number | boolean): void =>
  write(() => localStorage, "", key, value);

export function dropLocal(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // a refused storage contains nothing
  }
}
/** Stores any JSON value. */
export const writeLocalValue = (key: string, value: unknown): void =>
  write(() => localStorage, "", key, value);
function keysOf(storage: () => Storage, prefix: string): string[] {
  try {
    return Object.keys(storage())
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Keys of localStorage that begin with `prefix`, without the common prefix. */
export const localKeys = (prefix: string): string[] => keysOf(() => localStorage, prefix);
/** The same of sessionStorage. */
export const sessionKeys = (prefix: string): string[] => keysOf(() => sessionStorage, prefix);

/** Storage of this tab only, kept while it is open; null as for readLocal. */
export const readSession = (key: string): unknown => read(() => sessionStorage, key);
export const writeSession = (key: string, value: unknown): void =>
  write(() => sessionStorage, "session", key, value);
export function dropSession(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // a refused storage contains nothing
  }
}

/** Forgets all that this tab keeps. */
export function clearSession(): void {
  for (const key of sessionKeys("")) dropSession(key);
}

export function readCookie(name: string): string | null {
  for (const part of document.cookie.split(";")) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}

/** A SameSite=Strict cookie that belongs to the login. @param seconds lifetime; 0 deletes the cookie */
export function writeSessionCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const life = Math.max(0, Math.trunc(seconds));
  document.cookie = `${name}=${value}; path=${COOKIE_PATH}; max-age=${life}; SameSite=Strict${secure}`;
}

/** A cookie that lasts one year. */
export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=${COOKIE_PATH}; max-age=31536000; SameSite=Lax`;
}
