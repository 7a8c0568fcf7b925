/** The container format of old spreadsheets and of encrypted new ones. Only its stream names are read, to tell the two apart. */
import { u16, u32 } from "./bytes.ts";
import { corrupt } from "./faults.ts";
import { readSlice } from "./inflate.ts";

export const CFB_MAGIC = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] as const;
const MOST_SECTORS = 256;
const LAST = 0xfffffffa;

/** @throws AppError import.corrupt */
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
    for (let e = 0; e + 128 <= bytes.length; e += 128) {
      const length = u16(bytes, e + 64);
      if (length >= 2 && length <= 64 && bytes[e + 66] !== 0) {
        names.push(decoder.decode(bytes.subarray(e, e + length - 2)));
      }
    }
    // The next sector is looked up in the table; the header lists the table's first sectors.
    const perSector = size / 4;
    const table = Math.floor(at / perSector);
    if (table >= 109) break;
    const fat = await sector(u32(header, 76 + 4 * table));
    if (fat.length < size) throw corrupt("container is cut off");
    at = u32(fat, 4 * (at % perSector));
  }
  return names;
}
