/**
 * What the error log keeps of an error of the console (docs/session.md#error-log): enough to find the fault, and nothing that a person
 * typed or that names one. Pure.
 */

export const ERROR_LIMITS = { message: 500, stack: 8_000, path: 200, frames: 50 } as const;

export interface ErrorText {
  readonly message: string;
  /** The frames alone; the first lines of a stack repeat the message. */
  readonly stack: string;
}

/** Engines put names of the code into quotes after these words. Whatever else is in quotes may be data. */
const BEFORE_NAME =
  /(?:reading|setting|deleting|access|property|execute|on|construct|read|identifier|module)\s+$/i;
const NAME = /^[A-Za-z_$][\w$.#-]{0,60}$/;
const QUOTED = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g;
const URL_LIKE = /\b(?:https?|wss?|blob|file|data):\S+/g;

/** The path of an address, without host, query and fragment. */
const pathOf = (address: string): string =>
  /^data:/i.test(address)
    ? "data:…"
    : address
        .replace(/^(?:blob:)?[a-z]+:\/\/[^/\s]*/i, "")
        .replace(/[?#].*$/s, "")
        .replace(/[)\]}'",;.]+$/, "") || "/";

/** Leaves out long numbers, addresses of mail, and everything but ASCII, in which engines write. */
const plain = (text: string): string =>
  text
    .replace(/[^\s@]+@[^\s@]+/g, "…")
    .replace(/\d{5,}/g, "#")
    .replace(/[^\x20-\x7e…]+/g, "…")
    .replace(/…(?:\s*…)+/g, "…")
    .trim();

export const plainMessage = (message: string): string =>
  plain(
    message
      .slice(0, 4_000)
      .replace(URL_LIKE, pathOf)
      .replace(QUOTED, (quoted, at: number, whole: string) =>
        BEFORE_NAME.test(whole.slice(Math.max(0, at - 20), at)) && NAME.test(quoted.slice(1, -1))
          ? quoted
          : `${quoted[0] ?? ""}…${quoted[0] ?? ""}`,
      ),
  ).slice(0, ERROR_LIMITS.message);

/** `at name (address:line:column)` in Chromium, `name@address:line:column` in Firefox and Safari. */
const FRAME = /^\s*(?:at\s+(?:(.*?)\s+\()?|([^@\s]*)@)([^\s()]+):(\d{1,7}):(\d{1,7})\)?\s*$/;

export const plainStack = (stack: string): string =>
  stack
    .slice(0, 40_000)
    .split("\n")
    .flatMap((line) => {
      const found = FRAME.exec(line);
      if (found === null) return [];
      const [, before, after, address = "", row = "", column = ""] = found;
      const name = (before ?? after ?? "").replace(/[^\w$.<>[\] ]/g, "").slice(0, 80);
      return [`${name === "" ? "?" : name} (${pathOf(address)}:${row}:${column})`];
    })
    .slice(0, ERROR_LIMITS.frames)
    .join("\n")
    .slice(0, ERROR_LIMITS.stack);

/** A page's address without what may name a person: query, fragment, and whatever is no plain word. */
export const plainPath = (path: string): string =>
  pathOf(path)
    .split("/")
    .map((part) => (/^[\w.-]{1,40}$/.test(part) && !/\d{12}/.test(part) ? part : part && "…"))
    .join("/")
    .slice(0, ERROR_LIMITS.path);

/** An error as text, before anything is left out. A code (AppError) says more than its text, which is Chinese. */
export function errorText(reason: unknown): ErrorText {
  if (!(reason instanceof Error)) {
    const kind = typeof reason === "string" ? reason : Object.prototype.toString.call(reason);
    return { message: kind.slice(0, 2_000), stack: "" };
  }
  const code = "code" in reason && typeof reason.code === "string" ? ` ${reason.code}` : "";
  return {
    message: `${reason.name}${code}: ${reason.message}`.slice(0, 2_000),
    stack: (reason.stack ?? "").slice(0, 20_000),
  };
}
