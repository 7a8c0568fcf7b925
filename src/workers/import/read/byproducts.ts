/** Small files that programs leave beside a table, with nearly its name. People choose them by mistake. */
import { AppError } from "../../../shared/errors.ts";
import { u16 } from "./bytes.ts";
import { readSlice } from "./inflate.ts";

/** Size of the lock file of a spreadsheet, which holds the name of the person who has it open, twice. */
const LOCK_SIZE = 165;
const MOST_LETTERS = 54;

/** @throws AppError import.lock-file, import.not-table */
export function refuseByproducts(name: string): void {
  const own = name.slice(name.lastIndexOf("/") + 1);
  if (own.startsWith("~$")) throw new AppError("import.lock-file");
  if (own.startsWith(".~lock.")) {
    throw new AppError("import.lock-file", {
      message: "这是 LibreOffice 打开文件时留下的临时文件，请选择名称不是以 .~lock. 开头的文件",
    });
  }
  if (own.startsWith(".~")) {
    throw new AppError("import.lock-file", {
      message: "这是 WPS 打开文件时留下的临时文件，请选择名称不是以 .~ 开头的文件",
    });
  }
  if (own.startsWith("._")) {
    throw new AppError("import.not-table", {
      message: "这是苹果电脑附加的文件，里面没有表格，请选择名称不是以 ._ 开头的文件",
    });
  }
}

/** Whether a file is a lock file that somebody has renamed. */
export async function isLockFile(file: Blob): Promise<boolean> {
  if (file.size !== LOCK_SIZE) return false;
  const b = await readSlice(file, 0, LOCK_SIZE);
  const letters = b[0] ?? 0;
  return letters > 0 && letters <= MOST_LETTERS && u16(b, 1 + MOST_LETTERS) === letters;
}
