/**
 * A login made by the server's REST call and put into a browser context. It spares the login form and a page load, which take longer than
 * most of what a test does. The form has tests of its own.
 */
import type { BrowserContext, Cookie, Page } from "@playwright/test";
import { SYSTEM_HEADER_VALUE as SYSTEM } from "../../src/shared/protocol/config.ts";
import { restLogin } from "./rest-login.ts";

/**
 * Playwright can begin a context with a state of IndexedDB, but closes its page before the transaction is over: now and then a context
 * began without the login.
 *
 * @returns the page that stored the login. To go on in it by `leaveFor` spares the process that a second page needs.
 * @throws Error when the server refuses the login
 */
export async function storeLogin(
  context: BrowserContext,
  url: string,
  who: { readonly username: string; readonly password: string },
): Promise<Page> {
  const { grant, cookies } = await restLogin(url, who.username, who.password);
  await context.addCookies(cookies.map((line) => cookieOf(line, url)));
  const page = await context.newPage();
  // Any file of the origin that starts no console.
  await page.goto(`${url}/favicon.svg`);
  await page.evaluate(
    (tokens) =>
      new Promise<void>((resolve, reject) => {
        // The console's database and key, as src/workers/core/session/tokens.ts has them.
        const opening = indexedDB.open("keyval-store", 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("keyval");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const writing = opening.result.transaction("keyval", "readwrite");
          writing.objectStore("keyval").put(tokens, "session.tokens");
          writing.onabort = () => reject(writing.error);
          writing.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    { grant, systemName: SYSTEM },
  );
  return page;
}

/** Opens a path in the page that stored the login, and leaves its history as that of a new page. */
export async function leaveFor(page: Page, path: string): Promise<void> {
  const loaded = page.waitForEvent("load");
  // Later, so that the page still answers this call.
  await page.evaluate((to) => void setTimeout(() => location.replace(to)), path);
  await loaded;
}

/** A Set-Cookie header as Playwright's cookie. */
function cookieOf(line: string, url: string): Cookie {
  const [pair = "", ...attributes] = line.split("; ");
  const at = pair.indexOf("=");
  const given = new Map(
    attributes.map((one) => {
      const [name = "", value = ""] = one.split("=");
      return [name.toLowerCase(), value] as const;
    }),
  );
  const maxAge = Number(given.get("max-age") ?? Number.NaN);
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    domain: new URL(url).hostname,
    path: given.get("path") ?? "/",
    expires: Number.isFinite(maxAge) ? Math.floor(Date.now() / 1000) + maxAge : -1,
    httpOnly: given.has("httponly"),
    secure: given.has("secure"),
    sameSite: "Strict",
  };
}
