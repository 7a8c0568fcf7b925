/**
 * Vite plugin: Arco's stylesheet of buttons spaces an icon from a text by the selectors `svg + span` and `span + svg`. A browser has no class
 * by which it could find what such a selector concerns, so that it computes the styles of whole neighbours again wherever a page adds or
 * removes an element: in a list that scrolls, four fifths of all styles. Here the icon is named by its class, which every icon in a
 * button has.
 */
import type { Plugin } from "vite";

const SHEET = /[\\/]@arco-design[\\/]web-react[\\/]es[\\/]Button[\\/]style[\\/]index\.css$/;
const ICON = ":where(.arco-icon,.call-icon)";

/** @returns the stylesheet of Arco's buttons without sibling selectors that name tags alone */
export function namedIcons(css: string): string {
  return css.replaceAll(">svg+span", `>${ICON}+span`).replaceAll(">span+svg", `>span+${ICON}`);
}

export function arcoButtons(): Plugin {
  return {
    name: "arco-buttons",
    enforce: "pre",
    transform(code, id) {
      const [path = ""] = id.split("?");
      if (!SHEET.test(path)) return null;
      const named = namedIcons(code);
      if (named === code)
        throw new Error("Arco's buttons have other selectors now (scripts/lib/arco-buttons.ts)");
      return { code: named, map: null };
    },
  };
}
