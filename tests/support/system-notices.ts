/** Notifications of the system in tests: a headless Chromium refuses them, and a page of Playwright is always visible. */
import type { Page } from "@playwright/test";

declare global {
  // Notifications that a page shows, set by `stubNotices`.
  var shownNotices: { readonly text: string; readonly click: () => void }[];
}

/** Replaces the notifications of a page; they are refused until the page asks. */
export const stubNotices = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shown: { text: string; click: () => void }[] = [];
    class Shown extends EventTarget {
      static permission = "default";
      static requestPermission(): Promise<string> {
        Shown.permission = "granted";
        return Promise.resolve("granted");
      }
      readonly #entry: { text: string; click: () => void };
      constructor(title: string, options?: NotificationOptions) {
        super();
        this.#entry = {
          text: `${title}: ${options?.body ?? ""}`,
          click: () => void this.dispatchEvent(new Event("click")),
        };
        shown.push(this.#entry);
      }
      close(): void {
        const at = shown.indexOf(this.#entry);
        if (at >= 0) shown.splice(at, 1);
      }
    }
    Object.assign(globalThis, { Notification: Shown, shownNotices: shown });
  });

/** Hides the pages, whose browser allows notifications, or shows them again. */
export async function setVisible(pages: readonly Page[], visible: boolean): Promise<void> {
  for (const page of pages) {
    await page.evaluate(
      (state) => {
        // The browser's own cannot be set; such a page has the permission.
        if (Object.getOwnPropertyDescriptor(Notification, "permission")?.writable === true) {
          Object.assign(Notification, { permission: "granted" });
        }
        Object.defineProperty(document, "visibilityState", {
          configurable: true,
          get: () => state,
        });
        document.dispatchEvent(new Event("visibilitychange"));
      },
      visible ? "visible" : "hidden",
    );
  }
}

/** Texts of the notifications that the pages show. */
export async function shownNotices(pages: readonly Page[]): Promise<string[]> {
  const each = await Promise.all(
    pages.map((page) => page.evaluate(() => globalThis.shownNotices.map(({ text }) => text))),
  );
  return each.flat();
}

/** Clicks the first notification of a page. */
export const clickNotice = (page: Page): Promise<void> =>
  page.evaluate(() => globalThis.shownNotices[0]?.click());
