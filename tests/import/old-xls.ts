/** An Excel 5 workbook as Chinese programs wrote it: texts as bytes of a code page, which the file may or may not declare. */
import * as XLSX from "@e965/xlsx";

/** GB 2312 bytes of the texts that the tests use, because the platform has no encoder. */
const GB: Readonly<Record<string, readonly number[]>> = {
  姓: [0xd0, 0xd5],
  名: [0xc3, 0xfb],
  工: [0xb9, 0xa4],
  号: [0xba, 0xc5],
  王: [0xcd, 0xf5],
  伟: [0xce, 0xb0],
  李: [0xc0, 0xee],
  娜: [0xc4, 0xc8],
};
const SIGNS = Object.keys(GB);
/**
 * The library writes ASCII characters only, so two placeholders stand for each other character until the bytes are patched in.
 */
const standIn = (text: string): string =>
  [...text]
    .map((sign) => (sign in GB ? `~${String.fromCharCode(65 + SIGNS.indexOf(sign))}` : sign))
    .join("");

/** @param codepage the code page that the file declares */
export function oldXls(rows: readonly (readonly string[])[], codepage: number): Buffer {
  const sheet = XLSX.utils.aoa_to_sheet(rows.map((row) => row.map(standIn)));
  const book = { SheetNames: ["a"], Sheets: { a: sheet } };
  const whole = XLSX.write(book, { type: "buffer", bookType: "biff5" }) as Buffer;
  const cfb = XLSX.CFB.read(whole, { type: "buffer" });
  const stream = XLSX.CFB.find(cfb, "/Book")?.content;
  if (stream === undefined) throw new Error("no stream");
  const data = Buffer.from(stream as unknown as Uint8Array);
  for (let at = 0; at + 4 <= data.length; at += 4 + data.readUInt16LE(at + 2)) {
    if (data.readUInt16LE(at) === 0x42) data.writeUInt16LE(codepage, at + 4);
  }
  for (let at = data.indexOf(126); at >= 0; at = data.indexOf(126, at + 1)) {
    data.set(GB[SIGNS[data[at + 1]! - 65] ?? ""] ?? [], at);
  }
  const fresh = XLSX.CFB.utils.cfb_new();
  XLSX.CFB.utils.cfb_add(fresh, "/Book", data);
  return Buffer.from(XLSX.CFB.write(fresh, { type: "buffer" }) as unknown as Uint8Array);
}
