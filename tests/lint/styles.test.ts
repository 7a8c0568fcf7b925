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
const RULE_WITH_BODY = /([^{}]+)\{([^{}]*)\}/g;
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

/** @returns the properties of endless animations that the page has to paint in each frame, with the animation */
function paintedForEver(css: string): string[] {
  const endless = new Set(
    [...css.matchAll(/animation:\s*([\w-]+)[^;}]*infinite/g)].map(([, name = ""]) => name),
  );
  return [...css.matchAll(/@keyframes\s+([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)/g)].flatMap(
    ([, name = "", steps = ""]) => {
      if (!endless.has(name)) return [];
      const properties = [...steps.matchAll(/([\w-]+)\s*:/g)].map(([, property = ""]) => property);
      return properties
        .filter((property) => property !== "transform" && property !== "opacity")
        .map((property) => `${name}: ${property}`);
    },
  );
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

  it("move for ever only what a browser moves without the page", () => {
    const sheets = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".css"),
    );
    const all = sheets.map((file) => readFileSync(join(ROOT, "src", file), "utf8")).join("\n");
    expect(paintedForEver(all)).toEqual([]);
    expect(
      paintedForEver(
        "a { animation: b 1s infinite } @keyframes b { to { left: 1px; opacity: 0 } }",
      ),
    ).toEqual(["b: left"]);
  });

  it("stop what Arco would move for as long as work runs", () => {
    const arco = (part: string): string =>
      readFileSync(
        join(ROOT, `node_modules/@arco-design/web-react/es/${part}/style/index.css`),
        "utf8",
      );
    const theme = readFileSync(join(ROOT, "src/ui/theme.css"), "utf8").replaceAll(" > ", ">");
    const gliding = [...arco("Progress").matchAll(RULE_WITH_BODY)]
      .filter(([, , body = ""]) => /transition:[^;]*(?:width|all|stroke)/.test(body))
      .map(([, selector = ""]) => selector.trim());
    const pulsing = [...arco("Skeleton").matchAll(RULE_WITH_BODY)]
      .filter(([, , body = ""]) => /animation:[^;]*infinite/.test(body))
      .flatMap(([, selector = ""]) => selector.split(",").map((one) => one.trim()));
    expect(gliding.length + pulsing.length).toBeGreaterThan(3);
    expect(
      [...gliding, ...pulsing].filter((selector) => !theme.includes(`body ${selector}`)),
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
