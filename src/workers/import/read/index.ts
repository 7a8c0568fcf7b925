/**
 * Readers of table files. What a file is, is told by its content; what it holds goes out as batches of typed arrays, so that a
 * hundred thousand rows take half a second and a few bytes a cell; whatever is wrong with it is an AppError import.*, met before
 * memory is.
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

export { allTexts, rowsFrom, rowsOf, type RowValue } from "./rows.ts";

/** The name is not looked at: people rename files. */
export const openReader: OpenReader = async (file, _name, signal, ahead) => {
  checkSignal(signal);
  if (file.size === 0) throw new AppError("import.empty");
  const magic = await readSlice(file, 0, 8);
  checkSignal(signal);
  if (magic[0] === 0x50 && magic[1] === 0x4b && (magic[2]! <= 8 || file.size < 4)) {
    // the end of an empty zip is all that there is of it
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
