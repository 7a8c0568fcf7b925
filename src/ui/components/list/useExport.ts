/** Writes all rows of a list, as it is filtered now, to a workbook (docs/adding.md#list-page). */
import { useCallback, useEffect, useRef, useState } from "react";
import { spawnExportWorker } from "../../../core-client/export-worker.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ExportCell } from "../../../shared/protocol/export-worker.ts";
import type { ListCallId, Row } from "../../../shared/protocol/rest/page-calls.ts";
import { serverNow, useCore } from "../../state/services.ts";
import { saveBlob } from "../../state/save.ts";
import { showError } from "../../state/show-message.ts";
import { eachPage, type ListRequest } from "../../state/allRows.ts";
import { cellOf, type Column } from "./columns.ts";

export interface ExportQuery<I extends ListCallId> extends ListRequest<I> {
  readonly columns: readonly Column<Row<I>>[];
  /** Name of the sheet and, with the date, of the file. */
  readonly name: string;
}
export interface ExportState {
  readonly done: number;
  readonly total: number;
}
export interface Exporting {
  /** null while nothing is exported. */
  readonly state: ExportState | null;
  start(): void;
  cancel(): void;
}

export function useExport<I extends ListCallId>(query: ExportQuery<I>): Exporting {
  const core = useCore();
  const { rest } = core.commands;
  const [state, setState] = useState<ExportState | null>(null);
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  });
  const stop = useRef<(() => void) | null>(null);
  // A page that is left ends its export.
  useEffect(() => () => stop.current?.(), []);

  const run = useCallback(async (): Promise<void> => {
    const { columns, name } = latest.current;
    const worker = spawnExportWorker(core);
    let stopped = false;
    stop.current = () => {
      stopped = true;
      worker.terminate();
    };
    setState({ done: 0, total: 0 });
    try {
      await worker.api.begin({ sheet: name, columns: columns.map(({ title }) => title) });
      let done = 0;
      await eachPage(rest, latest.current, async (rows, total) => {
        if (stopped) return false;
        await worker.api.add(
          rows.map((row) => columns.map((column): ExportCell => cellOf(column, row))),
        );
        done += rows.length;
        setState({ done, total });
        return true;
      });
      if (stopped) return;
      saveBlob(
        await worker.api.finish(),
        `${name}-${formatDate(serverNow(core), "{y}{m}{d}-{h}{i}{s}")}.xlsx`,
      );
    } catch (error) {
      if (!(error instanceof AppError && error.code === "list.export-cancelled")) showError(error);
    } finally {
      worker.terminate();
      if (stop.current !== null) setState(null);
      stop.current = null;
    }
  }, [core, rest]);

  return {
    state,
    start: useCallback(() => {
      if (stop.current === null) void run();
    }, [run]),
    cancel: useCallback(() => stop.current?.(), []),
  };
}
