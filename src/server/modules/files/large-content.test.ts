import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, expect, it } from "vitest";
import type { FileType } from "../../../shared/protocol/rest/files.ts";
import { isFileOfType } from "./large-content.ts";

const folder = mkdtempSync(join(tmpdir(), "large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const MB = 1024 * 1024;
/** Six megabytes between a beginning and an end. */
const around = (begin: string | Buffer, end: string | Buffer = "", filling = "a"): Buffer =>
  Buffer.concat([Buffer.from(begin), Buffer.alloc(6 * MB, filling), Buffer.from(end)]);
const judged = (content: Buffer | Uint8Array, type: FileType): Promise<boolean> => {
  const path = join(folder, "file");
  writeFileSync(path, content);
  return isFileOfType(path, type);
};
const CFB = Buffer.from("d0cf11e0a1b11ae1", "hex");
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const utf16 = (text: string): Buffer => Buffer.from(`${text}\0`, "utf16le");
const noise = Uint8Array.from({ length: 6 * MB }, (_, n) => (n * 2_654_435_761) >>> 24);
/** A package with a large picture that does not shrink. */
const packed = (folderName: string, contentType: string): Uint8Array => {
  const text = (xml: string): Uint8Array => Uint8Array.from(Buffer.from(xml));
  return zipSync({
    "_rels/.rels": text(
      `<Relationships><Relationship Id="r1" Type="http://x/officeDocument" Target="${folderName}/main.xml"/></Relationships>`,
    ),
    "[Content_Types].xml": text(
      `<Types><Override PartName="/${folderName}/main.xml" ContentType="${contentType}"/></Types>`,
    ),
    [`${folderName}/main.xml`]: text("<a/>"),
    [`${folderName}/media/large.bin`]: [noise, { level: 0 }],
  });
};

it("A large file is judged by the same marks as a small one", async () => {
  expect(await judged(around("%PDF-1.7\n"), "pdf")).toBe(true);
  expect(await judged(around("no PDF"), "pdf")).toBe(false);
  expect(await judged(around(PNG, "IEND"), "png")).toBe(true);
  expect(await judged(around(PNG), "png")).toBe(false);
  expect(await judged(around(Buffer.from("ffd8ff", "hex")), "jpg")).toBe(true);
  expect(await judged(around("ffd8"), "jpeg")).toBe(false);
  expect(await judged(around(CFB, utf16("WordDocument")), "doc")).toBe(true);
  expect(await judged(around(CFB, utf16("WordDocument")), "xls")).toBe(false);
  expect(await judged(around("x", utf16("WordDocument")), "doc")).toBe(false);
});

it("A mark is found that lies across two pieces of the file", async () => {
  const at = 64 * 1024;
  for (const before of [1, 2, 3]) {
    const content = around(PNG);
    content.write("IEND", at - before);
    expect(await judged(content, "png"), String(before)).toBe(true);
  }
});

it("A large text is plain to its last character, in each of the encodings", async () => {
  expect(await judged(around("", "\n末"), "txt")).toBe(true);
  expect(await judged(around("", "\0"), "txt")).toBe(false);
  // The characters lie across pieces in other places each time.
  expect(await judged(around("a", "", "全"), "txt")).toBe(true);
  expect(await judged(Buffer.alloc(6 * MB, Buffer.from("b0a1", "hex")), "txt")).toBe(true);
  expect(await judged(around(Buffer.from("fffe", "hex"), "", "a\0"), "txt")).toBe(true);
  expect(await judged(around("", Buffer.from("ff", "hex")), "txt")).toBe(false);
});

it("A large package is of the type that its main part says", async () => {
  const word = packed("word", "application/vnd.x.wordprocessingml.document.main+xml");
  expect(word.length).toBeGreaterThan(5 * MB);
  expect(await judged(word, "docx")).toBe(true);
  expect(await judged(word, "xlsx")).toBe(false);
  expect(await judged(packed("xl", "x.spreadsheetml.main+xml"), "xlsx")).toBe(true);
  expect(await judged(around("PK\u0003\u0004"), "docx")).toBe(false);
  // Its directory is cut off.
  expect(await judged(word.subarray(0, word.length - 30), "docx")).toBe(false);
});
