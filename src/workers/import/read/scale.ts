import { AppError } from "../../../shared/errors.ts";
import type { Batch } from "../contracts.ts";
import { tooLarge } from "./faults.ts";
import { LIMITS } from "./limits.ts";

/**
 * Adds up what the batches of one table hold.
 *
 * @returns takes each batch, with the rows in all batches so far. It throws AppError when the table is larger than an import may be
 */
export function createScale(): (
  batch: Pick<Batch, "rows" | "width" | "bytes">,
  total: number,
) => void {
  let cells = 0;
  let bytes = 0;
  return (batch, total) => {
    cells += batch.rows * batch.width;
    bytes += batch.bytes.length;
    if (cells > LIMITS.cells) throw tooLarge("cells");
    if (bytes > LIMITS.text) throw tooLarge("text");
    if (total > LIMITS.rows) throw new AppError("import.too-many-rows");
  };
}
