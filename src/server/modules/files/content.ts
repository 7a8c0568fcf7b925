/** Checks whether a file's content is of the type that its name says. */
import { unzipSync } from "fflate";
import type { FileType } from "../../../shared/protocol/rest/files.ts";

export const CONTENT_TYPES: Readonly<Record<FileType, string>> = {
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  txt: "text/plain",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
};

const CFB = Buffer.from("d0cf11e0a1b11ae1", "hex");
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
export const PNG_END = Buffer.from("IEND", "latin1");
const JPEG = Buffer.from("ffd8ff", "hex");
const PDF = Buffer.from("%PDF-", "latin1");
const ZIP = Buffer.from("PK\u0003\u0004", "latin1");

/** Names of the streams that identify each type of OLE compound file. Its directory is UTF-16. */
const CFB_STREAMS = {
  doc: ["WordDocument"],
  xls: ["Workbook", "Book"],
  ppt: ["PowerPoint Document"],
} as const;
/** What the content type of the main part says in each type of Office Open XML package, and the folder that the part is in. */
const MAIN_PARTS = {
  docx: { says: /word/i, folder: "word/" },
  xlsx: { says: /spreadsheetml|excel/i, folder: "xl/" },
  pptx: { says: /presentationml|powerpoint/i, folder: "ppt/" },
} as const;
const RELATIONS = "_rels/.rels";
const TYPES = "[Content_Types].xml";
/** Most bytes of these two parts. */
export const TYPE_PARTS_MAX = 1 << 20;

/** Bytes before the header of a PDF that readers tolerate. */
export const PDF_LEAD = 1024;

/** With the terminating zero: `Book` must not match the start of another name. */
export const streamNames = (type: keyof typeof CFB_STREAMS): Buffer[] =>
  CFB_STREAMS[type].map((name) => Buffer.from(`${name}\0`, "utf16le"));

const begins = (bytes: Buffer, magic: Buffer): boolean =>
  bytes.subarray(0, magic.length).equals(magic);

/** How a file of a type begins; null: by nothing that could be compared. */
export function beginningOf(type: FileType): Buffer | null {
  if (type === "doc" || type === "xls" || type === "ppt") return CFB;
  if (type === "docx" || type === "xlsx" || type === "pptx") return ZIP;
  if (type === "png") return PNG;
  return type === "jpg" || type === "jpeg" ? JPEG : null;
}

/** @returns whether the bytes are a file of that type */
export function isOfType(bytes: Buffer, type: FileType): boolean {
  switch (type) {
    case "doc":
    case "xls":
    case "ppt":
      return begins(bytes, CFB) && streamNames(type).some((name) => bytes.includes(name));
    case "docx":
    case "xlsx":
    case "pptx":
      return begins(bytes, ZIP) && isPackage(bytes, type);
    case "pdf":
      return bytes.subarray(0, PDF_LEAD).includes(PDF);
    case "png":
      return begins(bytes, PNG) && bytes.includes(PNG_END);
    case "jpg":
    case "jpeg":
      return begins(bytes, JPEG);
    case "txt":
      return isText(bytes);
  }
}

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? "";
const tagsOf = (xml: string, name: string): string[] =>
  xml.match(new RegExp(`<(?:\\w+:)?${name}\\s[^>]*>`, "g")) ?? [];

export type PackageType = keyof typeof MAIN_PARTS;
/** The parts of a package that say what it is. */
export const TYPE_PARTS: readonly string[] = [RELATIONS, TYPES];

/**
 * Whether the main part of a package is of a type. The part has any name; `_rels/.rels` says which one it is. Word Online, for
 * example, names it word/document2.xml.
 *
 * @param names of all parts, in small letters
 * @param text the content of one of TYPE_PARTS; "" when it is not there
 */
export function isPackageOf(
  type: PackageType,
  names: ReadonlySet<string>,
  text: (name: string) => string,
): boolean {
  const { says, folder } = MAIN_PARTS[type];
  const main = tagsOf(text(RELATIONS), "Relationship").find((tag) =>
    attribute(tag, "Type").endsWith("/officeDocument"),
  );
  if (main === undefined) return false;
  const path = attribute(main, "Target").replace(/^\.?\//, "");
  if (!names.has(path.toLowerCase())) return false;
  const override = tagsOf(text(TYPES), "Override").find(
    (tag) => attribute(tag, "PartName").toLowerCase() === `/${path}`.toLowerCase(),
  );
  // Without a type of its own the folder of the part says it.
  return override === undefined
    ? path.toLowerCase().startsWith(folder)
    : says.test(attribute(override, "ContentType"));
}

function isPackage(bytes: Buffer, type: PackageType): boolean {
  const names = new Set<string>();
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.add(name.toLowerCase());
        return TYPE_PARTS.includes(name) && originalSize <= TYPE_PARTS_MAX;
      },
    });
    return isPackageOf(type, names, (name) => Buffer.from(parts[name] ?? []).toString("utf8"));
  } catch {
    return false;
  }
}

/** Encodings that a text with these first bytes may have: UTF-16 with a byte order mark, else UTF-8 or GBK. */
export const encodingsOf = (head: Buffer): readonly string[] =>
  begins(head, Buffer.from([0xff, 0xfe])) || begins(head, Buffer.from([0xfe, 0xff]))
    ? [head[0] === 0xff ? "utf-16le" : "utf-16be"]
    : ["utf-8", "gb18030"];
/** A text has no control characters except tabs, line breaks and form feeds. */
export const isPlain = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  !/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/.test(text);

function isText(bytes: Buffer): boolean {
  for (const encoding of encodingsOf(bytes)) {
    try {
      return isPlain(new TextDecoder(encoding, { fatal: true }).decode(bytes));
    } catch {
      // Try the next encoding.
    }
  }
  return false;
}

/** The type that the extension of a file name means, case ignored; null when it is none of the types. */
export function typeOfName(name: string, types: readonly FileType[]): FileType | null {
  const ending = /\.([a-z]{3,4})$/i.exec(name)?.[1]?.toLowerCase();
  return types.find((type) => type === ending) ?? null;
}
