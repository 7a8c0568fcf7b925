/** Routes and sidebar of the person, from the session's menus. */
import { useMemo } from "react";
import { buildMenus, type MenuRoute, type Menus } from "../../shared/domain/menus.ts";
import { pagePath } from "../../shared/domain/tags.ts";
import { useFrozenSlice, useHeld } from "./services.ts";

/** Paths of static routes: a menu entry with one of them adds nothing. */
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

export function useMenus(): Menus {
  const { menus, roles, systemName, status } = useFrozenSlice("session");
  const built = useMemo(
    () => buildMenus(menus, { roles, systemName }, STATIC_PATHS),
    [menus, roles, systemName],
  );
  return useHeld(built, status !== "restoring");
}

export const findRoute = (menus: Menus, pathname: string): MenuRoute | undefined =>
  menus.routes.find((route) => pagePath(route.path) === pagePath(pathname));
