/** For tests: reads an exported workbook by the zip's directory. */
import { crc32, inflateRawSync } from "node:zlib";

/** @throws Error when a size or checksum does not match the data */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const crc = bytes.readUInt32LE(at + 16);
    const packed = bytes.readUInt32LE(at + 20);
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString();
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = inflateRawSync(bytes.subarray(start, start + packed));
    if (data.length !== size || crc32(data) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, data);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}

const SIGNS: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };
const plain = (xml: string): string =>
  xml
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => SIGNS[name] ?? "")
    .replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** @returns rows of the first sheet, header first; a missing cell is "", numbers and dates are their digits */
export function readXlsx(bytes: Buffer): string[][] {
  const sheet = unzip(bytes).get("xl/worksheets/sheet1.xml")?.toString() ?? "";
  return Array.from(sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs), ([, row = ""]) => {
    const cells: string[] = [];
    for (const [, letters = "", content = ""] of row.matchAll(
      /<c r="([A-Z]+)\d+"[^>]*>(.*?)<\/c>/gs,
    )) {
      const index =
        Array.from(letters).reduce((n, sign) => n * 26 + sign.charCodeAt(0) - 64, 0) - 1;
      while (cells.length < index) cells.push("");
      cells.push(plain(content.replaceAll(/<[^>]+>/g, "")));
    }
    return cells;
  });
}
