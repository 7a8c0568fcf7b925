/** The person's routes and sidebar, built from the session's menus. */
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import {
  buildMenus,
  menuTitle,
  type MenuRoute,
  type Menus,
  type MenuSource,
} from "../../shared/domain/menus.ts";
import { pagePath } from "../../shared/domain/tags.ts";
import { currentLanguage } from "../i18n/index.ts";
import { useFrozenSlice, useHeld } from "./services.ts";

/** Paths of static routes; a menu entry with one of these paths adds no route. */
export const STATIC_PATHS = [
  "/",
  "/login",
  "/register",
  "/auth-redirect",
  "/nextPage",
  "/404",
  "/401",
  "/error/404",
  "/error/401",
  "/dashboard",
] as const;

function useMenuTitle(): (entry: MenuSource) => string {
  useTranslation();
  const language = currentLanguage();
  return useCallback((entry) => menuTitle(entry, language), [language]);
}

export function useMenus(): Menus {
  const { menus, roles, systemName, status } = useFrozenSlice("session");
  const titleOf = useMenuTitle();
  const built = useMemo(
    () => buildMenus(menus, { roles, systemName, titleOf }, STATIC_PATHS),
    [menus, roles, systemName, titleOf],
  );
  return useHeld(built, status !== "restoring");
}

export const findRoute = (menus: Menus, pathname: string): MenuRoute | undefined =>
  menus.routes.find((route) => pagePath(route.path) === pagePath(pathname));
