/** The person's routes and sidebar, built from the session's menus. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { buildMenus, type MenuRoute, type Menus } from "../../shared/domain/menus.ts";
import { pagePath } from "../../shared/domain/tags.ts";
import { currentLanguage } from "../i18n/index.ts";
import { zh } from "../i18n/zh.ts";
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

type KnownCode = keyof typeof zh.menus;
const isKnown = (code: string): code is KnownCode => Object.hasOwn(zh.menus, code);

/** Title of a menu entry. The platform's own menus are translated; a menu that an administrator named keeps that name. */
function useMenuTitle(): (entry: { readonly code: string; readonly name: string }) => string {
  const { t } = useTranslation();
  return useMemo(
    () =>
      ({ code, name }) => {
        const own = currentLanguage() === "zh" || !isKnown(code) || zh.menus[code] !== name;
        return own ? name : t(`menus.${code}`);
      },
    [t],
  );
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
