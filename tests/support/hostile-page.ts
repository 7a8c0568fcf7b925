/** What a hostile text (hostile.ts) did in a page, if it did anything. */
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { EVIL } from "./hostile.ts";

declare global {
  // Reports what ran, set by `watchHostile`.
  var hostileRan: (what: string) => void;
}

/** What a text did in any page of the context: it ran, opened a dialog, asked its host, or led the page elsewhere. */
export async function watchHostile(context: BrowserContext, url: string): Promise<string[]> {
  const done: string[] = [];
  await context.exposeFunction("hostileRan", (what: string) => void done.push(`ran: ${what}`));
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, "ran", {
      set() {
        globalThis.hostileRan(location.pathname);
      },
    });
  });
  context.on("request", (request) => {
    if (new URL(request.url()).hostname.endsWith(EVIL)) done.push(`asked: ${request.url()}`);
  });
  context.on("dialog", (dialog) => {
    done.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (page) =>
    page.on("framenavigated", (frame) => {
      const isOwn = frame.url().startsWith(url) || frame.url() === "about:blank";
      if (!isOwn || frame.parentFrame() !== null) done.push(`led to: ${frame.url()}`);
    }),
  );
  return done;
}

/** Elements and attributes that the console does not have by itself, and that hostile texts make. */
const foreign = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([evil]) =>
      [...document.querySelectorAll("body *, body, title *")]
        .filter(
          (one) =>
            /^(script|iframe|object|embed|base|meta|link|style|marquee|math|isindex|xmp|x-a|template|foreignobject|animate|set)$/i.test(
              one.tagName,
            ) ||
            [...one.attributes].some(
              ({ name, value }) =>
                /^on|^srcdoc$|^(form)?action$|^xlink:/.test(name) ||
                (/^(src|srcset|style|poster|data)$/.test(name) && value.includes(evil!)) ||
                (name === "src" && value === "x") ||
                // A browser reads the protocol as the address says it, whatever stands before or within it.
                (/^(src|href)$/.test(name) &&
                  URL.canParse(value, location.href) &&
                  /^(javascript|vbscript):/.test(new URL(value, location.href).protocol)) ||
                (name === "href" && /^\s*data:/i.test(value)),
            ),
        )
        .map((one) => one.outerHTML.slice(0, 80)),
    [EVIL],
  );

/** @param what the screen, for the message of a failure */
export async function expectNothingForeign(page: Page, what: string): Promise<void> {
  expect(await foreign(page), what).toEqual([]);
}
