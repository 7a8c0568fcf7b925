/** Checks whether a large file's content is of the type that its name says, as content.ts does, without having it all in memory. */
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";
import type { FileType } from "../../../shared/protocol/rest/files.ts";
import {
  beginningOf,
  encodingsOf,
  isOfType,
  isPackageOf,
  isPlain,
  type PackageType,
  PDF_LEAD,
  PNG_END,
  streamNames,
  TYPE_PARTS_MAX,
  TYPE_PARTS,
} from "./content.ts";

/** Node's code for bytes that are wrong in an encoding. */
const NOT_DECODABLE = "ERR_ENCODING_INVALID_ENCODED_DATA";
/** Bytes of a file that is small enough for the memory. */
const SMALL = 5 * 1024 * 1024;

/** @returns whether the file at the path is of that type */
export async function isFileOfType(path: string, type: FileType): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size <= SMALL) return isOfType(await bytesAt(handle, 0, size), type);
    const head = await bytesAt(handle, 0, PDF_LEAD);
    const beginning = beginningOf(type);
    if (beginning !== null && !head.subarray(0, beginning.length).equals(beginning)) return false;
    switch (type) {
      case "pdf":
        return isOfType(head, type);
      case "jpg":
      case "jpeg":
        return true;
      case "png":
        return await contains(path, [PNG_END]);
      case "doc":
      case "xls":
      case "ppt":
        return await contains(path, streamNames(type));
      case "docx":
      case "xlsx":
      case "pptx":
        return await isLargePackage(handle, size, type);
      case "txt":
        return await isLargeText(path, head);
    }
  } finally {
    await handle.close();
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Whether one of the byte sequences is anywhere in the file. */
async function contains(path: string, wanted: readonly Buffer[]): Promise<boolean> {
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk]);
    if (wanted.some((one) => bytes.includes(one))) return true;
    rest = bytes.subarray(Math.max(0, bytes.length - overlap));
  }
  return false;
}

/** Whether the content is wrong for a decoder, and not the file unreadable. */
const isNotDecodable = (error: unknown): boolean =>
  error instanceof TypeError && "code" in error && error.code === NOT_DECODABLE;

async function isLargeText(path: string, head: Buffer): Promise<boolean> {
  for (const encoding of encodingsOf(head)) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    try {
      let plain = true;
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        plain = isPlain(decoder.decode(chunk, { stream: true }));
        if (!plain) break;
      }
      return plain && isPlain(decoder.decode());
    } catch (error) {
      // Not of this encoding: try the next one.
      if (!isNotDecodable(error)) throw error;
    }
  }
  return false;
}

/** The records of a zip file that are read here, by the numbers with which they begin, and their fixed bytes. */
const ENTRY = { mark: 0x02014b50, bytes: 46 };
const LOCAL = { mark: 0x04034b50, bytes: 30 };
const END = { mark: 0x06054b50, bytes: 22 };
/** Most bytes of the comment at the end, and of the directory. */
const COMMENT_MAX = 0xff_ff;
const DIRECTORY_MAX = 16 * 1024 * 1024;

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly offset: number;
}

/** The directory of a zip file; null when it has none that can be read. */
async function directoryOf(handle: FileHandle, size: number): Promise<ZipEntry[] | null> {
  const from = Math.max(0, size - END.bytes - COMMENT_MAX);
  const tail = await bytesAt(handle, from, size - from);
  let at = tail.length - END.bytes;
  while (at >= 0 && tail.readUInt32LE(at) !== END.mark) at -= 1;
  if (at < 0) return null;
  const length = tail.readUInt32LE(at + 12);
  if (length > DIRECTORY_MAX) return null;
  const directory = await bytesAt(handle, tail.readUInt32LE(at + 16), length);
  const entries: ZipEntry[] = [];
  for (let next = 0; next + ENTRY.bytes <= directory.length;) {
    if (directory.readUInt32LE(next) !== ENTRY.mark) return null;
    const named = directory.readUInt16LE(next + 28);
    const begins = next + ENTRY.bytes;
    entries.push({
      name: directory.subarray(begins, begins + named).toString("utf8"),
      method: directory.readUInt16LE(next + 10),
      packed: directory.readUInt32LE(next + 20),
      unpacked: directory.readUInt32LE(next + 24),
      offset: directory.readUInt32LE(next + 42),
    });
    next = begins + named + directory.readUInt16LE(next + 30) + directory.readUInt16LE(next + 32);
  }
  return entries;
}

/** The content of a small part; "" when it is too large or not packed as its entry says. @throws Error when the file cannot be read */
async function textOf(handle: FileHandle, entry: ZipEntry): Promise<string> {
  if (entry.unpacked > TYPE_PARTS_MAX || entry.packed > TYPE_PARTS_MAX) return "";
  const local = await bytesAt(handle, entry.offset, LOCAL.bytes);
  if (local.length < LOCAL.bytes || local.readUInt32LE(0) !== LOCAL.mark) return "";
  const begins = entry.offset + LOCAL.bytes + local.readUInt16LE(26) + local.readUInt16LE(28);
  const packed = await bytesAt(handle, begins, entry.packed);
  if (entry.method === 0) return packed.toString("utf8");
  if (entry.method !== 8) return "";
  try {
    return inflateRawSync(packed, { maxOutputLength: TYPE_PARTS_MAX }).toString("utf8");
  } catch {
    return "";
  }
}

async function isLargePackage(
  handle: FileHandle,
  size: number,
  type: PackageType,
): Promise<boolean> {
  const entries = await directoryOf(handle, size);
  if (entries === null) return false;
  const texts = new Map<string, string>();
  for (const entry of entries) {
    if (!TYPE_PARTS.includes(entry.name)) continue;
    texts.set(entry.name, await textOf(handle, entry));
  }
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return isPackageOf(type, names, (name) => texts.get(name) ?? "");
}
