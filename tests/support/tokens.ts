/** Changes the stored tokens of a person, and answers the question of an expired login. */
import { expect, type Page } from "@playwright/test";
import { killCore } from "./crash.ts";

/** Replaces the tokens by ones that the server does not know and restarts the core, whose next request then ends the login. */
export const breakTokens = (page: Page): Promise<void> => replaceTokens(page, true);

/** The same of the access token alone: the next request is refused, and the core gets a new token. */
export const breakAccess = (page: Page): Promise<void> => replaceTokens(page, false);

async function replaceTokens(page: Page, both: boolean): Promise<void> {
  await page.evaluate(async (all) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("keyval-store");
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
    const store = db.transaction("keyval", "readwrite").objectStore("keyval");
    const held = await new Promise<{ systemName: string; grant: Record<string, unknown> }>(
      (resolve) => {
        const request = store.get("session.tokens");
        request.addEventListener("success", () => resolve(request.result));
      },
    );
    const grant = all
      ? { ...held.grant, access_token: "no", refresh_token: "no", iat: 1 }
      : { ...held.grant, access_token: "no" };
    await new Promise<void>((resolve) => {
      const request = store.put({ ...held, grant }, "session.tokens");
      request.addEventListener("success", () => resolve());
    });
    db.close();
  }, both);
  await killCore(page);
}

/** Answers the question of an expired login by a new login. The page goes to /login and then reloads; this waits for both. */
export async function chooseNewLogin(page: Page): Promise<void> {
  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "重新登录" }).click();
  await reloaded;
  await expect(page).toHaveURL(/\/login/);
}
