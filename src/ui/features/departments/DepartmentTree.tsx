/** The departments as a tree of rows: arrow keys move between them, fold and unfold; a drag or Alt and an arrow key moves a department. */
import { Button } from "@arco-design/web-react";
import { IconDown, IconRight } from "@arco-design/web-react/icon";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { Placed } from "../../../shared/domain/department-tree.ts";
import type { GuardedCall } from "../../../shared/protocol/rest/call-permissions.generated.ts";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { useScrollCue } from "../../components/useScrollCue.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { MoveKey } from "./moving.ts";
import { DEPARTMENT_TEXTS } from "./texts.ts";
import type { Moving } from "./useMoving.ts";
import { type DragNeeds, useRowDrag } from "./useRowDrag.ts";

export interface DepartmentAction {
  readonly key: "createBelow" | "edit" | "up" | "down" | "merge" | "remove";
  /** The call that a person must be allowed to make. */
  readonly call: GuardedCall;
  readonly danger?: boolean;
  readonly run: (department: Department) => void;
}

const MOVES: Readonly<Record<string, MoveKey>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out",
};

const ROW = "[role=row][aria-level]";

export function DepartmentTree(props: {
  readonly label: string;
  readonly rows: readonly Placed<Department>[];
  readonly isOpen: (id: string) => boolean;
  readonly onFold: (id: string, open: boolean) => void;
  readonly actions: readonly DepartmentAction[];
  /** Path of the list of employees; null for a person who has none. */
  readonly peoplePath: string | null;
  /** Null where departments cannot be moved now. */
  readonly moving: (Moving & { readonly spotAt: DragNeeds["spotAt"] }) | null;
}) {
  const { rows, isOpen, onFold, actions, peoplePath, moving } = props;
  const text = useTexts(DEPARTMENT_TEXTS);
  const box = useRef<HTMLDivElement>(null);
  useScrollCue(box);
  /** The row that the Tab key reaches. */
  const [current, setCurrent] = useState<string | null>(null);
  const reached = rows.some(({ row }) => row.id === current) ? current : (rows[0]?.row.id ?? null);

  const label = useRef<HTMLDivElement>(null);
  const drag = useRowDrag(
    moving === null
      ? null
      : {
          box,
          label,
          nameOf: (id) => rows.find(({ row }) => row.id === id)?.row.name ?? "",
          spotAt: moving.spotAt,
          refusal: text("withinItself"),
          onUnfold: (id) => onFold(id, true),
          onDrop: moving.move,
          onRefused: moving.refuse,
        },
  );
  const hint = useId();
  /** The row that a key moves, as it was before. */
  const moved = useRef<Pick<Department, "id" | "version"> | null>(null);
  useLayoutEffect(() => {
    const before = moved.current;
    const now = rows.find(({ row }) => row.id === before?.id)?.row;
    if (before === null || now === undefined || now.version === before.version) return;
    moved.current = null;
    // an element that moves in the document loses the focus
    if (document.activeElement !== document.body) return;
    box.current?.querySelector<HTMLElement>(`${ROW}[data-id="${before.id}"]`)?.focus();
  });

  const step = (from: EventTarget & HTMLElement, by: number): void => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    all[all.indexOf(from) + by]?.focus();
  };
  const onKey = (
    event: KeyboardEvent<HTMLElement>,
    { row, hasChildren, path }: Placed<Department>,
  ): void => {
    // keys of the buttons inside of the row are their own
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) {
      const key = event.altKey ? MOVES[event.key] : undefined;
      const undoes = !event.altKey && !event.shiftKey && event.key.toLowerCase() === "z";
      if (moving === null || (key === undefined && !undoes)) return;
      event.preventDefault();
      moved.current = row;
      if (key === undefined) moving.undo();
      else moving.moveByKey(row.id, key);
      return;
    }
    const open = hasChildren && isOpen(row.id);
    if (event.key === "ArrowDown") step(event.currentTarget, 1);
    else if (event.key === "ArrowUp") step(event.currentTarget, -1);
    else if (event.key === "ArrowRight" && hasChildren && !open) onFold(row.id, true);
    else if (event.key === "ArrowRight" && open) step(event.currentTarget, 1);
    else if (event.key === "ArrowLeft" && open) onFold(row.id, false);
    else if (event.key === "ArrowLeft") {
      const parent = path.at(-2)?.id;
      if (parent === undefined) return;
      box.current?.querySelector<HTMLElement>(`${ROW}[data-id="${parent}"]`)?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={box}
        className="dept-rows"
        role="treegrid"
        aria-label={props.label}
        {...(moving === null ? {} : { "aria-describedby": hint, "data-moves": "" })}
      >
        <div role="row" className="dept-row dept-head">
          <span role="columnheader">{text("name")}</span>
          <span role="columnheader">{text("head")}</span>
          <span role="columnheader">{text("people")}</span>
          {actions.length > 0 && <span role="columnheader">{text("actions")}</span>}
        </div>
        {rows.map((placed) => {
          const { row, depth, hasChildren } = placed;
          const { id, name, head, people, total } = row;
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
              onPointerDown={(event) => drag.onPointerDown(event, id)}
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
              <span role="gridcell" className="ellipsis" translate="no">
                {head?.name ?? ""}
              </span>
              <span
                role="gridcell"
                className="tnum"
                title={text("peopleHint", { own: people, all: total })}
              >
                {people} /{" "}
                {peoplePath === null ? (
                  total
                ) : (
                  <Link
                    className="list-page-link"
                    to={`${peoplePath}?departmentId=${id}`}
                    tabIndex={id === reached ? 0 : -1}
                    aria-label={text("peopleOf", { name, count: total })}
                  >
                    {total}
                  </Link>
                )}
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
      {moving !== null && (
        <>
          <p id={hint} className="dept-hint">
            {text("moveHint")}
          </p>
          <p className="visually-hidden" role="status">
            {moving.said}
          </p>
          <div ref={label} className="dept-drag" hidden aria-hidden="true" />
        </>
      )}
    </>
  );
}
