/** Messages between a tab and its export worker (Comlink on a dedicated worker), which writes a list as a workbook. */
import type { AnyBlob } from "./blob.ts";
import { z } from "../zod.ts";

/** Cells of a row. A time is a Date. */
export const exportCellSchema = z.union([z.string(), z.number(), z.boolean(), z.date(), z.null()]);
export type ExportCell = z.infer<typeof exportCellSchema>;

export const exportBeginSchema = z.object({
  /** Name of the sheet. Characters that Excel refuses are replaced. */
  sheet: z.string().min(1).max(100),
  columns: z.array(z.string()).min(1).max(200),
});
export type ExportBegin = z.infer<typeof exportBeginSchema>;

export const exportRowsSchema = z.array(z.array(exportCellSchema)).max(1000);

/** One workbook at a time; `begin` drops an unfinished one. */
export interface ExportApi {
  begin(workbook: ExportBegin): Promise<null>;
  /** Resolves when the rows are written. */
  add(rows: readonly (readonly ExportCell[])[]): Promise<null>;
  finish(): Promise<AnyBlob>;
}
