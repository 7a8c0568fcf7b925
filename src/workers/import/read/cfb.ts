/**
 * Reads the names of the streams in an OLE compound file (CFB), the container of .xls files and of encrypted .xlsx files. The names
 * show which of the two a file is.
 */
import { u16, u32 } from "./bytes.ts";
import { corrupt } from "./faults.ts";
import { readSlice } from "./inflate.ts";

export const CFB_MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const;
/** Most sectors of the directory that are read. */
const MOST_SECTORS = 256;
/** Sector numbers from this one on are marks, such as the end of a chain. */
const LAST = 0xfffffffa;

/**
 * @returns the names of streams and folders in the file's directory
 * @throws AppError import.corrupt
 */
export async function cfbNames(blob: Blob): Promise<string[]> {
  const header = await readSlice(blob, 0, 512);
  const shift = header.length === 512 ? u16(header, 30) : 0;
  if (shift !== 9 && shift !== 12) throw corrupt("container header");
  const size = 2 ** shift;
  const sector = async (index: number): Promise<Uint8Array> => {
    const at = (index + 1) * size;
    const bytes = await readSlice(blob, at, at + size);
    if (bytes.length < 128) throw corrupt("container is cut off");
    return bytes;
  };
  const names: string[] = [];
  const decoder = new TextDecoder("utf-16le");
  let at = u32(header, 48);
  for (let seen = 0; at < LAST && seen < MOST_SECTORS; seen += 1) {
    const bytes = await sector(at);
    // a directory entry has 128 bytes: a name of up to 32 UTF-16 units, its length in bytes, and a type (0: unused)
    for (let e = 0; e + 128 <= bytes.length; e += 128) {
      const length = u16(bytes, e + 64);
      if (length >= 2 && length <= 64 && bytes[e + 66] !== 0) {
        names.push(decoder.decode(bytes.subarray(e, e + length - 2)));
      }
    }
    // The sector table says which sector follows. The header lists the first 109 sectors of the table; later ones are not needed.
    const perSector = size / 4;
    const table = Math.floor(at / perSector);
    if (table >= 109) break;
    const fat = await sector(u32(header, 76 + 4 * table));
    if (fat.length < size) throw corrupt("container is cut off");
    at = u32(fat, 4 * (at % perSector));
  }
  return names;
}
