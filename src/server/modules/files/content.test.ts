import { readFileSync } from "node:fs";
import { strToU8, unzipSync, zipSync } from "fflate";
import { expect, it } from "vitest";
import { FILE_TYPES } from "../../../shared/protocol/rest/files.ts";
import { isOfType, typeOfName } from "./content.ts";

const cfb = (stream: string): Buffer =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(512),
    Buffer.from(`${stream}\0`, "utf16le"),
  ]);
/** A package with one part. @param type of the part; null: the package does not say it */
const zip = (part: string, type: string | null = null): Buffer => {
  const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
  const override =
    type === null
      ? ""
      : `<Override PartName="/${part}" ContentType="application/vnd.${type}+xml"/>`;
  return Buffer.from(
    zipSync({
      "[Content_Types].xml": strToU8(`<Types>${override}</Types>`),
      "_rels/.rels": strToU8(
        `<Relationships><Relationship Id="r1" Type="${kind}" Target="/${part}"/></Relationships>`,
      ),
      [part]: strToU8("<x/>"),
    }),
  );
};

const SAMPLES: Readonly<Record<string, Buffer>> = {
  doc: cfb("WordDocument"),
  xls: cfb("Workbook"),
  ppt: cfb("PowerPoint Document"),
  docx: zip("word/document.xml"),
  xlsx: zip("xl/workbook.xml"),
  pptx: zip("ppt/presentation.xml"),
  pdf: Buffer.from("\n%PDF-1.4"),
  png: Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("IHDR…IEND")]),
  jpg: Buffer.from("ffd8ffe0", "hex"),
};

it.each(Object.keys(SAMPLES))("%s is recognised as its own type only", (name) => {
  const bytes = SAMPLES[name] ?? Buffer.alloc(0);
  const taken = FILE_TYPES.filter((type) => isOfType(bytes, type) && type !== "txt");
  expect(taken).toEqual(name === "jpg" ? ["jpg", "jpeg"] : [name]);
});

it.each([
  ["UTF-8", true, Buffer.from("安全检查\r\n\t记录")],
  ["GBK", true, Buffer.from("b0b2c8abbceccce9", "hex")],
  ["UTF-16 with a byte order mark", true, Buffer.from("\ufeff检查", "utf16le")],
  ["nothing", true, Buffer.alloc(0)],
  ["a program", false, Buffer.from("4d5a900003000000", "hex")],
  ["a NUL", false, Buffer.from("a\0b")],
  ["bytes of no encoding", false, Buffer.from("ff61ff", "hex")],
])("Whether a file with %s is text: %s", (_, is, bytes) => {
  expect(isOfType(bytes, "txt")).toBe(is);
});

it("An old .xls with a stream named Book is recognised, and Book is not found within another name", () => {
  expect(isOfType(cfb("Book"), "xls")).toBe(true);
  expect(isOfType(cfb("Bookmarks"), "xls")).toBe(false);
});

it("The last extension of a name decides its type, ignoring case", () => {
  expect(typeOfName("a.PDF", FILE_TYPES)).toBe("pdf");
  expect(typeOfName("a.pdf.exe", FILE_TYPES)).toBe(null);
  expect(typeOfName("pdf", FILE_TYPES)).toBe(null);
  expect(typeOfName("a.pdf ", FILE_TYPES)).toBe(null);
});

it.each([
  ["docx", "word/document2.xml", "openxmlformats-officedocument.wordprocessingml.document.main"],
  ["docx", "word/document22.xml", null],
  ["docx", "main.xml", "ms-word.document.macroEnabled.main"],
  ["xlsx", "xl/workbook2.xml", "openxmlformats-officedocument.spreadsheetml.sheet.main"],
  ["xlsx", "xl/workbook22.xml", null],
  [
    "pptx",
    "ppt/presentation1.xml",
    "openxmlformats-officedocument.presentationml.presentation.main",
  ],
] as const)("A %s whose main part is %s is recognised as its own type only", (type, part, says) => {
  const bytes = zip(part, says);
  expect(FILE_TYPES.filter((one) => isOfType(bytes, one))).toEqual([type]);
});

it("A document of Word Online is recognised", () => {
  const file = new URL("../../../../tests/import/fixtures/brought/document2.docx", import.meta.url);
  expect(isOfType(readFileSync(file), "docx")).toBe(true);
});

it("A package without the part that it names, a cut package and a plain zip are no documents", () => {
  const whole = zip("word/document.xml");
  const bare = zip("word/document.xml").subarray(0, whole.length - 40);
  const plain = Buffer.from(zipSync({ "word/document.xml": strToU8("<x/>") }));
  const missing = Buffer.from(
    zipSync({ "_rels/.rels": unzipSync(whole)["_rels/.rels"] ?? new Uint8Array(0) }),
  );
  for (const bytes of [bare, plain, missing]) expect(isOfType(bytes, "docx")).toBe(false);
});
