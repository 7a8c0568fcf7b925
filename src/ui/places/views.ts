/**
 * Views of dynamic routes by the uri of their menu entry: the page of /supplier/employees is pages/supplier/employees.fixed.tsx. Each
 * is loaded when it is shown first. A missing view gets a page that says that it is not built yet.
 */
import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import { retrying } from "../state/retrying.ts";

type Load = () => Promise<{ default: ComponentType }>;
const page = (load: Load): LazyExoticComponent<ComponentType> => lazy(() => retrying(load));

export interface ViewEntry {
  readonly view: LazyExoticComponent<ComponentType>;
  /** The page fills the area and scrolls inside itself. */
  readonly fixed: boolean;
}

const FOLDER = "../pages/";
const FIXED = ".fixed.tsx";

/** @param files loaders by path; the ending `.fixed.tsx` marks a page that fills the area, because that must be known before it is loaded */
export const viewsOf = (files: Readonly<Record<string, Load>>): Record<string, ViewEntry> =>
  Object.fromEntries(
    Object.entries(files).map(([file, load]) => {
      const fixed = file.endsWith(FIXED);
      const key = file.slice(FOLDER.length, -(fixed ? FIXED : ".tsx").length);
      return [key, { view: page(load), fixed }];
    }),
  );

export const VIEWS: Readonly<Record<string, ViewEntry>> = viewsOf(
  import.meta.glob<{ default: ComponentType }>("../pages/**/*.tsx"),
);

export const DictDataPage = page(() =>
  import("../features/dict/DictDataPage.tsx").then((m) => ({ default: m.DictDataPage })),
);
export const ProfilePage = page(() =>
  import("../features/profile/ProfilePage.tsx").then((m) => ({ default: m.ProfilePage })),
);
export const Dashboard = page(() => import("../features/dashboard/DashboardPage.tsx"));
