/** Upload and download, with the rules of files. */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";

/** Endings that an upload may have; what is inside is looked at as well. The platform names the first five and those of images. */
export const FILE_TYPES = [
  "doc",
  "xls",
  "ppt",
  "txt",
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "png",
  "jpg",
  "jpeg",
] as const;
export type FileType = (typeof FILE_TYPES)[number];
/** By default 5 files, 5 MB. */
export const UPLOAD_LIMITS = { files: 5, megabytes: 5 } as const;

/** Created by the server: 22 random characters and the extension. */
export const fileNameSchema = z
  .string()
  .regex(/^[\w-]{22}\.[a-z]{3,4}$/, "文件名不正确")
  .max(32);

const storedFileSchema = z.object({
  /** The name to download the file by. */
  fileName: fileNameSchema,
  /** The file's name on the uploader's machine. */
  originalName: z.string(),
  /** bytes */
  size: z.number().int().nonnegative(),
});

/**
 * Field `file`, up to five of them; all are kept or none. The spec: "response code (200 success) and fileName", so fileName
 * stands beside code, here in `data` as well.
 */
export const uploadCall = defineCall({
  id: "files.upload",
  method: "POST",
  path: "/common/upload",
  summary:
    "Keep files for the company of the supplier-id header; doc, xls, ppt, txt, pdf, docx, xlsx, pptx, png, jpg, jpeg of 5 MB at most, 5 at once. Success is code 200, and fileName stands beside it",
  auth: "bearer",
  access: { company: "required" },
  touches: ["files"],
  bodyType: "multipart",
  // the files, plus the multipart headers around them
  bodyLimit: UPLOAD_LIMITS.files * UPLOAD_LIMITS.megabytes * 1024 * 1024 + 64 * 1024,
  success: { code: 200, flat: true },
  data: storedFileSchema.extend({ files: z.array(storedFileSchema).min(1) }),
});

/** Where files come in parts, by the tus protocol (docs/server.md#uploads-in-parts). */
export const PARTS_PATH = "/common/upload/resumable";

/**
 * Takes over a file that has come in parts, by the id that its address ends with. A repetition answers the same file: who did not hear the
 * answer asks again, and it is kept once.
 */
export const uploadFinishCall = defineCall({
  id: "files.uploadFinish",
  method: "POST",
  path: `${PARTS_PATH}/{id}/finish`,
  summary:
    "Keep a file that has come in parts by the tus protocol at /common/upload/resumable; a repetition answers the same file",
  auth: "bearer",
  access: { company: "required" },
  touches: ["files"],
  params: z.object({ id: z.string().regex(/^[0-9a-f]{32}-[0-9a-f]{32}$/, "上传编号不正确") }),
  body: z.object({ name: z.string().min(1).max(255).refine(hasNoNul, NUL_MESSAGE) }),
  data: storedFileSchema,
});

/**
 * Any member of the company with a role may read its files. `delete=true` deletes the file after this answer if the caller
 * uploaded it or holds `system:file:delete`; for other callers, and while something needs it, the file stays.
 */
export const downloadCall = defineCall({
  id: "files.download",
  method: "GET",
  path: "/umc-rbac/common/download",
  summary:
    "A file of the company, as an attachment, or a range of it; delete=true takes it away afterwards when the caller may (who uploaded it, or system:file:delete)",
  auth: "bearer",
  access: { company: "required" },
  file: true,
  query: z.object({
    fileName: fileNameSchema,
    delete: z
      .enum(["true", "false"])
      .default("false")
      .transform((v) => v === "true"),
  }),
});

export const fileCalls = {
  upload: uploadCall,
  uploadFinish: uploadFinishCall,
  download: downloadCall,
};
