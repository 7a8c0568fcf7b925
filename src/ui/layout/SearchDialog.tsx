/**
 * Finds pages of the menus and employees by name (docs/session.md#frame). The focus stays in the field; arrow keys choose, Enter opens.
 */
import { Input, Modal } from "@arco-design/web-react";
import { IconFile, IconSearch, IconUser } from "@arco-design/web-react/icon";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { SidebarItem } from "../../shared/domain/menus.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import { useCore, useSlice } from "../state/services.ts";
import { RETURNING } from "./returning.ts";
import "./search.css";

const TEXTS = texts({
  label: ["搜索页面和员工", "Search pages and employees"],
  pages: ["页面", "Pages"],
  people: ["员工", "Employees"],
  none: ["没有找到", "Nothing found"],
  hint: ["↑ ↓ 选择，Enter 打开，Esc 关闭", "↑ ↓ choose, Enter opens, Esc closes"],
});

/** ms after the last key before employees are searched. */
const DELAY = 200;
const MOST_PEOPLE = 8;

interface Found {
  readonly id: string;
  readonly title: string;
  /** Where it is: the containers of a page, department and position of an employee. */
  readonly detail: string;
  readonly icon: ReactNode;
  readonly open: () => void;
}

/** The leaves of the menu tree with the titles above them. */
const leaves = (
  items: readonly SidebarItem[],
  above: readonly string[] = [],
): { readonly item: SidebarItem; readonly above: readonly string[] }[] =>
  items.flatMap((item) =>
    item.children.length > 0 ? leaves(item.children, [...above, item.title]) : [{ item, above }],
  );

function usePeople(keyword: string): readonly Found[] {
  const { rest } = useCore().commands;
  const { supplierId, isGuest } = useSlice("session");
  const navigate = useNavigate();
  const [found, setFound] = useState<readonly Found[]>([]);
  const searches = keyword !== "" && supplierId !== null && isGuest !== "1";
  useEffect(() => {
    if (!searches) return;
    let current = true;
    const timer = setTimeout(() => {
      rest
        .call({
          call: "employees.list",
          query: { keyword, limit: MOST_PEOPLE, searchCount: false },
        })
        .then(
          ({ records }) => {
            if (!current) return;
            setFound(
              records.map(({ id, name, department, position, userName }) => ({
                id: `person-${id}`,
                title: name,
                detail: [department, position].filter(Boolean).join(" · "),
                icon: <IconUser aria-hidden="true" />,
                // An employee without an account has no chat.
                open: () =>
                  void navigate(
                    userName === null
                      ? "/supplier/employees"
                      : `/im/people?chat=${encodeURIComponent(userName)}`,
                  ),
              })),
            );
          },
          // Pages are found all the same; the bar at the top explains an outage.
          () => current && setFound([]),
        );
    }, DELAY);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [keyword, rest, searches, navigate]);
  return searches ? found : [];
}

export function SearchDialog(props: {
  readonly items: readonly SidebarItem[];
  readonly onClose: () => void;
}) {
  const { items, onClose } = props;
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const keyword = typed.trim().toLowerCase();

  const pages = leaves(items)
    .filter(({ item, above }) =>
      [...above, item.title, item.to].some((part) => part.toLowerCase().includes(keyword)),
    )
    .map(({ item, above }): Found => ({
      id: `page-${item.id}`,
      title: item.title,
      detail: above.join(" / "),
      icon: <IconFile aria-hidden="true" />,
      open: () => {
        if (item.external) window.open(item.to, "_blank", "noopener,noreferrer");
        else void navigate(item.to, { state: RETURNING });
      },
    }));
  const people = usePeople(keyword);
  const all = [...pages, ...people];
  const at = Math.min(chosen, Math.max(0, all.length - 1));

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the chosen option is what it shows
  }, [at]);

  const open = (found: Found | undefined): void => {
    if (found === undefined) return;
    onClose();
    found.open();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also confirms what an input method composes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setChosen(all.length === 0 ? 0 : (at + 1) % all.length);
    else if (event.key === "ArrowUp") {
      setChosen(all.length === 0 ? 0 : (at - 1 + all.length) % all.length);
    } else if (event.key === "Enter") open(all[at]);
    else return;
    event.preventDefault();
  };
  const option = (found: Found, index: number) => (
    <div
      key={found.id}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === at}
      className="search-option"
      onMouseMove={() => setChosen(index)}
      onClick={() => open(found)}
    >
      {found.icon}
      <span className="ellipsis">{found.title}</span>
      <span className="search-detail ellipsis">{found.detail}</span>
    </div>
  );
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
        onChange={(value) => {
          setTyped(value);
          setChosen(0);
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
        {pages.length > 0 && (
          <div role="group" aria-label={text("pages")}>
            <div className="search-group" aria-hidden="true">
              {text("pages")}
            </div>
            {pages.map(option)}
          </div>
        )}
        {people.length > 0 && (
          <div role="group" aria-label={text("people")}>
            <div className="search-group" aria-hidden="true">
              {text("people")}
            </div>
            {people.map((found, index) => option(found, pages.length + index))}
          </div>
        )}
      </div>
      <div className="search-foot" role="status">
        {all.length === 0 ? text("none") : text("hint")}
      </div>
    </Modal>
  );
}
