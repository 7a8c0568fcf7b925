import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { setLanguage, startI18n } from "../../i18n/index.ts";
import { textOf } from "../../i18n/texts.ts";
import {
  checkOffered,
  FILE_RULES,
  isOfTypes,
  PICTURE_RULES,
  saidText,
  UPLOAD_TEXTS,
} from "./rules.ts";

const MB = 1024 * 1024;
const file = (name: string, type = "", size = 10) => ({ name, type, size });
const said = (...given: Parameters<typeof checkOffered>): string[] =>
  checkOffered(...given).said.map(saidText);

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  await startI18n();
});
afterAll(() => setLanguage("zh"));

it("Files are at most 5 of 5 MB by default: doc, xls, ppt, txt, pdf; pictures 5 of 5 MB: png, jpg, jpeg", () => {
  expect(FILE_RULES).toMatchObject({ files: 5, megabytes: 5 });
  expect(FILE_RULES.types).toEqual(["doc", "xls", "ppt", "txt", "pdf"]);
  expect(PICTURE_RULES).toMatchObject({ files: 5, megabytes: 5, types: ["png", "jpg", "jpeg"] });
});

it.each([
  ["by its ending", file("合同.pdf")],
  ["by a longer ending of the same kind", file("名单.XLSX")],
  ["by its MIME type alone", file("scan", "application/pdf")],
])("A file is known %s", (_how, offered) => {
  expect(isOfTypes(offered, FILE_RULES.types)).toBe(true);
});

it("A file of another type is none of them, and with no types every file is", () => {
  expect(isOfTypes(file("a.exe", "application/octet-stream"), FILE_RULES.types)).toBe(false);
  expect(isOfTypes(file("pdf"), FILE_RULES.types)).toBe(false);
  expect(isOfTypes(file("a.exe"), [])).toBe(true);
});

it("A HEIC picture is refused with what to do about it, by its ending or its MIME type", async () => {
  await setLanguage("zh");
  const way = "不支持 HEIC 图片，请在手机相机设置中选择“兼容性最佳”，或转换为 jpg 后上传！";
  for (const one of [file("IMG_0001.HEIC"), file("a", "image/heif"), file("a.heif", "")]) {
    expect(checkOffered([one], 0, PICTURE_RULES).taken).toEqual([]);
    expect(said([one], 0, PICTURE_RULES)).toEqual([way]);
  }
  await setLanguage("en");
  expect(said([file("IMG_0001.HEIC")], 0, PICTURE_RULES)[0]).toContain("HEIC");
  await setLanguage("zh");
  expect(said([file("IMG_0001.HEIC")], 0, FILE_RULES)[0]).toContain("doc/xls/ppt/txt/pdf");
});

it("A file of exactly 5 MB is taken, and one byte more is not", () => {
  expect(checkOffered([file("a.pdf", "", 5 * MB)], 0, FILE_RULES).taken).toHaveLength(1);
  expect(checkOffered([file("a.pdf", "", 5 * MB + 1)], 0, FILE_RULES).taken).toHaveLength(0);
});

it("Files beyond the fifth are left out, counting those that are there already", () => {
  const four = ["a.pdf", "b.pdf", "c.pdf", "d.pdf"].map((name) => file(name));
  const { taken } = checkOffered(four, 3, FILE_RULES);
  expect(taken.map(({ name }) => name)).toEqual(["a.pdf", "b.pdf"]);
  expect(checkOffered([file("a.pdf")], 5, FILE_RULES).taken).toEqual([]);
  expect(checkOffered(four, 1, FILE_RULES).said).toEqual([]);
});

it("A picture needs an image's MIME type where the browser knows one", () => {
  expect(checkOffered([file("a.png", "text/html")], 0, PICTURE_RULES).taken).toEqual([]);
  expect(checkOffered([file("a.png")], 0, PICTURE_RULES).taken).toHaveLength(1);
  expect(checkOffered([file("", "image/jpeg")], 0, PICTURE_RULES).taken).toHaveLength(1);
});

it("Each refusal of files has its text, to the letter, once for equal ones", async () => {
  const six = ["a", "b", "c", "d", "e", "f"].map((name) => file(`${name}.txt`));
  const wrong = [file("a.exe"), file("b.exe")];
  const large = [file("a.txt", "", 6 * MB)];
  expect([wrong, large, six].map((files) => said(files, 0, FILE_RULES))).toEqual([
    ["文件格式不正确，请上传 doc/xls/ppt/txt/pdf 格式文件！"],
    ["上传文件大小不能超过 5 MB！"],
    ["上传文件数量不能超过 5 个！"],
  ]);
  await setLanguage("en");
  expect([wrong, large, six].map((files) => said(files, 0, FILE_RULES))).toEqual([
    ["file format incorrect, please upload doc/xls/ppt/txt/pdf format files!"],
    ["uploaded file size cannot exceed 5 MB!"],
    ["uploaded file count cannot exceed 5!"],
  ]);
  await setLanguage("zh");
});

it("Each refusal of pictures has its text", () => {
  const six = ["a", "b", "c", "d", "e", "f"].map((name) => file(`${name}.png`));
  expect(said([file("a.gif")], 0, PICTURE_RULES)).toEqual([
    "文件格式不正确，请上传 png/jpg/jpeg 格式文件！",
  ]);
  expect(said([file("a.png", "image/png", 6 * MB)], 0, PICTURE_RULES)).toEqual([
    "上传头像图片大小不能超过 5 MB！",
  ]);
  expect(said(six, 0, PICTURE_RULES)).toEqual(["上传文件数量不能超过 5 个！"]);
});

it("A failed and a successful upload have their texts", async () => {
  expect([textOf(UPLOAD_TEXTS, "fileFailed"), textOf(UPLOAD_TEXTS, "pictureFailed")]).toEqual([
    "上传失败，请重试",
    "上传失败",
  ]);
  expect(textOf(UPLOAD_TEXTS, "done")).toBe("上传成功");
  await setLanguage("en");
  expect(textOf(UPLOAD_TEXTS, "fileFailed")).toBe("upload failed, please retry");
  expect(textOf(UPLOAD_TEXTS, "pictureFailed")).toBe("upload failed");
  expect(textOf(UPLOAD_TEXTS, "done")).toBe("upload successful");
  await setLanguage("zh");
});
