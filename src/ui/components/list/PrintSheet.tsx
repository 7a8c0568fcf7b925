/** The rows of a list on paper. It stands beside the console while the browser prints, and the screen never shows it. */
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { formatDate } from "../../../shared/domain/format.ts";
import type { ExportCell } from "../../../shared/protocol/export-worker.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cellOf, type Column, keyOf } from "./columns.ts";
import { LIST_TEXTS } from "./texts.ts";
import type { Print } from "./usePrint.ts";
import "./print-sheet.css";

const shown = (cell: ExportCell): string =>
  cell instanceof Date ? formatDate(cell.getTime()) : cell === null ? "" : String(cell);

export function PrintSheet<T>(props: {
  readonly title: string;
  /** What the rows were filtered by. */
  readonly conditions: readonly string[];
  readonly columns: readonly Column<T>[];
  readonly print: Print<T>;
  readonly onEnd: () => void;
}) {
  const { columns, conditions, onEnd } = props;
  const { rows, total, at } = props.print;
  const text = useTexts(LIST_TEXTS);
  const time = formatDate(at);
  useEffect(() => {
    addEventListener("afterprint", onEnd);
    // a turn later, so that the effect that React repeats in development prints once
    const timer = setTimeout(() => print());
    return () => {
      clearTimeout(timer);
      removeEventListener("afterprint", onEnd);
    };
  }, [onEnd]);
  return createPortal(
    <section className="print-sheet">
      <h1>{props.title}</h1>
      <p>
        {rows.length < total
          ? text("printSome", { count: rows.length, total, time })
          : text("printTotal", { count: total, time })}
      </p>
      {conditions.length > 0 && <p>{conditions.join(" · ")}</p>}
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={keyOf(column)}>{column.title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the rows of a print never change
            <tr key={index}>
              {columns.map((column) => (
                <td key={keyOf(column)}>{shown(cellOf(column, row))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>,
    document.body,
  );
}
