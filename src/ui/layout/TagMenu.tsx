/** The context menu of a tag. */
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { mayAct, TAG_ACTIONS, type Tag, type TagAction } from "../../shared/domain/tags.ts";

/** Minimum distance from the window's edges, px. */
const EDGE = 4;

export interface TagMenuAt {
  readonly path: string;
  readonly x: number;
  readonly y: number;
}

export function TagMenu(props: {
  readonly at: TagMenuAt;
  readonly tags: readonly Tag[];
  readonly onAct: (action: TagAction, path: string) => void;
  /** @param refocus closed by keyboard: the tag must get the focus back */
  readonly onClose: (refocus: boolean) => void;
}) {
  const { at, tags, onAct, onClose } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const fixed = tags.find((tag) => tag.path === at.path)?.affix === true;

  useLayoutEffect(() => {
    const menu = box.current;
    if (menu === null) return;
    menu.style.left = `${Math.max(EDGE, Math.min(at.x, innerWidth - menu.offsetWidth - EDGE))}px`;
    menu.style.top = `${Math.max(EDGE, Math.min(at.y, innerHeight - menu.offsetHeight - EDGE))}px`;
    menu.querySelector<HTMLElement>("button:not(:disabled)")?.focus({ preventScroll: true });
  }, [at]);

  useEffect(() => {
    const outside = (event: Event): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) === true) return;
      onClose(false);
    };
    const away = (): void => onClose(false);
    addEventListener("pointerdown", outside, true);
    addEventListener("resize", away);
    addEventListener("blur", away);
    return () => {
      removeEventListener("pointerdown", outside, true);
      removeEventListener("resize", away);
      removeEventListener("blur", away);
    };
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
    const now = items.findIndex((item) => item === document.activeElement);
    const go: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowUp: now - 1 + items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = go[event.key];
    if (next !== undefined) items[next % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      ref={box}
      className="tag-menu"
      role="menu"
      tabIndex={-1}
      aria-label={t("tags.menu")}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {TAG_ACTIONS.filter((action) => action !== "close" || !fixed).map((action) => (
        <button
          key={action}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={!mayAct(tags, action, at.path)}
          onClick={() => {
            onClose(true);
            onAct(action, at.path);
          }}
        >
          {t(`tags.${action}`)}
        </button>
      ))}
    </div>
  );
}
