/** Builds zips with any defect: wrong sizes, flags, 64-bit fields, stored parts. */
import { crc32, deflateRawSync } from "node:zlib";

export interface RawEntry {
  readonly name: string;
  readonly data: Buffer | string;
  readonly stored?: boolean;
  /** The size that the directory claims. */
  readonly claimed?: number;
  readonly encrypted?: boolean;
  readonly method?: number;
}

export interface RawOptions {
  /** Whether sizes and offsets are in the 64-bit fields. */
  readonly zip64?: boolean;
  /** Whether local headers have zero sizes, as streaming writers leave them. */
  readonly descriptors?: boolean;
}

const u16 = (n: number): Buffer => Buffer.from([n & 255, (n >> 8) & 255]);
const u32 = (n: number): Buffer => {
  const b = Buffer.alloc(4);
  b.writeUInt32LE(n >>> 0);
  return b;
};
const u64 = (n: number): Buffer => {
  const b = Buffer.alloc(8);
  b.writeBigUInt64LE(BigInt(n));
  return b;
};

export function rawZip(entries: readonly RawEntry[], options: RawOptions = {}): Buffer {
  const { zip64 = false, descriptors = false } = options;
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const put = (chunk: Buffer): void => {
    chunks.push(chunk);
    offset += chunk.length;
  };
  for (const entry of entries) {
    const data = Buffer.from(entry.data);
    const packed = entry.stored === true ? data : deflateRawSync(data, { level: 9 });
    const name = Buffer.from(entry.name);
    const method = u16(entry.method ?? (entry.stored === true ? 0 : 8));
    const flags = u16((entry.encrypted === true ? 1 : 0) | (descriptors ? 8 : 0) | 0x0800);
    const sum = u32(crc32(data));
    const size = entry.claimed ?? data.length;
    const at = offset;
    const local = descriptors ? [u32(0), u32(0), u32(0)] : [sum, u32(packed.length), u32(size)];
    const head = [u32(0x04034b50), u16(45), flags, method, u32(0), ...local];
    put(Buffer.concat([...head, u16(name.length), u16(4), name, u16(0x9999), u16(0)]));
    put(packed);
    if (descriptors) {
      put(Buffer.concat([u32(0x08074b50), sum, u32(packed.length), u32(size)]));
    }
    const extra = zip64
      ? Buffer.concat([
          u16(0x9999),
          u16(0),
          u16(1),
          u16(24),
          u64(size),
          u64(packed.length),
          u64(at),
        ])
      : Buffer.alloc(0);
    const short = (n: number): Buffer => u32(zip64 ? 0xffffffff : n);
    directory.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(45),
        u16(45),
        flags,
        method,
        u32(0),
        sum,
        short(packed.length),
        short(size),
        u16(name.length),
        u16(extra.length),
        u16(0),
        u16(0),
        u16(0),
        u32(0),
        short(at),
        name,
        extra,
      ]),
    );
  }
  const start = offset;
  const central = Buffer.concat(directory);
  put(central);
  if (zip64) {
    const at = offset;
    const count = u64(entries.length);
    put(
      Buffer.concat([
        u32(0x06064b50),
        u64(44),
        u16(45),
        u16(45),
        u32(0),
        u32(0),
        count,
        count,
        u64(central.length),
        u64(start),
      ]),
    );
    put(Buffer.concat([u32(0x07064b50), u32(0), u64(at), u32(1)]));
  }
  const many = u16(zip64 ? 0xffff : entries.length);
  const where = [u32(zip64 ? 0xffffffff : central.length), u32(zip64 ? 0xffffffff : start)];
  put(Buffer.concat([u32(0x06054b50), u16(0), u16(0), many, many, ...where, u16(0)]));
  return Buffer.concat(chunks);
}
