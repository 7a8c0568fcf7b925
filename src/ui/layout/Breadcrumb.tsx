/** The menu entries that lead to the page (docs/session.md#frame): 首页 first; the last entry is not a link. */
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { Crumb } from "../../shared/domain/menus.ts";
import { findRoute, useMenus } from "../state/menus.ts";

export function Breadcrumb() {
  const { t } = useTranslation();
  const menus = useMenus();
  const { pathname } = useLocation();
  const route = findRoute(menus, pathname);
  const crumbs: Crumb[] = [{ title: t("common.home"), to: "/" }, ...(route?.crumbs ?? [])];
  return (
    <nav className="crumbs" aria-label={t("layout.breadcrumb")}>
      <ol>
        {crumbs.map((crumb, index) => {
          const last = index === crumbs.length - 1;
          return (
            <li key={`${index}:${crumb.title}`} aria-current={last ? "page" : undefined}>
              {last || crumb.to === null ? (
                <span>{crumb.title}</span>
              ) : (
                <Link to={crumb.to}>{crumb.title}</Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
