/** Windows of the worker's table, requested when they become visible and cached while the table is unchanged. */
import { useCallback, useEffect, useRef, useState } from "react";
import { showError } from "../../state/show-message.ts";
import type { ImportApi, TableView, TableWindow } from "../../../shared/protocol/import-worker.ts";

export type TableRow = TableWindow["rows"][number];
const BLOCK = 100;
/** Number of cached blocks; the oldest are dropped first. */
const KEPT = 60;

export interface Windows {
  readonly total: number;
  row(index: number): TableRow | undefined;
  /** Requests the visible rows. */
  need(from: number, to: number): void;
}

/** @param version of the table; rows of an older version stay on the screen until the new ones arrive */
export function useWindows(
  api: Pick<ImportApi<Blob>, "window"> | null,
  view: TableView,
  version: number,
): Windows {
  const [state, setState] = useState({ total: 0, blocks: new Map<number, TableWindow>() });
  const asked = useRef(new Set<number>());
  const seen = useRef({ from: 0, to: BLOCK });
  const turn = useRef(0);

  const ask = useCallback(
    (block: number, thisTurn: number) => {
      if (api === null || asked.current.has(block)) return;
      asked.current.add(block);
      api.window({ view, from: block * BLOCK, count: BLOCK }).then(
        (found) => {
          if (turn.current !== thisTurn) return;
          setState((before) => {
            const blocks = new Map(before.blocks);
            blocks.delete(block);
            blocks.set(block, found);
            for (const old of blocks.keys()) {
              if (blocks.size <= KEPT) break;
              blocks.delete(old);
              asked.current.delete(old);
            }
            return { total: found.total, blocks };
          });
        },
        (error: unknown) => {
          asked.current.delete(block);
          if (turn.current === thisTurn) showError(error);
        },
      );
    },
    [api, view],
  );
  const need = useCallback(
    (from: number, to: number) => {
      seen.current = { from, to };
      for (let block = Math.floor(from / BLOCK); block * BLOCK <= to; block += 1) {
        ask(block, turn.current);
      }
    },
    [ask],
  );
  const shown = useRef(view);
  useEffect(() => {
    turn.current += 1;
    asked.current = new Set();
    if (shown.current !== view) {
      shown.current = view;
      seen.current = { from: 0, to: BLOCK };
      setState({ total: 0, blocks: new Map() });
    }
    need(seen.current.from, seen.current.to);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the version is what it answers
  }, [need, view, version]);

  return {
    total: state.total,
    row: (index) => state.blocks.get(Math.floor(index / BLOCK))?.rows[index % BLOCK],
    need,
  };
}
