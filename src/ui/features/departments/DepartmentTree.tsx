/** The departments as a tree of rows: arrow keys move between them, fold and unfold. */
import { Button } from "@arco-design/web-react";
import { IconDown, IconRight } from "@arco-design/web-react/icon";
import { type KeyboardEvent, useRef, useState } from "react";
import type { Placed } from "../../../shared/domain/department-tree.ts";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { useScrollCue } from "../../components/useScrollCue.ts";
import { useTexts } from "../../i18n/texts.ts";
import { DEPARTMENT_TEXTS } from "./texts.ts";

export interface DepartmentAction {
  readonly key: "createBelow" | "edit" | "up" | "down" | "merge" | "remove";
  /** The call that a person must be allowed to make. */
  readonly call: GuardedCall;
  readonly danger?: boolean;
  readonly run: (department: Department) => void;
}

const ROW = "[role=row][aria-level]";

export function DepartmentTree(props: {
  readonly label: string;
  readonly rows: readonly Placed<Department>[];
  readonly isOpen: (id: string) => boolean;
  readonly onFold: (id: string, open: boolean) => void;
  readonly actions: readonly DepartmentAction[];
}) {
  const { rows, isOpen, onFold, actions } = props;
  const text = useTexts(DEPARTMENT_TEXTS);
  const box = useRef<HTMLDivElement>(null);
  useScrollCue(box);
  /** The row that the Tab key reaches. */
  const [current, setCurrent] = useState<string | null>(null);
  const reached = rows.some(({ row }) => row.id === current) ? current : (rows[0]?.row.id ?? null);

  const move = (from: EventTarget & HTMLElement, by: number): void => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    all[all.indexOf(from) + by]?.focus();
  };
  const onKey = (
    event: KeyboardEvent<HTMLElement>,
    { row, hasChildren, path }: Placed<Department>,
  ): void => {
    // keys of the buttons inside of the row are their own
    if (event.target !== event.currentTarget) return;
    const open = hasChildren && isOpen(row.id);
    if (event.key === "ArrowDown") move(event.currentTarget, 1);
    else if (event.key === "ArrowUp") move(event.currentTarget, -1);
    else if (event.key === "ArrowRight" && hasChildren && !open) onFold(row.id, true);
    else if (event.key === "ArrowRight" && open) move(event.currentTarget, 1);
    else if (event.key === "ArrowLeft" && open) onFold(row.id, false);
    else if (event.key === "ArrowLeft") {
      const parent = path.at(-2)?.id;
      if (parent === undefined) return;
      box.current?.querySelector<HTMLElement>(`${ROW}[data-id="${parent}"]`)?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <div ref={box} className="dept-rows" role="treegrid" aria-label={props.label}>
      <div role="row" className="dept-row dept-head">
        <span role="columnheader">{text("name")}</span>
        <span role="columnheader">{text("people")}</span>
        {actions.length > 0 && <span role="columnheader">{text("actions")}</span>}
      </div>
      {rows.map((placed) => {
        const { row, depth, hasChildren } = placed;
        const { id, name, people, total } = row;
        const open = isOpen(id);
        return (
          <div
            key={id}
            role="row"
            aria-level={depth + 1}
            {...(hasChildren ? { "aria-expanded": open } : {})}
            data-id={id}
            tabIndex={id === reached ? 0 : -1}
            className="dept-row"
            onFocus={() => setCurrent(id)}
            onKeyDown={(event) => onKey(event, placed)}
          >
            <span
              role="gridcell"
              className="dept-name"
              style={{ paddingLeft: `calc(var(--space-3) + ${depth} * var(--space-5))` }}
            >
              {hasChildren ? (
                <button
                  type="button"
                  className="dept-fold"
                  tabIndex={-1}
                  aria-expanded={open}
                  aria-label={text("below", { name })}
                  onClick={() => onFold(id, !open)}
                >
                  {open ? <IconDown aria-hidden="true" /> : <IconRight aria-hidden="true" />}
                </button>
              ) : (
                <span className="dept-fold" />
              )}
              <span className="ellipsis" title={name}>
                {name}
              </span>
            </span>
            <span
              role="gridcell"
              className="tnum"
              title={text("peopleHint", { own: people, all: total })}
            >
              {people} / {total}
            </span>
            {actions.length > 0 && (
              <span role="gridcell" className="dept-actions">
                {actions.map(({ key, call, danger, run }) => (
                  <Button
                    key={key}
                    type="text"
                    size="small"
                    data-call={call}
                    tabIndex={id === reached ? 0 : -1}
                    aria-label={`${text(key)} ${name}`}
                    {...(danger === true ? { status: "danger" as const } : {})}
                    onClick={() => run(row)}
                  >
                    {text(key)}
                  </Button>
                ))}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}
