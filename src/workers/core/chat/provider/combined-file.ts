/**
 * The file of a combined message, as the provider's SDK writes it: the mark "cm", then each message after its length in four bytes (big
 * endian), then one byte that checks the others (docs/chat.md#combined-messages). Pure.
 */

const MARK = [0x63, 0x6d] as const;
const LENGTH_BYTES = 4;

/** All bytes at odd places after the mark, combined by exclusive or. */
function checkOf(bytes: Uint8Array): number {
  let check = 0;
  for (let at = MARK.length + 1; at < bytes.length; at += 2) check ^= bytes[at] ?? 0;
  return check;
}

export function packMessages(messages: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = messages.reduce<number>(
    (sum, { length }) => sum + LENGTH_BYTES + length,
    MARK.length,
  );
  const file = new Uint8Array(size + 1);
  const view = new DataView(file.buffer);
  file.set(MARK);
  let at: number = MARK.length;
  for (const message of messages) {
    view.setUint32(at, message.length);
    file.set(message, at + LENGTH_BYTES);
    at += LENGTH_BYTES + message.length;
  }
  file[size] = checkOf(file.subarray(0, size));
  return file;
}

/** @returns the messages of a file, at most `max`; null when it is damaged or something else */
export function unpackMessages(file: Uint8Array, max: number): Uint8Array[] | null {
  const end = file.length - 1;
  if (file[0] !== MARK[0] || file[1] !== MARK[1] || end < MARK.length) return null;
  if (checkOf(file.subarray(0, end)) !== file[end]) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const messages: Uint8Array[] = [];
  let at: number = MARK.length;
  while (at < end) {
    if (messages.length === max || at + LENGTH_BYTES > end) return null;
    const from = at + LENGTH_BYTES;
    at = from + view.getUint32(at);
    if (at > end) return null;
    messages.push(file.subarray(from, at));
  }
  return messages;
}
