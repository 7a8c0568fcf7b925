/**
 * Bulletins: what a company announces to its people (docs/session.md#bulletins). Paths and field names are RuoYi's; version, reads and
 * the calls of readers are ours.
 */
import { BULLETIN_MAX } from "../../domain/bulletins.ts";
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE, pageQuerySchema, pageSchema } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idListSchema } from "./dict.ts";
import { idSchema } from "./entities.ts";

export const BULLETIN_EDIT = "system:notice:edit";
/** Each of them lets a person see the list of the editors. */
export const BULLETIN_LIST = ["system:notice:list", BULLETIN_EDIT] as const;
const LIST = { company: "required", permissions: BULLETIN_LIST } as const;
const EDIT = { company: "required", permissions: [BULLETIN_EDIT] } as const;
const READ = { company: "required" } as const;

const title = z.string().trim().min(1).max(100).refine(hasNoNul, NUL_MESSAGE);
/** 1: notice, 2: announcement. */
const type = z.enum(["1", "2"]);
/** 0: published, 1: withdrawn or not published yet. */
const status = z.enum(["0", "1"]);
const content = z.string().max(BULLETIN_MAX).refine(hasNoNul, NUL_MESSAGE);

const shown = {
  noticeId: idSchema,
  noticeTitle: title,
  noticeType: type,
  /** Name of the person who wrote it. */
  createBy: z.string(),
  /** ISO 8601, UTC; when it was published last, else when it was made. */
  publishTime: z.string(),
};

export const bulletinSchema = z.object({
  ...shown,
  status,
  version: versionSchema,
  /** `readers`: present employees with an account who have read it. `people`: all present employees with an account. */
  readers: z.number().int(),
  people: z.number().int(),
});
export type Bulletin = z.infer<typeof bulletinSchema>;

export const bulletinTextSchema = z.object({
  ...shown,
  status,
  version: versionSchema,
  /** HTML of docs/session.md#bulletins; still to be sanitised before it is shown. */
  noticeContent: content,
});
export type BulletinText = z.infer<typeof bulletinTextSchema>;

export const bulletinEntrySchema = z.object({ ...shown, read: z.boolean() });
export type BulletinEntry = z.infer<typeof bulletinEntrySchema>;

export const bulletinListCall = defineCall({
  id: "bulletins.list",
  method: "GET",
  path: "/system/notice/list",
  summary: "A page of the company's bulletins, the newest first, with how many have read them",
  auth: "bearer",
  access: LIST,
  shows: ["bulletins"],
  page: true,
  query: pageQuerySchema.extend({ noticeType: type.optional(), status: status.optional() }),
  data: pageSchema(bulletinSchema),
});

export const bulletinTopCall = defineCall({
  id: "bulletins.top",
  method: "GET",
  path: "/system/notice/listTop",
  summary:
    "A page of published bulletins as one reads them, the newest first, and the number of all unread ones; keyword searches titles",
  auth: "bearer",
  access: READ,
  shows: ["bulletins"],
  page: true,
  query: pageQuerySchema,
  data: pageSchema(bulletinEntrySchema).extend({ unread: z.number().int() }),
});

export const bulletinGetCall = defineCall({
  id: "bulletins.get",
  method: "GET",
  path: "/system/notice/{noticeId}",
  summary: "One bulletin with its content; one that is not published, for its editors only",
  auth: "bearer",
  access: READ,
  shows: ["bulletins"],
  page: true,
  params: z.object({ noticeId: idSchema }),
  data: bulletinTextSchema,
});

export const bulletinCreateCall = defineCall({
  id: "bulletins.create",
  method: "POST",
  path: "/system/notice",
  summary: "A new bulletin; what its content may not have is left out",
  auth: "bearer",
  access: EDIT,
  touches: ["bulletins", "files"],
  page: true,
  body: z.object({ noticeTitle: title, noticeType: type, status, noticeContent: content }),
  data: bulletinTextSchema,
});

export const bulletinUpdateCall = defineCall({
  id: "bulletins.update",
  method: "PUT",
  path: "/system/notice",
  summary:
    "Change a bulletin; what is left out stays. One that is published again is unread again. An older version is refused with both versions",
  auth: "bearer",
  access: EDIT,
  touches: ["bulletins", "files"],
  page: true,
  body: z.object({
    noticeId: idSchema,
    version: versionSchema,
    noticeTitle: title.optional(),
    noticeType: type.optional(),
    status: status.optional(),
    noticeContent: content.optional(),
  }),
  data: bulletinTextSchema,
});

export const bulletinDeleteCall = defineCall({
  id: "bulletins.delete",
  method: "DELETE",
  path: "/system/notice/{id}",
  summary: "Delete bulletins: one id or several separated by commas, all or none",
  auth: "bearer",
  access: EDIT,
  touches: ["bulletins", "files"],
  page: true,
  params: idListSchema,
});

export const bulletinReadCall = defineCall({
  id: "bulletins.markRead",
  method: "POST",
  path: "/system/notice/markRead",
  summary: "Mark published bulletins as read by the caller; without ids all of them",
  auth: "bearer",
  access: READ,
  touches: ["bulletins"],
  personal: true,
  page: true,
  body: z.object({ noticeIds: z.array(idSchema).min(1).max(100).optional() }),
});

export const bulletinCalls = {
  bulletinList: bulletinListCall,
  bulletinTop: bulletinTopCall,
  bulletinGet: bulletinGetCall,
  bulletinCreate: bulletinCreateCall,
  bulletinUpdate: bulletinUpdateCall,
  bulletinDelete: bulletinDeleteCall,
  bulletinRead: bulletinReadCall,
};
