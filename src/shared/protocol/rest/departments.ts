/** Departments of a company as a tree (docs/server.md#departments). */
import { DEPARTMENT_MAX } from "../../domain/employee-fields.ts";
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { idSchema } from "./entities.ts";

const READ = {
  company: "required",
  permissions: [
    "system:dept:query",
    "system:dept:edit",
    "supplier:employee:query",
    "supplier:employee:edit",
  ],
} as const;
const EDIT = { company: "required", permissions: ["system:dept:edit"] } as const;

/** A slash separates the names of a path, as in files that are imported. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(DEPARTMENT_MAX)
  .refine(hasNoNul, NUL_MESSAGE)
  .refine((text) => !text.includes("/"), "不能含有“/”");

export const departmentSchema = z.object({
  id: idSchema,
  parentId: idSchema.nullable(),
  name: z.string(),
  version: versionSchema,
  /** A current employee of the company. */
  head: z.object({ id: idSchema, name: z.string() }).nullable(),
  /** Current employees of the department itself. */
  people: z.number().int(),
  /** Current employees of it and of all departments below. */
  total: z.number().int(),
});
export type Department = z.infer<typeof departmentSchema>;

export const departmentCalls = {
  departmentTree: defineCall({
    id: "departments.tree",
    method: "GET",
    path: "/system/dept/list",
    summary: "All departments in the order of the tree, each before those below it",
    auth: "bearer",
    access: READ,
    shows: ["departments", "employees"],
    page: true,
    data: z.array(departmentSchema),
  }),

  departmentCreate: defineCall({
    id: "departments.create",
    method: "POST",
    path: "/system/dept",
    summary: "A new department, the last one below its parent",
    auth: "bearer",
    access: EDIT,
    touches: ["departments"],
    page: true,
    body: z.object({
      parentId: idSchema.nullable(),
      name,
      headId: idSchema.nullable().optional(),
    }),
    data: departmentSchema,
  }),

  departmentUpdate: defineCall({
    id: "departments.update",
    method: "PUT",
    path: "/system/dept",
    summary:
      "Rename a department, move it to another place in the tree, or give it a head; what is left out stays. An older version is refused with both versions",
    auth: "bearer",
    access: EDIT,
    touches: ["departments", "employees"],
    page: true,
    body: z.object({
      id: idSchema,
      version: versionSchema,
      name: name.optional(),
      parentId: idSchema.nullable().optional(),
      /** The neighbour below the parent that it shall stand before; null: the last place. Left out: the last one below a new parent. */
      beforeId: idSchema.nullable().optional(),
      /** An employee of the company; null: nobody. */
      headId: idSchema.nullable().optional(),
    }),
    data: departmentSchema,
  }),

  departmentShift: defineCall({
    id: "departments.shift",
    method: "PUT",
    path: "/system/dept/shift",
    summary: "Change places with the neighbour above or below; at the end nothing happens",
    auth: "bearer",
    access: EDIT,
    touches: ["departments"],
    page: true,
    body: z.object({ id: idSchema, to: z.enum(["up", "down"]) }),
  }),

  departmentMerge: defineCall({
    id: "departments.merge",
    method: "PUT",
    path: "/system/dept/merge",
    summary:
      "Move the people of a department, and what is below it, into another one and delete it; departments of one name become one",
    auth: "bearer",
    access: EDIT,
    touches: ["departments", "employees"],
    page: true,
    body: z.object({ id: idSchema, version: versionSchema, intoId: idSchema }),
    data: departmentSchema,
  }),

  departmentDelete: defineCall({
    id: "departments.delete",
    method: "DELETE",
    path: "/system/dept/{id}",
    summary: "Delete a department without people and without departments below it",
    auth: "bearer",
    access: EDIT,
    touches: ["departments"],
    page: true,
    params: z.object({ id: idSchema }),
  }),
};
