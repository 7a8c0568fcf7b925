/** The page's sanitiser of rich text, without the server's and without the console's policy (docs/server.md#texts-of-people). */
import { join } from "node:path";
import { build } from "vite";
import { sanitise } from "../../src/server/modules/bulletins/sanitise.ts";
import { BULLETIN_LINKS, BULLETIN_TAGS } from "../../src/shared/domain/bulletins.ts";
import { expect, test } from "../support/fixtures.ts";
import { EVIL, MARKUP } from "../support/hostile.ts";

declare global {
  // The built sanitiser, as its bundle names it.
  var sanitiser: { safeFragment(html: string): DocumentFragment };
}

const root = join(import.meta.dirname, "../..");

test("The page's sanitiser alone leaves nothing that runs of what does run without it", async ({
  browser,
}) => {
  const entry = join(root, "src/ui/components/rich-text/safe-fragment.ts");
  const [made] = [
    await build({
      configFile: false,
      logLevel: "silent",
      build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "sanitiser" } },
    }),
  ].flat();
  if (made === undefined || !("output" in made)) throw new Error("nothing was built");
  // A context without the console's policy, so that what runs is stopped by the sanitiser alone.
  const context = await browser.newContext();
  await context.route("**/*", (route) => route.abort());
  const asked: string[] = [];
  context.on("request", (request) => asked.push(request.url()));
  const page = await context.newPage();
  await page.addScriptTag({ content: made.output[0].code });
  const run = (sanitised: boolean): Promise<{ readonly ran: string[]; readonly wrong: string[] }> =>
    page.evaluate(
      async ({ texts, tags, links, clean }) => {
        const ran: string[] = [];
        const wrong: string[] = [];
        let now = "";
        Object.defineProperty(globalThis, "ran", {
          configurable: true,
          set() {
            ran.push(now);
          },
        });
        for (const text of texts) {
          now = text;
          const box = document.createElement("div");
          document.body.replaceChildren(box);
          if (clean) box.append(globalThis.sanitiser.safeFragment(text));
          else box.innerHTML = text;
          // What the page shows may be parsed once more, as a copied text is.
          if (clean) box.insertAdjacentHTML("beforeend", box.innerHTML);
          for (const one of box.querySelectorAll("*")) {
            const isKnown = [...tags, "a", "img"].includes(one.tagName.toLowerCase());
            const isPlain = [...one.attributes].every(
              ({ name, value }) =>
                name === "alt" ||
                name === "data-file" ||
                (name === "href" && links.some((link) => value.toLowerCase().startsWith(link))),
            );
            if (!isKnown || !isPlain) wrong.push(one.outerHTML);
            one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
            if (!clean && one instanceof HTMLElement && !one.matches("a, button")) one.click();
          }
          // Its error comes after those of the pictures of the text.
          await new Promise((done) => {
            const last = document.createElement("img");
            last.addEventListener("error", done);
            last.src = "x:";
            box.append(last);
          });
        }
        return { ran: [...new Set(ran)], wrong };
      },
      {
        texts: MARKUP,
        tags: [...BULLETIN_TAGS],
        links: BULLETIN_LINKS.map((name) => `${name}:`),
        clean: sanitised,
      },
    );
  expect(await run(true)).toEqual({ ran: [], wrong: [] });
  expect(asked.filter((url) => url.includes(EVIL))).toEqual([]);
  // What the server stores is what the page shows: its sanitiser leaves nothing more out.
  const stored = MARKUP.map((text) => sanitise(`<p>${text}</p>`)).filter((html) => html !== "");
  expect(stored.length).toBeGreaterThanOrEqual(60);
  const changed = await page.evaluate((contents) => {
    const htmlOf = (content: DocumentFragment): string => {
      const box = document.createElement("div");
      box.append(content);
      return box.innerHTML;
    };
    return contents.filter((html) => {
      const template = document.createElement("template");
      template.innerHTML = html;
      return htmlOf(globalThis.sanitiser.safeFragment(html)) !== htmlOf(template.content);
    });
  }, stored);
  expect(changed).toEqual([]);
  // The same page runs many of the texts when they are not sanitised, so it would have run what the sanitiser left.
  const bare = await run(false);
  expect(bare.ran.length).toBeGreaterThanOrEqual(15);
  expect(bare.wrong.length).toBeGreaterThanOrEqual(60);
  await context.close();
});
