/**
 * Finds pages of the menus and records by a text (docs/session.md#frame). The focus stays in the field; arrow keys choose, Enter opens. What was
 * opened before comes first.
 */
import { Button, Input, Modal } from "@arco-design/web-react";
import { IconSearch } from "@arco-design/web-react/icon";
import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import type { SidebarItem } from "../../shared/domain/menus.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import { useMay } from "../state/may.ts";
import { findRoute, useMenus } from "../state/menus.ts";
import { retrying } from "../state/retrying.ts";
import { useCore, useSlice } from "../state/services.ts";
import { usePreference } from "../state/usePreference.ts";
import { RETURNING } from "./returning.ts";
import { type Found, keyOf, readChoices, shownGroups, withChoice } from "./search-results.ts";
import { mayOpen, searchSources } from "./search-sources.ts";
import { SearchIcon } from "./SearchIcon.tsx";
import { useSearch } from "./useSearch.ts";
import { Part } from "../components/Part.tsx";
import "./search.css";

const BulletinReader = lazy(() =>
  retrying(() => import("../features/bulletins/BulletinReader.tsx")),
);

const TEXTS = texts({
  label: ["搜索页面和记录", "Search pages and records"],
  recent: ["最近打开", "Opened lately"],
  page: ["页面", "Pages"],
  employee: ["员工", "Employees"],
  department: ["部门", "Departments"],
  dictionary: ["字典", "Dictionaries"],
  conference: ["进行中的会议", "Open conferences"],
  bulletin: ["通知公告", "Bulletins"],
  people: ["{{count}} 人", "{{count}} {count|person|people}"],
  searching: ["正在搜索…", "Searching…"],
  none: ["没有找到", "Nothing found"],
  failed: ["部分结果未能加载", "Some results could not be loaded"],
  hint: ["↑ ↓ 选择，Enter 打开，Esc 关闭", "↑ ↓ choose, Enter opens, Esc closes"],
  chatHint: [
    "↑ ↓ 选择，Enter 打开，Shift+Enter 发消息，Esc 关闭",
    "↑ ↓ choose, Enter opens, Shift+Enter writes a message, Esc closes",
  ],
});

/** The leaves of the menu tree with the titles above them. */
const leaves = (items: readonly SidebarItem[], above: readonly string[] = []): readonly Found[] =>
  items.flatMap(({ id, title, to, external, children }) =>
    children.length > 0
      ? leaves(children, [...above, title])
      : [{ group: "page", id, title, detail: above.join(" / "), to, external, chat: null }],
  );

/** Pages and records for a text, and what was opened before. */
function useFound(items: readonly SidebarItem[], word: string) {
  const text = useTexts(TEXTS);
  const core = useCore();
  const may = useMay();
  const menus = useMenus();
  const { supplierId, isGuest } = useSlice("session");
  const [choices, keep] = usePreference(`search:${supplierId ?? ""}`, readChoices);
  const needs = {
    rest: core.commands.rest,
    may,
    has: (path: string) => findRoute(menus, path) !== undefined,
    isStaff: supplierId !== null && isGuest !== "1",
    people: (count: number) => text("people", { count }),
  };
  const search = useSearch(word, searchSources(needs));
  const all = useMemo(() => leaves(items), [items]);
  const pages = all.filter(({ title, detail, to }) =>
    [title, detail, to ?? ""].some((part) => part.toLowerCase().includes(word)),
  );
  // A page is called what it is called now.
  const recent = choices.flatMap((one): readonly Found[] =>
    one.group === "page" ? all.filter(({ id }) => id === one.id) : mayOpen(one, needs) ? [one] : [],
  );
  return {
    search,
    groups: shownGroups(word, recent, { ...search.found, page: pages }),
    choose: (found: Found) => keep(withChoice(choices, found)),
  };
}

export function SearchDialog(props: {
  readonly items: readonly SidebarItem[];
  /** What was typed so far, also before this dialog was there. */
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** Most characters that may be typed. */
  readonly most: number;
  /** The dialog's own field has the focus. */
  readonly onReady: () => void;
  readonly onClose: () => void;
}) {
  const { items, typed, onClose } = props;
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const id = useId();
  /** Null: the first one. What is found later changes nothing of a choice. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [reading, setReading] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const word = typed.trim().toLowerCase();
  const { search, groups, choose } = useFound(items, word);
  const all = groups.flatMap(({ found }) => found);
  const at = Math.max(
    0,
    all.findIndex((one) => keyOf(one) === chosen),
  );

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the chosen option is what it shows
  }, [at]);

  const open = (found: Found | undefined, asChat: boolean): void => {
    if (found === undefined) return;
    choose(found);
    const to = asChat && found.chat !== null ? found.chat : found.to;
    if (to === null) return setReading(found.id);
    onClose();
    if (found.external) window.open(to, "_blank", "noopener,noreferrer");
    else void navigate(to, found.group === "page" ? { state: RETURNING } : {});
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also confirms what an input method composes.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && all.length > 0) {
      const next = all[(at + step + all.length) % all.length];
      setChosen(next === undefined ? null : keyOf(next));
    } else if (event.key === "Enter") open(all[at], event.shiftKey);
    else if (step === undefined) return;
    event.preventDefault();
  };

  if (reading !== null) {
    return (
      <Part onFailed={onClose}>
        <BulletinReader noticeId={reading} marks onClose={onClose} />
      </Part>
    );
  }
  const option = (found: Found, index: number) => (
    <div
      key={keyOf(found)}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === at}
      className="search-option"
      onMouseMove={() => setChosen(keyOf(found))}
      onClick={(event: MouseEvent) => open(found, event.shiftKey)}
    >
      <SearchIcon group={found.group} />
      <span className="search-title ellipsis" translate={found.group === "page" ? "yes" : "no"}>
        {found.title}
      </span>
      <span className="search-detail ellipsis">{found.detail}</span>
    </div>
  );
  const starts = groups.map((_, n) =>
    groups.slice(0, n).reduce((sum, { found }) => sum + found.length, 0),
  );
  const said =
    search.state === "searching"
      ? text("searching")
      : all.length === 0 && !search.failed
        ? text("none")
        : (all[at]?.chat ?? null) !== null && all[at]?.chat !== all[at]?.to
          ? text("chatHint")
          : text("hint");
  return (
    <Modal
      visible
      simple
      footer={null}
      closable={false}
      alignCenter={false}
      className="search-dialog"
      title={<span className="visually-hidden">{text("label")}</span>}
      onCancel={onClose}
      escToExit
      maskClosable
    >
      <Input
        autoFocus
        size="large"
        prefix={<IconSearch aria-hidden="true" />}
        placeholder={text("label")}
        value={typed}
        maxLength={props.most}
        onFocus={props.onReady}
        onChange={(value) => {
          props.onType(value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-label={text("label")}
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={all.length === 0 ? undefined : `${id}-${at}`}
      />
      <div ref={list} id={id} role="listbox" aria-label={text("label")} className="search-list">
        {groups.map(({ key, found }, n) => (
          <div key={key} role="group" aria-label={text(key)}>
            <div className="search-group" aria-hidden="true">
              {text(key)}
            </div>
            {found.map((one, index) => option(one, (starts[n] ?? 0) + index))}
          </div>
        ))}
      </div>
      {search.failed && (
        <p className="search-failed" role="alert">
          {text("failed")}
          <Button size="mini" type="text" onClick={search.again}>
            {t("common.retry")}
          </Button>
        </p>
      )}
      <div className="search-foot" role="status">
        {said}
      </div>
    </Modal>
  );
}
