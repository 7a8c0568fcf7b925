/**
 * Vite plugin: leaves Arco's page layout out of the build. The console has a layout of its own, but Arco's menu reads a context of the
 * layout's sidebar, and the sidebar brings Arco's resizable boxes. A page that renders Arco's `Layout` all the same shows an error.
 */
import type { Plugin } from "vite";

const CODE = `
import { createContext } from "react";
export const SiderContext = createContext({});
export default function Layout() {
  throw new Error("The build leaves out the layout of Arco (scripts/lib/lean-arco.ts).");
}
`;
const LAYOUT = /[\\/]@arco-design[\\/]web-react[\\/]es[\\/]Layout[\\/]index\.js$/;

export function leanArco(): Plugin {
  return {
    name: "lean-arco",
    apply: "build",
    load(id) {
      const [path = ""] = id.split("?");
      if (!LAYOUT.test(path)) return null;
      return CODE;
    },
  };
}
