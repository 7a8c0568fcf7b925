/** The API of the export worker: rows go in page by page, the finished workbook comes out (docs/adding.md#list-page). */
import { AppError } from "../../shared/errors.ts";
import {
  type ExportApi,
  exportBeginSchema,
  type ExportCell,
  exportRowsSchema,
} from "../../shared/protocol/export-worker.ts";
import { workbookFile } from "../workbook-file.ts";
import { createRowQueue, type RowQueue } from "./row-queue.ts";

/** Most characters that Excel takes as the name of a sheet, and those that it refuses. */
const NAME_LENGTH = 31;
const REFUSED = /[[\]:*?/\\]/g;

interface Writing {
  readonly rows: RowQueue<readonly ExportCell[]>;
  readonly file: Promise<Blob>;
}

export function createExportApi(): ExportApi {
  let writing: Writing | null = null;
  const current = (): Writing => {
    if (writing === null) throw new AppError("core.bad-message");
    return writing;
  };
  return {
    begin(given) {
      const { sheet, columns } = exportBeginSchema.parse(given);
      writing?.rows.close();
      const rows = createRowQueue<readonly ExportCell[]>();
      const file = workbookFile({
        name: sheet.replaceAll(REFUSED, " ").slice(0, NAME_LENGTH),
        columns: columns.map((title) => ({ title })),
        rows,
      });
      // `finish` reports the error; until then nobody waits for the file.
      file.catch(() => undefined);
      writing = { rows, file };
      return Promise.resolve(null);
    },
    async add(given) {
      const { rows, file } = current();
      // The writer ends early only by an error, which then ends this call too.
      await Promise.race([rows.add(exportRowsSchema.parse(given)), file]);
      return null;
    },
    async finish() {
      const { rows, file } = current();
      writing = null;
      rows.close();
      return file;
    },
  };
}
