/** Makes a zip of texts, deflated by the browser. */

const TABLE = new Uint32Array(256).map((_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
/** Continues from an earlier checksum; 0 at the start. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let c = ~before >>> 0;
  for (const byte of bytes) c = TABLE[(c ^ byte) & 0xff]! ^ (c >>> 8);
  return ~c >>> 0;
}

async function deflate(
  parts: readonly Uint8Array<ArrayBuffer>[],
): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([...parts]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** UTF-8 names, no Zip64: the files written here stay far below 4 GiB. */
export async function zip(
  parts: readonly { readonly name: string; readonly data: string | readonly string[] }[],
): Promise<Uint8Array<ArrayBuffer>[]> {
  const encoder = new TextEncoder();
  const out: Uint8Array<ArrayBuffer>[] = [];
  const central: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, data } of parts) {
    const texts = (typeof data === "string" ? [data] : data).map((text) => encoder.encode(text));
    const size = texts.reduce((sum, text) => sum + text.length, 0);
    const sum = texts.reduce((crc, text) => crc32(text, crc), 0);
    const packed = await deflate(texts);
    const title = encoder.encode(name);
    const record = (signature: number, head: number): DataView<ArrayBuffer> => {
      const view = new DataView(new ArrayBuffer(head + title.length));
      view.setUint32(0, signature, true);
      const at = signature === 0x02014b50 ? 6 : 4;
      view.setUint16(at, 20, true);
      view.setUint16(at + 2, 0x0800, true);
      view.setUint16(at + 4, 8, true);
      // The date is always 1980-01-01, so that equal contents make equal files.
      view.setUint16(at + 8, 0x21, true);
      view.setUint32(at + 10, sum, true);
      view.setUint32(at + 14, packed.length, true);
      view.setUint32(at + 18, size, true);
      view.setUint16(at + 22, title.length, true);
      new Uint8Array(view.buffer).set(title, head);
      return view;
    };
    const local = new Uint8Array(record(0x04034b50, 30).buffer);
    const entry = record(0x02014b50, 46);
    entry.setUint16(4, 20, true);
    entry.setUint32(42, offset, true);
    central.push(new Uint8Array(entry.buffer));
    out.push(local, packed);
    offset += local.length + packed.length;
  }
  const length = central.reduce((sum, entry) => sum + entry.length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, parts.length, true);
  end.setUint16(10, parts.length, true);
  end.setUint32(12, length, true);
  end.setUint32(16, offset, true);
  return [...out, ...central, new Uint8Array(end.buffer)];
}
