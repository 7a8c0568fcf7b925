/** The menu entries that lead to the page (docs/session.md#frame): 首页 first; the last entry is not a link. */
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import type { Crumb } from "../../shared/domain/menus.ts";
import { usePages } from "../places/place.tsx";
import { findRoute, useMenus } from "../state/menus.ts";
import { PageTitlesContext } from "../state/page-titles.ts";

export function Breadcrumb() {
  const { t } = useTranslation();
  const menus = useMenus();
  const { pathname } = useLocation();
  const page = usePages().at(pathname);
  const { titles } = useContext(PageTitlesContext);
  const crumbs: Crumb[] = [{ title: t("common.home"), to: "/" }];
  const route = findRoute(menus, pathname);
  if (route !== undefined) crumbs.push(...route.crumbs);
  else if (page !== undefined && !page.affix) {
    // a page that is no menu entry: the entry that it belongs to, then its own title
    const above = page.below === undefined ? undefined : findRoute(menus, page.below);
    for (const crumb of above?.crumbs ?? []) {
      crumbs.push(crumb.to === null ? { ...crumb, to: page.below ?? null } : crumb);
    }
    crumbs.push({ title: titles[page.path] ?? page.title, to: null });
  }
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
