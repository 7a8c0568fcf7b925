/**
 * Visited pages as a row of tags (docs/session.md#frame). Tags are links, so that a browser can open them in a new tab. The Tab key
 * reaches one of them, arrow keys move along the row, Delete closes a tag, and the context-menu key opens its menu.
 */
import { IconClose, IconLeft, IconRight } from "@arco-design/web-react/icon";
import {
  lazy,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { Tag, TagAction } from "../../shared/domain/tags.ts";
import { menuAtPointer } from "../components/menu-point.ts";
import { retrying } from "../state/retrying.ts";
import type { TagMenuAt } from "./TagMenu.tsx";
import { RETURNING } from "./returning.ts";
import { Part } from "../components/Part.tsx";
import "./tags.css";

const TagMenu = lazy(() =>
  retrying(() => import("./TagMenu.tsx")).then((m) => ({ default: m.TagMenu })),
);

const MIDDLE = 1;

/** Which ends of the row are scrolled out of view, and functions to measure and scroll it. */
function useOverflow(count: number) {
  const row = useRef<HTMLUListElement>(null);
  const [hidden, setHidden] = useState({ left: false, right: false });
  const measure = useCallback(() => {
    const e = row.current;
    if (e === null) return;
    const left = e.scrollLeft > 1;
    const right = e.scrollLeft + e.clientWidth < e.scrollWidth - 1;
    setHidden((now) => (now.left === left && now.right === right ? now : { left, right }));
  }, []);
  useEffect(() => {
    const e = row.current;
    if (e === null) return;
    // scroll the row sideways with a vertical wheel
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaX !== 0 || e.scrollWidth <= e.clientWidth) return;
      e.scrollLeft += event.deltaY;
      event.preventDefault();
    };
    let frame = 0;
    // in its own animation frame, because the arrows that it shows change the observed size
    const watch = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    watch.observe(e);
    e.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
      e.removeEventListener("wheel", onWheel);
    };
  }, [measure]);
  useLayoutEffect(measure, [measure, count]);
  const scroll = (direction: 1 | -1): void => {
    const e = row.current;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    e?.scrollBy({
      left: direction * e.clientWidth * 0.7,
      behavior: still ? "instant" : "smooth",
    });
  };
  return { row, hidden, measure, scroll };
}

export function TagsBar(props: {
  readonly tags: readonly Tag[];
  readonly titles: ReadonlyMap<string, string>;
  readonly active: string | null;
  readonly onAct: (action: TagAction, path: string) => void;
}) {
  const { tags, titles, active, onAct } = props;
  const { t } = useTranslation();
  const { row, hidden, measure, scroll } = useOverflow(tags.length);
  const overflows = hidden.left || hidden.right;
  const [menu, setMenu] = useState<TagMenuAt | null>(null);
  /** The tag that has the keyboard's focus, or had it last. */
  const [current, setCurrent] = useState<string | null>(null);
  /** Index of the tag that gets the focus after the next render. */
  const refocus = useRef<number | null>(null);
  const links = useCallback(
    () => [...(row.current?.querySelectorAll<HTMLElement>(".tag-link") ?? [])],
    [row],
  );
  const reachable = [current, active].find((path) => tags.some((tag) => tag.path === path));

  useEffect(() => {
    const at = refocus.current;
    refocus.current = null;
    if (at === null) return;
    const all = links();
    all[Math.min(at, all.length - 1)]?.focus();
  });
  useLayoutEffect(() => {
    if (active === null) return;
    row.current
      ?.querySelector('[data-active="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new tag must scroll into view too, and the arrows narrow the row
  }, [active, tags.length, row, overflows]);

  const act = (action: TagAction, path: string): void => {
    refocus.current = action === "refresh" ? null : tags.findIndex((tag) => tag.path === path);
    onAct(action, path);
  };
  const onKeyDown = (event: KeyboardEvent, tag: Tag, index: number): void => {
    const go: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, index - 1),
      ArrowRight: index + 1,
      Home: 0,
      End: tags.length - 1,
    };
    const next = go[event.key];
    if (next !== undefined) links()[Math.min(next, tags.length - 1)]?.focus();
    else if (event.key === "Delete" && !tag.affix) act("close", tag.path);
    else return;
    event.preventDefault();
  };

  const arrow = (side: "left" | "right") => (
    <button
      type="button"
      className="tags-arrow"
      // keyboard users move along the row itself
      tabIndex={-1}
      aria-label={t(side === "left" ? "tags.scrollLeft" : "tags.scrollRight")}
      disabled={!hidden[side]}
      onClick={() => scroll(side === "left" ? -1 : 1)}
    >
      {side === "left" ? <IconLeft /> : <IconRight />}
    </button>
  );
  return (
    <nav className="tags" aria-label={t("tags.label")}>
      {overflows && arrow("left")}
      <ul ref={row} className="tags-row" onScroll={measure}>
        {tags.map((tag, index) => {
          const title = titles.get(tag.path) ?? tag.path;
          return (
            <li
              key={tag.path}
              className="tag"
              data-active={tag.path === active}
              data-affix={tag.affix}
              onAuxClick={(event) => {
                if (event.button !== MIDDLE) return;
                event.preventDefault();
                if (!tag.affix) act("close", tag.path);
              }}
              onMouseDown={(event) => {
                // otherwise the middle button starts scrolling
                if (event.button === MIDDLE) event.preventDefault();
              }}
              onContextMenu={(event) => {
                event.preventDefault();
                setMenu({ path: tag.path, ...menuAtPointer(event) });
              }}
            >
              <Link
                className="tag-link"
                to={tag.to}
                state={RETURNING}
                draggable={false}
                title={title}
                aria-current={tag.path === active ? "page" : undefined}
                aria-haspopup="menu"
                aria-keyshortcuts={tag.affix ? undefined : "Delete"}
                tabIndex={tag.path === (reachable ?? tags[0]?.path) ? 0 : -1}
                onFocus={() => setCurrent(tag.path)}
                onBlur={() => setCurrent(null)}
                onKeyDown={(event) => onKeyDown(event, tag, index)}
              >
                <span className="ellipsis">{title}</span>
              </Link>
              {!tag.affix && (
                <button
                  type="button"
                  className="tag-close"
                  tabIndex={-1}
                  aria-label={t("tags.closeNamed", { title })}
                  onClick={() => act("close", tag.path)}
                >
                  <IconClose aria-hidden="true" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {overflows && arrow("right")}
      {menu !== null && (
        <Part onFailed={() => setMenu(null)}>
          <TagMenu
            at={menu}
            tags={tags}
            onAct={act}
            onClose={(back) => {
              setMenu(null);
              if (back) links()[tags.findIndex((tag) => tag.path === menu.path)]?.focus();
            }}
          />
        </Part>
      )}
    </nav>
  );
}
