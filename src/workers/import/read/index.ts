/**
 * Readers of table files. The kind of a file is detected from its content. Readers give batches of typed arrays, so that a
 * hundred thousand rows take half a second and a few bytes per cell. Any fault is thrown as AppError import.*, before memory runs
 * out.
 */
import { AppError } from "../../../shared/errors.ts";
import type { OpenReader } from "../contracts.ts";
import { u32 } from "./bytes.ts";
import { CFB_MAGIC, cfbNames } from "./cfb.ts";
import { openCsv } from "./csv.ts";
import { checkSignal } from "./faults.ts";
import { openXls } from "./xls.ts";
import { openXlsx } from "./xlsx.ts";
import { readSlice } from "./inflate.ts";

export { allTexts, rowsFrom, rowsOf } from "./rows.ts";
export type { RowValue } from "../contracts.ts";

/** The name is ignored because people rename files. */
export const openReader: OpenReader = async (file, _name, signal, ahead) => {
  checkSignal(signal);
  if (file.size === 0) throw new AppError("import.empty");
  const magic = await readSlice(file, 0, 8);
  checkSignal(signal);
  if (magic[0] === 0x50 && magic[1] === 0x4b && (magic[2]! <= 8 || file.size < 4)) {
    // An empty zip consists only of the end record.
    if (u32(magic, 0) === 0x06054b50) throw new AppError("import.empty");
    return openXlsx(file, signal, ahead);
  }
  if (CFB_MAGIC.every((byte, index) => magic[index] === byte)) {
    const names = await cfbNames(file);
    checkSignal(signal);
    if (names.includes("EncryptedPackage")) throw new AppError("import.encrypted");
    if (names.some((name) => /^(?:workbook|book)$/i.test(name))) return openXls(file, signal);
    throw new AppError("import.not-table");
  }
  return openCsv(file, signal);
};
