/** What employees hand in of the documents that the company asks for (docs/server.md#inaugural-documents). */
import { isDay } from "../../domain/validate.ts";
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema, sortSchema } from "./call.ts";
import { textOf } from "./employee-schemas.ts";
import { idSchema } from "./entities.ts";
import { fileNameSchema } from "./files.ts";

const PREFIX = "/scm-supplier/api";
const MAY_EDIT = "supplier:document:edit";
/** Who may read the documents of every employee, and their files. */
export const DOCUMENT_READERS = [
  "supplier:employee:query",
  "supplier:employee:edit",
  MAY_EDIT,
] as const;
const READ = { company: "required", permissions: DOCUMENT_READERS } as const;
const EDIT = { company: "required", permissions: [MAY_EDIT] } as const;

/** Most files of one document. */
export const DOCUMENT_FILES_MAX = 5;
const REASON_MAX = 200;
const SHOWS = ["documents", "employees"] as const;

export const DOCUMENT_STATES = ["missing", "handed", "accepted", "refused", "expired"] as const;
const STATUS_WORDS = {
  missing: ["未提交", "Missing"],
  handed: ["待审核", "Handed in"],
  accepted: ["已通过", "Accepted"],
  refused: ["已退回", "Rejected"],
  expired: ["已过期", "Expired"],
} as const satisfies Readonly<Record<(typeof DOCUMENT_STATES)[number], readonly [string, string]>>;
const stateSchema = z.enum(DOCUMENT_STATES);
export type DocumentState = z.infer<typeof stateSchema>;

const documentSchema = z.object({
  /** Of the employee and of the kind, or of a document that the company no longer asks for. */
  id: z.string(),
  supplierId: idSchema,
  employeeId: idSchema,
  employeeName: z.string(),
  department: z.string().nullable(),
  /** Null once the company no longer asks for it. */
  kindId: idSchema.nullable(),
  title: z.string(),
  required: z.boolean(),
  /** Whether it is valid until a day. */
  dated: z.boolean(),
  status: stateSchema,
  /** Why it was refused; empty otherwise. */
  reason: z.string(),
  /** Last day on which it is valid. */
  expiresOn: z.string().nullable(),
  files: z.array(
    z.object({ fileName: fileNameSchema, originalName: z.string(), size: z.number().int() }),
  ),
  /** When it was handed in last, and by whom; null while it is missing. */
  createTime: z.string().nullable(),
  handedBy: z.string().nullable(),
  /** When it was accepted. */
  signedTime: z.string().nullable(),
  decidedBy: z.string().nullable(),
});
export type InauguralDocument = z.infer<typeof documentSchema>;

export const documentsListCall = defineCall({
  id: "documents.list",
  method: "POST",
  path: `${PREFIX}/spinauguraldocumentsList`,
  summary:
    "Inaugural documents of the company's employees, in a chosen order: one for each current employee and each kind that the company asks for, also where it is missing; with employeeId also those of somebody who left",
  auth: "bearer",
  access: READ,
  shows: SHOWS,
  page: true,
  body: pageQuerySchema.extend({
    employeeId: idSchema.optional(),
    kindId: idSchema.optional(),
    status: stateSchema.optional(),
    sort: sortSchema("employeeName", "title", "createTime", "expiresOn"),
  }),
  data: pageSchema(documentSchema),
});

export const documentsOwnCall = defineCall({
  id: "documents.own",
  method: "GET",
  path: `${PREFIX}/spinauguraldocumentssOwn`,
  summary: "Inaugural documents of the caller in the company, also those that are missing",
  auth: "bearer",
  access: { company: "required", guests: true },
  shows: SHOWS,
  page: true,
  query: pageQuerySchema.omit({ keyword: true }),
  data: pageSchema(documentSchema),
});

const day = z.string().refine(isDay, "日期不正确");
const handed = {
  kindId: idSchema,
  /** Names of files that the caller uploaded. */
  fileNames: z.array(fileNameSchema).min(1, "请上传文件").max(DOCUMENT_FILES_MAX),
  expiresOn: day.nullish(),
};

export const documentsHandInOwnCall = defineCall({
  id: "documents.handInOwn",
  method: "POST",
  path: `${PREFIX}/sec/inauguralDocuments/own`,
  summary:
    "Hand in a document of the caller, in place of what was handed in before; one that was accepted and is valid stays",
  auth: "bearer",
  access: { company: "required" },
  touches: ["documents", "files"],
  page: true,
  body: z.object(handed),
});

export const documentsHandInCall = defineCall({
  id: "documents.handIn",
  method: "POST",
  path: `${PREFIX}/sec/inauguralDocuments`,
  summary: "Hand in a document of an employee, which is accepted by that",
  auth: "bearer",
  access: EDIT,
  touches: ["documents", "files"],
  audits: {
    "inaugural-document": [
      "入职材料",
      "Onboarding document",
      {
        employee: ["员工", "Employee"],
        title: ["材料", "Document"],
        status: ["状态", "State", STATUS_WORDS],
        reason: ["退回原因", "Reason"],
        employeeId: ["员工", "Employee"],
        kindId: ["材料", "Document"],
        fileNames: ["文件", "Files"],
        expiresOn: ["有效期至", "Valid until"],
      },
    ],
  },
  page: true,
  body: z.object({ ...handed, employeeId: idSchema }),
});

export const documentsDecideCall = defineCall({
  id: "documents.decide",
  method: "PUT",
  path: `${PREFIX}/sec/inauguralDocuments`,
  summary:
    "Accept or refuse what an employee handed in. A missing document is accepted as well, as one on paper. A decision about files that were replaced meanwhile is refused",
  auth: "bearer",
  access: EDIT,
  touches: ["documents"],
  page: true,
  body: z
    .object({
      employeeId: idSchema,
      kindId: idSchema,
      status: z.enum(["accepted", "refused"]),
      reason: textOf(REASON_MAX).default(""),
      expiresOn: day.nullish(),
      /** The `createTime` that the caller saw. */
      seen: z.string().nullable(),
    })
    .refine(({ status, reason }) => status === "accepted" || reason !== "", {
      path: ["reason"],
      message: "退回时须填写原因",
    }),
});

export const documentCalls = {
  documentsList: documentsListCall,
  documentsOwn: documentsOwnCall,
  documentsHandInOwn: documentsHandInOwnCall,
  documentsHandIn: documentsHandInCall,
  documentsDecide: documentsDecideCall,
};
