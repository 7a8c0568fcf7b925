/**
 * Readers of table files. The kind of a file is detected from its content. Readers give batches of typed arrays, so that a
 * hundred thousand rows take half a second and a few bytes per cell. Any fault is thrown as AppError import.*, before memory runs
 * out.
 */
import { AppError } from "../../../shared/errors.ts";
import type { Ahead, OpenReader, Reader } from "../contracts.ts";
import { u32 } from "./bytes.ts";
import { CFB_MAGIC, cfbNames } from "./cfb.ts";
import { openCsv } from "./csv.ts";
import { decryptWorkbook } from "./decrypt.ts";
import { checkSignal } from "./faults.ts";
import { readSlice } from "./inflate.ts";
import { isLockFile, refuseByproducts } from "./byproducts.ts";
import { openXls } from "./xls.ts";
import { openXlsx } from "./xlsx.ts";

export { allTexts, rowsFrom, rowsOf } from "./rows.ts";
export type { RowValue } from "../contracts.ts";

const isZip = (magic: Uint8Array, size: number): boolean =>
  magic[0] === 0x50 && magic[1] === 0x4b && (magic[2]! <= 8 || size < 4);

async function openZipped(
  file: Blob,
  magic: Uint8Array,
  signal: AbortSignal,
  ahead?: Ahead,
): Promise<Reader> {
  // An empty zip consists only of the end record.
  if (u32(magic, 0) === 0x06054b50) throw new AppError("import.empty");
  return openXlsx(file, signal, ahead);
}

/** The name never decides the kind, because people rename files. It tells what other programs leave beside a table. */
export const openReader: OpenReader = async (file, name, signal, ahead) => {
  checkSignal(signal);
  // Before the first read: while Excel has the file open, this one cannot be read at all.
  refuseByproducts(name);
  if (file.size === 0) throw new AppError("import.empty");
  const magic = await readSlice(file, 0, 8);
  checkSignal(signal);
  if (isZip(magic, file.size)) return openZipped(file, magic, signal, ahead);
  if (CFB_MAGIC.every((byte, index) => magic[index] === byte)) {
    const names = await cfbNames(file);
    checkSignal(signal);
    if (names.includes("EncryptedPackage")) {
      const plain = await decryptWorkbook(file, signal);
      const begin = await readSlice(plain, 0, 8);
      if (!isZip(begin, plain.size)) throw new AppError("import.not-table");
      return openZipped(plain, begin, signal, ahead);
    }
    if (names.some((one) => /^(?:workbook|book)$/i.test(one))) return openXls(file, signal);
    throw new AppError("import.not-table");
  }
  if (await isLockFile(file)) throw new AppError("import.lock-file");
  return openCsv(file, name, signal);
};
