/** The pagination control of every list: total, sizes, previous, pages, next, jumper (docs/session.md#frame). */
import { Button, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { IconLeft, IconMore, IconRight } from "@arco-design/web-react/icon";
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  offeredPages,
  PAGE_SIZES,
  pageCount,
  type PageSize,
} from "../../shared/domain/page-sizes.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import { useMediaQuery } from "../state/services.ts";
import { scrollToTop } from "./scrollToTop.ts";
import "./pager.css";

const PAGER_TEXTS = texts({
  label: ["分页", "Pages"],
  total: ["共 {{count}} 条", "{{count}} in all"],
  size: ["每页条数", "Rows per page"],
  perPage: ["{{count}} 条/页", "{{count}} / page"],
  before: ["上一页", "Previous page"],
  after: ["下一页", "Next page"],
  page: ["第 {{page}} 页", "Page {{page}}"],
  goTo: ["前往", "Go to"],
  goToEnd: ["页", "page"],
  jump: ["跳至第几页", "Go to page"],
});

export interface PagerProps {
  readonly total: number;
  /** Begins with 1. */
  readonly page: number;
  readonly size: PageSize;
  readonly onPage: (page: number) => void;
  readonly onSize: (size: PageSize) => void;
  /** At the end of the control. */
  readonly more?: ReactNode;
}

export function Pager({ total, page, size, onPage, onSize, more }: PagerProps) {
  const text = useTexts(PAGER_TEXTS);
  const narrow = useMediaQuery("(max-width: 720px)");
  const count = pageCount(total, size);
  const nav = useRef<HTMLElement>(null);
  const place = `${page} ${size}`;
  const placed = useRef(place);
  useEffect(() => {
    if (placed.current === place) return;
    placed.current = place;
    const box = scrolledBox(nav.current);
    return box === null ? undefined : scrollToTop(box);
  }, [place]);
  const step = (label: string, icon: ReactNode, to: number) => (
    <Button
      size="small"
      type="text"
      icon={icon}
      aria-label={label}
      title={label}
      disabled={to < 1 || to > count}
      onClick={() => onPage(to)}
    />
  );
  return (
    <nav ref={nav} className="pager" aria-label={text("label")}>
      <span className="pager-total tnum">{text("total", { count: total.toLocaleString() })}</span>
      <Select
        size="small"
        className="pager-sizes"
        aria-label={text("size")}
        value={size}
        onChange={(next: PageSize) => onSize(next)}
        options={PAGE_SIZES.map((one) => ({ value: one, label: text("perPage", { count: one }) }))}
        triggerProps={{ position: "top" }}
      />
      <span className="pager-pages">
        {step(text("before"), <IconLeft aria-hidden="true" />, page - 1)}
        {offeredPages(page, count, narrow ? 0 : 1).map((one, index) =>
          one === "gap" ? (
            // a list has at most two gaps, each at a place of its own
            <IconMore key={`gap ${index}`} className="pager-gap" aria-hidden="true" />
          ) : (
            <Button
              key={one}
              size="small"
              type={one === page ? "primary" : "text"}
              className="tnum"
              aria-label={text("page", { page: one })}
              {...(one === page ? { "aria-current": "page" } : {})}
              onClick={() => onPage(one)}
            >
              {one}
            </Button>
          ),
        )}
        {step(text("after"), <IconRight aria-hidden="true" />, page + 1)}
      </span>
      {count > 1 && !narrow && (
        <Jumper key={page} count={count} label={text("jump")} onPage={onPage}>
          {[text("goTo"), text("goToEnd")]}
        </Jumper>
      )}
      {more}
    </nav>
  );
}

/** The nearest box around an element that is scrolled down. A list beside its control scrolls by itself. */
function scrolledBox(element: HTMLElement | null): HTMLElement | null {
  const parent = element?.parentElement ?? null;
  if (parent === null) return null;
  const scrolls = parent.scrollTop > 0 && /auto|scroll/.test(getComputedStyle(parent).overflowY);
  return scrolls ? parent : scrolledBox(parent);
}

/** A page by its number: Enter goes there, a number beyond the last page to the last one. */
function Jumper(props: {
  readonly count: number;
  readonly label: string;
  readonly onPage: (page: number) => void;
  /** What stands before and behind the field. */
  readonly children: readonly [string, string];
}) {
  const [before, after] = props.children;
  const [typed, setTyped] = useState("");
  const go = (): void => {
    if (typed === "") return;
    setTyped("");
    props.onPage(Math.min(props.count, Math.max(1, Number(typed))));
  };
  return (
    <span className="pager-jumper">
      <span aria-hidden="true">{before}</span>
      <Input
        size="small"
        inputMode="numeric"
        aria-label={props.label}
        maxLength={7}
        value={typed}
        onChange={(value) => setTyped(value.replaceAll(/\D/g, ""))}
        onPressEnter={go}
        onBlur={go}
      />
      <span aria-hidden="true">{after}</span>
    </span>
  );
}
