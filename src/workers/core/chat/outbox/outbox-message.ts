/** The message that an entry of the outbox becomes. */
import type { OutboxEntry } from "./outbox-entry.ts";
import type { OutgoingMessage } from "../provider/port.ts";

/** @returns the message to send; the file of an entry must be uploaded */
export function outgoing(entry: OutboxEntry): OutgoingMessage {
  const { id, to, text, ext, file, place, custom, quote } = entry;
  const asks = entry.asksReaders === true ? { asksReaders: true } : {};
  if (place !== undefined) return { kind: "location", id, to, place, ...asks };
  if (custom !== undefined) return { kind: "custom", id, to, custom, ...asks };
  if (file === undefined) {
    return {
      kind: "text",
      id,
      to,
      text,
      ...(ext === undefined ? {} : { ext }),
      ...(quote === undefined ? {} : { quote }),
      ...asks,
    };
  }
  const { kind, uploaded, key: _, ...about } = file;
  if (uploaded === null) throw new Error("the file is not uploaded");
  if (entry.combined !== undefined) {
    return { kind: "combined", id, to, text, uploaded, ...entry.combined, ...asks };
  }
  return { kind, id, to, file: { ...about, ...uploaded }, ...asks };
}
