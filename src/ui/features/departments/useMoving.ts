/** Moves departments in their tree, says what was moved, and undoes the last move. */
import { useLayoutEffect, useRef, useState } from "react";
import { placed } from "../../../shared/domain/department-tree.ts";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage, showMessageWithButton } from "../../state/show-message.ts";
import { keySpot, type MoveKey, type Spot, spotOf } from "./moving.ts";
import { DEPARTMENT_TEXTS } from "./texts.ts";

export interface Moving {
  /** What a screen reader says of the last move. */
  readonly said: string;
  readonly move: (id: string, to: Spot) => void;
  readonly moveByKey: (id: string, key: MoveKey) => void;
  /** Undoes the last move; nothing where there is none. */
  readonly undo: () => void;
  /** Says that the department would stand below itself. */
  readonly refuse: () => void;
}

interface Made {
  readonly id: string;
  readonly version: number;
  /** Where it stood before. */
  readonly from: Spot;
}

/** @param onUnfold called with a department below which something was moved */
export function useMoving(rows: readonly Department[], onUnfold: (id: string) => void): Moving {
  const text = useTexts(DEPARTMENT_TEXTS);
  const { rest } = useCore().commands;
  const [said, setSaid] = useState("");
  const made = useRef<Made | null>(null);
  const busy = useRef(false);
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });

  /** Whether the rows here are those after the last move. A move that begins earlier would be refused as one of an older version. */
  const isCurrent = (): boolean => {
    const last = made.current;
    const row = latest.current.find(({ id }) => id === last?.id);
    return !busy.current && (last === null || row === undefined || row.version >= last.version);
  };
  const wordsFor = (row: Department, all: readonly Department[]): string => {
    const beside = all.filter(({ parentId }) => parentId === row.parentId);
    const place = beside.findIndex(({ id }) => id === row.id) + 1;
    const parent = all.find(({ id }) => id === row.parentId)?.name ?? text("top");
    return text("moved", { name: row.name, parent, place, count: beside.length });
  };
  const send = (id: string, to: Spot, version: number, undoing: boolean): void => {
    const from = spotOf(latest.current, id);
    if (from === null) return;
    busy.current = true;
    rest
      .call({
        call: "departments.update",
        body: {
          id,
          version,
          beforeId: to.beforeId,
          ...(to.parentId === from.parentId ? {} : { parentId: to.parentId }),
        },
      })
      .then((row) => {
        made.current = { id, version: row.version, from };
        if (to.parentId !== null) onUnfold(to.parentId);
        const words = wordsFor(row, movedRows(latest.current, row, to));
        setSaid(undoing ? words : `${words} ${text("undoHint")}`);
        const own = made.current;
        if (undoing) {
          made.current = null;
          return;
        }
        const run = (): void => {
          if (made.current === own) undo();
          else showMessage("warning", text("undoGone"));
        };
        showMessageWithButton("success", words, { label: text("undo"), run });
      }, showError)
      .finally(() => {
        busy.current = false;
      });
  };
  const undo = (): void => {
    const last = made.current;
    if (last === null || busy.current) return;
    send(last.id, last.from, last.version, true);
  };
  const move = (id: string, to: Spot): void => {
    const row = latest.current.find((one) => one.id === id);
    if (row !== undefined && isCurrent()) send(id, to, row.version, false);
  };
  return {
    said,
    move,
    moveByKey(id, key) {
      if (!isCurrent()) return;
      const spot = keySpot(latest.current, id, key);
      if (spot === null) return setSaid(text(CANNOT[key]));
      move(id, spot);
    },
    undo,
    refuse: () => setSaid(text("withinItself")),
  };
}

const CANNOT = { up: "isFirst", down: "isLast", in: "noneAbove", out: "isTop" } as const;

/** The rows with one in its new place, until the server's are here. */
function movedRows(
  rows: readonly Department[],
  row: Department,
  { beforeId }: Spot,
): readonly Department[] {
  const others = rows.filter(({ id }) => id !== row.id);
  const at = others.findIndex(({ id }) => id === beforeId);
  return placed(others.toSpliced(at < 0 ? others.length : at, 0, row)).map((one) => one.row);
}
