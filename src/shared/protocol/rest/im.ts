/** Chat accounts and contacts (docs/chat.md#contacts). */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema } from "./call.ts";
import { chatUserNameSchema, chatUserSchema, contactSchema, idSchema } from "./entities.ts";

/** The chat provider's name in Chinese, as a label. */
export const CHAT_SOURCE = "环信";

export const chatAccountCall = defineCall({
  id: "im.accountUser",
  method: "GET",
  path: "/dc-im/api/user/hx/accountId",
  summary: "Chat user of an account; with its password only for the caller's own account",
  auth: "bearer",
  access: { company: "optional", guests: true },
  query: z.object({
    accountId: idSchema,
    source: z.string().max(32),
    systemName: z.string().max(128),
  }),
  data: chatUserSchema,
});

export const chatUserCall = defineCall({
  id: "im.userByName",
  method: "GET",
  path: "/dc-im/api/user/hx/userName",
  summary: "Chat user by user name, when the caller may chat with them",
  auth: "bearer",
  access: { company: "optional", guests: true },
  query: z.object({
    userName: chatUserNameSchema,
    source: z.string().max(32),
    systemName: z.string().max(128),
  }),
  data: chatUserSchema,
});

/** Stands for the department of employees who have none. */
export const NO_DEPARTMENT = "none";

export const contactDepartmentSchema = z.object({
  id: z.string().regex(/^(?:\d{1,18}|none)$/, "部门不正确"),
  parentId: idSchema.nullable(),
  /** "" of `NO_DEPARTMENT`. */
  name: z.string(),
  /** The caller's contacts in the department itself. */
  people: z.number().int(),
});
export type ContactDepartment = z.infer<typeof contactDepartmentSchema>;

export const contactDepartmentsCall = defineCall({
  id: "im.departments",
  method: "GET",
  path: "/dc-im/api/departments",
  summary:
    "The departments of the current company in the order of the tree, with the caller's contacts in each; those without a department last",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["departments", "employees"],
  page: true,
  data: z.array(contactDepartmentSchema),
});

/** The people one may chat with, colleagues of the current company first. */
export const contactsCall = defineCall({
  id: "im.contacts",
  method: "GET",
  path: "/dc-im/api/friend/hx/page",
  summary: "A page of chat contacts",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["employees"],
  query: pageQuerySchema.extend({
    source: z.string().max(32).optional(),
    systemName: z.string().max(128).optional(),
    userId: idSchema.optional(),
    descParameter: z.string().max(32).optional(),
    /** Only the people of this department. */
    departmentId: contactDepartmentSchema.shape.id.optional(),
  }),
  data: pageSchema(contactSchema),
});

export const chatCalls = {
  chatAccount: chatAccountCall,
  chatUser: chatUserCall,
  contacts: contactsCall,
  contactDepartments: contactDepartmentsCall,
};
