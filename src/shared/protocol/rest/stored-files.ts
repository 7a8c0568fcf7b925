/** The files that a company keeps, for those who look after them (docs/server.md#the-files-of-a-company). The calls are ours. */
import { z } from "../../zod.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  sortSchema,
  times,
} from "./call.ts";
import { idListSchema } from "./dict.ts";
import { idSchema } from "./entities.ts";
import { fileNameSchema, type FileType } from "./files.ts";

/** The right to remove files that others uploaded. */
export const FILE_DELETE = "system:file:delete";
const LIST = { company: "required", permissions: ["system:file:list", FILE_DELETE] } as const;
const DELETE = { company: "required", permissions: [FILE_DELETE] } as const;
const PATH = "/common/files";

/** What a file is for people, and the endings of such files. */
export const STORED_KINDS = {
  picture: ["png", "jpg", "jpeg"],
  pdf: ["pdf"],
  word: ["doc", "docx"],
  sheet: ["xls", "xlsx"],
  slides: ["ppt", "pptx"],
  text: ["txt"],
} as const satisfies Readonly<Record<string, readonly FileType[]>>;
export type StoredKind = keyof typeof STORED_KINDS;
const kind = z.enum(Object.keys(STORED_KINDS) as [StoredKind, ...StoredKind[]]);

/** What may need a file: an inaugural document, a bulletin, the company itself by its logo or its business licence. */
export const FILE_USES = ["document", "bulletin", "logo", "licence"] as const;

const storedFileSchema = z.object({
  id: idSchema,
  /** The name by which it is read. */
  fileName: fileNameSchema,
  /** The name that it had at its uploader; empty for those who may not know it. */
  originalName: z.string(),
  kind,
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** Null when the account is gone. */
  uploader: z.string().nullable(),
  /** ISO 8601, UTC. */
  createTime: z.string(),
  /** Whether the caller may read what is in it. */
  readable: z.boolean(),
  /** Empty for a file that nothing needs. */
  uses: z.array(
    z.object({
      kind: z.enum(FILE_USES),
      /** Of the bulletin, of the company, or of the employee who handed the document in. */
      recordId: idSchema,
      /** Of the record; empty for the company, and for those who may not know it. */
      title: z.string(),
      /** Whether the employee has left the company. */
      left: z.boolean(),
    }),
  ),
});
export type StoredFileRow = z.infer<typeof storedFileSchema>;

export const storedFileListCall = defineCall({
  id: "storedFiles.list",
  method: "GET",
  path: PATH,
  summary:
    "A page of the files that the company keeps, the newest first, with what needs them; not the files that people send in chat",
  auth: "bearer",
  access: LIST,
  shows: ["files"],
  page: true,
  query: pageQuerySchema.extend({
    sort: sortSchema("createTime", "size"),
    kind: kind.optional(),
    /** Files that such a record needs; none: files that nothing needs. */
    use: z.enum(["none", ...FILE_USES]).optional(),
    /** A part of the name of who uploaded it. */
    uploader: z.string().trim().max(100).refine(hasNoNul, NUL_MESSAGE).optional(),
    ...times,
  }),
  data: pageSchema(storedFileSchema),
});

export const storedFileSpaceCall = defineCall({
  id: "storedFiles.space",
  method: "GET",
  path: `${PATH}/space`,
  summary: "Number and bytes of the files that the company keeps, and how many bytes it may keep",
  auth: "bearer",
  access: LIST,
  shows: ["files"],
  page: true,
  data: z.object({
    files: z.number().int().nonnegative(),
    bytes: z.number().int().nonnegative(),
    /** Files that nothing needs. */
    unused: z.object({
      files: z.number().int().nonnegative(),
      bytes: z.number().int().nonnegative(),
    }),
    /** Bytes of files that are on their way in parts. They count too. */
    waiting: z.number().int().nonnegative(),
    /** `UPLOAD_COMPANY_MB` in bytes. */
    limit: z.number().int().positive(),
  }),
});

export const storedFileDeleteCall = defineCall({
  id: "storedFiles.delete",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary:
    "Delete files that nothing needs: one id or several separated by commas, all or none. A file that is needed is refused with file.used",
  auth: "bearer",
  access: DELETE,
  touches: ["files"],
  page: true,
  params: idListSchema,
});

export const storedFileCalls = {
  storedFileList: storedFileListCall,
  storedFileSpace: storedFileSpaceCall,
  storedFileDelete: storedFileDeleteCall,
};
