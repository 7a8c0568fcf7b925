/**
 * A selector as `li + li` names its neighbours by tags alone. No class tells a browser what it concerns, so that it computes the styles of whole
 * neighbours again wherever a page adds or removes an element: such selectors of one stylesheet were four fifths of the styles of
 * a list that scrolls. `:not(:first-child)`, or a class before the `+`, says the same at no cost.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { namedIcons } from "../../scripts/lib/arco-buttons.ts";

const ROOT = join(import.meta.dirname, "../..");
const RULE = /([^{}]+)\{/g;
/** A compound selector, and the one after it when they are neighbours. */
const NEIGHBOURS = /([^\s>+~,]+)\s*[+~]\s*[^\s>+~,]+/g;

/** What stands in brackets separates no compounds. */
const withoutArguments = (selector: string): string => {
  const outer = selector.replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, (found) =>
    found.replaceAll(/[\s+~>,]/g, ""),
  );
  return outer.replaceAll(/\/\*[^]*?\*\//g, "");
};

/** @returns the selectors of a stylesheet in which nothing but a tag stands before `+` or `~` */
function unnamedNeighbours(css: string): string[] {
  return [...css.replaceAll(/\/\*[^]*?\*\//g, "").matchAll(RULE)]
    .flatMap(([, selectors = ""]) => withoutArguments(selectors).split(","))
    .filter((selector) =>
      [...selector.matchAll(NEIGHBOURS)].some(([, before = ""]) => !/[.#[]/.test(before)),
    )
    .map((selector) => selector.trim());
}

describe("Stylesheets", () => {
  it("name neighbours by more than their tags", () => {
    const sheets = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".css"),
    );
    expect(sheets.length).toBeGreaterThan(50);
    const found = sheets.flatMap((file) =>
      unnamedNeighbours(readFileSync(join(ROOT, "src", file), "utf8")).map(
        (selector) => `${file}: ${selector}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it("would be found otherwise", () => {
    expect(unnamedNeighbours("ul { a: b } .a li + li, .b > * ~ p::before { c: d }")).toEqual([
      ".a li + li",
      ".b > * ~ p::before",
    ]);
    expect(
      unnamedNeighbours(".a + p, .b:is(h1 + h2) { c: d } @media (width > 3px) { .c[d] ~ e {} }"),
    ).toEqual([]);
  });

  it("of Arco's buttons name the icon by its class", () => {
    const file = "node_modules/@arco-design/web-react/es/Button/style/index.css";
    const sheet = readFileSync(join(ROOT, file), "utf8");
    const bare = /svg\+|\+svg/;
    expect(sheet).toMatch(bare);
    expect(namedIcons(sheet)).not.toMatch(bare);
  });
});
