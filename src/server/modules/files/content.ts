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
const PNG_END = Buffer.from("IEND", "latin1");
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
const SMALL = 1 << 20;

/** Bytes before the header of a PDF that readers tolerate. */
const PDF_LEAD = 1024;

const begins = (bytes: Buffer, magic: Buffer): boolean =>
  bytes.subarray(0, magic.length).equals(magic);

/** @returns whether the bytes are a file of that type */
export function isOfType(bytes: Buffer, type: FileType): boolean {
  switch (type) {
    case "doc":
    case "xls":
    case "ppt":
      return (
        begins(bytes, CFB) &&
        // The name with its terminating zero: `Book` must not match the start of another name.
        CFB_STREAMS[type].some((name) => bytes.includes(Buffer.from(`${name}\0`, "utf16le")))
      );
    case "docx":
    case "xlsx":
    case "pptx":
      return begins(bytes, ZIP) && isPackage(bytes, MAIN_PARTS[type]);
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

/**
 * Whether the main part of a package is of a type. The part has any name; `_rels/.rels` says which one it is. Word Online, for
 * example, names it word/document2.xml.
 */
function isPackage(
  bytes: Buffer,
  { says, folder }: (typeof MAIN_PARTS)[keyof typeof MAIN_PARTS],
): boolean {
  const names = new Set<string>();
  let parts;
  try {
    parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.add(name.toLowerCase());
        return (name === RELATIONS || name === TYPES) && originalSize <= SMALL;
      },
    });
  } catch {
    return false;
  }
  const text = (name: string): string => Buffer.from(parts[name] ?? []).toString("utf8");
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

/** Text is UTF-8, UTF-16 with a byte order mark, or GBK, without control characters except tabs, line breaks and form feeds. */
function isText(bytes: Buffer): boolean {
  const encodings =
    begins(bytes, Buffer.from([0xff, 0xfe])) || begins(bytes, Buffer.from([0xfe, 0xff]))
      ? [bytes[0] === 0xff ? "utf-16le" : "utf-16be"]
      : ["utf-8", "gb18030"];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      return !/[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/.test(text);
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
