/** What a tab remembers on its own: storage entries prefixed 'hyzh-' (console spec §3, §9), and the sidebar's cookie. */

const PREFIX = "hyzh-";

/** `storage` is asked for inside: a browser that refuses it throws at its very name. */
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
    // a full or refused storage loses the preference alone
  }
}

/** null when absent, broken, or storage is refused. */
export const readLocal = (key: string): unknown => read(() => localStorage, key);
export const writeLocal = (key: string, value: string | number | boolean): void =>
  write(() => localStorage, "", key, value);

export function dropLocal(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // refused storage holds nothing
  }
}
/** Any value that can be written as JSON, beside the preferences. */
export const writeLocalValue = (key: string, value: unknown): void =>
  write(() => localStorage, "", key, value);
/** Keys of all tabs that begin so, without the common prefix. */
export function localKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Of this tab alone, for as long as it is open. null as above. */
export const readSession = (key: string): unknown => read(() => sessionStorage, key);
export const writeSession = (key: string, value: unknown): void =>
  write(() => sessionStorage, "session", key, value);
export function dropSession(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // refused storage holds nothing
  }
}

export function readCookie(name: string): string | null {
  for (const part of document.cookie.split(";")) {
    const [key, ...value] = part.trim().split("=");
    if (key === name) return value.join("=");
  }
  return null;
}

/** Of the session: gone with it, and never sent from another site. @param seconds how long it is kept; 0 takes it away */
export function writeSessionCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const life = Math.max(0, Math.trunc(seconds));
  document.cookie = `${name}=${value}; path=/; max-age=${life}; SameSite=Strict${secure}`;
}

/** Kept for a year. */
export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; SameSite=Lax`;
}
