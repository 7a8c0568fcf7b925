/**
 * A login made by the server's REST call, as the state that a browser context starts with. It spares the login form and a page load,
 * which take longer than most of what a test does. The form has tests of its own.
 */
import type { BrowserContextOptions } from "@playwright/test";
import { SYSTEM_HEADER_VALUE as SYSTEM } from "../../src/shared/protocol/config.ts";
import { restLogin } from "./rest-login.ts";

type State = Exclude<BrowserContextOptions["storageState"], string | undefined>;

/** @throws Error when the server refuses the login */
export async function storedLogin(url: string, username: string, password: string): Promise<State> {
  const { grant, cookies } = await restLogin(url, username, password);
  // The console's key and value, as src/workers/core/session/tokens.ts keeps them.
  const record = { key: "session.tokens", value: { grant, systemName: SYSTEM } };
  const store = { name: "keyval", autoIncrement: false, records: [record], indexes: [] };
  const database = { name: "keyval-store", version: 1, stores: [store] };
  // Playwright's types do not have the part of IndexedDB.
  const origin = { origin: url, localStorage: [], indexedDB: [database] };
  return {
    cookies: cookies.map((line) => cookieOf(line, url)),
    origins: [origin],
  };
}

/** A Set-Cookie header as Playwright's cookie. */
function cookieOf(line: string, url: string): State["cookies"][number] {
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
