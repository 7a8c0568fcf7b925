/** The errors of the readers. Their user texts name the place in the file. */
import { AppError, type ErrorCode } from "../../../shared/errors.ts";

export const cancelled = (): AppError => new AppError("import.cancelled");

export const corrupt = (what: string, cause?: unknown): AppError =>
  new AppError("import.corrupt", { details: { what }, cause });

/** The file was changed, moved or deleted on disk after it was chosen. */
export const fileGone = (cause?: unknown): AppError =>
  new AppError("import.corrupt", {
    message: "读取文件失败，文件可能已被移动或修改，请重新选择",
    cause,
  });

/** @param limit name of the exceeded limit, for the log */
export const tooLarge = (
  limit: string,
  code: Extract<ErrorCode, `import.${string}`> = "import.too-large",
): AppError => new AppError(code, { details: { limit } });

/** @param row row number in the file; 1 is the first */
export const cellTooLong = (row: number, column: number): AppError =>
  new AppError("import.cell-too-long", {
    message: `第 ${row} 行 ${columnName(column)} 列的内容超过 32,767 个字，请缩短后再导入`,
    details: { row, column },
  });

export const tooManyColumns = (row: number): AppError =>
  new AppError("import.too-many-columns", {
    message: `第 ${row} 行的内容超过 500 列，请删去不需要的列再导入`,
    details: { row },
  });

/** @param fill whether merged cells get the content of the topmost one */
export const mergeWarnings = (merged: number, fill: boolean): string[] =>
  merged === 0
    ? []
    : [
        fill
          ? `有 ${merged} 处合并单元格，下面的格按最上面一格的内容导入`
          : `有 ${merged} 处合并单元格，只有左上角的格有内容，其余按空白处理`,
      ];

/** @param column column index; 0 is A */
export function columnName(column: number): string {
  let name = "";
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  }
  return name;
}

/** @throws AppError import.cancelled */
export function checkSignal(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}
