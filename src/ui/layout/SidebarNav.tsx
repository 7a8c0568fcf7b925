/** The menu tree: links, containers that open, and external links in a new tab. */
import { IconDown, IconLaunch } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { NavLink, useLocation } from "react-router-dom";
import { openContainers, type SidebarItem } from "../../shared/domain/menus.ts";
import { CountBadge } from "../components/Badge.tsx";
import { MenuIcon } from "../components/MenuIcon.tsx";

interface Props {
  readonly items: readonly SidebarItem[];
  /** Show only icons. */
  readonly folded: boolean;
  readonly onUnfold: () => void;
  /** Unread messages by route path. */
  readonly counts: Readonly<Record<string, number>>;
}

export function SidebarNav({ items, folded, onUnfold, counts }: Props) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  /** What the person opened or closed, and on which page. By default the containers above the page are open. */
  const [byHand, setByHand] = useState<Readonly<Record<string, { open: boolean; at: string }>>>({});
  const above = openContainers(items, pathname);
  const isOpen = (id: string): boolean => {
    const choice = byHand[id];
    if (above.includes(id)) return choice === undefined || choice.open || choice.at !== pathname;
    return choice?.open === true;
  };
  const toggle = (id: string): void => {
    if (folded) onUnfold();
    setByHand((now) => ({ ...now, [id]: { open: folded || !isOpen(id), at: pathname } }));
  };

  const render = (list: readonly SidebarItem[], level: number) => (
    <ul className="nav-list" data-level={level}>
      {list.map((item) => (
        <li key={item.id}>
          {item.children.length > 0 ? (
            <>
              <button
                type="button"
                className="nav-item"
                aria-expanded={!folded && isOpen(item.id)}
                title={folded ? item.title : undefined}
                onClick={() => toggle(item.id)}
              >
                <MenuIcon name={item.icon} />
                <span className="nav-text ellipsis">{item.title}</span>
                <IconDown className="nav-arrow" aria-hidden="true" />
              </button>
              {!folded && isOpen(item.id) && render(item.children, level + 1)}
            </>
          ) : item.external ? (
            <a
              className="nav-item"
              href={item.to}
              target="_blank"
              rel="noopener noreferrer"
              title={t("layout.externalHint")}
            >
              <MenuIcon name={item.icon} />
              <span className="nav-text ellipsis">{item.title}</span>
              <IconLaunch className="nav-arrow" aria-hidden="true" />
            </a>
          ) : (
            <NavLink
              className="nav-item"
              // the entry of the page that is shown keeps the conversation, the page of a list
              to={item.to === pathname ? { pathname, search } : item.to}
              title={folded ? item.title : undefined}
            >
              <MenuIcon name={item.icon} />
              <span className="nav-text ellipsis">{item.title}</span>
              <CountBadge count={counts[item.to] ?? 0} />
            </NavLink>
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <nav className="nav" aria-label={t("layout.mainMenu")}>
      {render(items, 0)}
    </nav>
  );
}
