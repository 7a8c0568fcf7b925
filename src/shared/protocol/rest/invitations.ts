/** The invitations of a company: which are open, who joined by them, and their end. */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema, sortSchema } from "./call.ts";
import { idSchema } from "./entities.ts";

const PATH = "/scm-supplier/api/sec/invitations";
const access = { company: "required", permissions: ["supplier:employee:edit"] } as const;

const invitationStatusSchema = z.enum(["open", "used", "expired", "revoked"]);
export type InvitationStatus = z.infer<typeof invitationStatusSchema>;

const invitationSchema = z.object({
  id: z.string(),
  link: z.string(),
  status: invitationStatusSchema,
  department: z.string().nullable(),
  position: z.string().nullable(),
  /** Names of the roles that it gives; [] stands for that of staff. */
  roles: z.array(z.string()),
  /** The employee for whom an import made it. */
  employee: z.object({ id: idSchema, name: z.string() }).nullable(),
  uses: z.number().int(),
  usesMax: z.number().int(),
  /** Who joined by it, the first ones first. */
  people: z.array(z.string()),
  /** Name of who invited. */
  createdBy: z.string().nullable(),
  createTime: z.string(),
  expiresAt: z.string(),
});
export type InvitationRow = z.infer<typeof invitationSchema>;

export const invitationCalls = {
  invitationList: defineCall({
    id: "invitations.list",
    method: "GET",
    path: PATH,
    summary:
      "A page of the company's invitations, newest first; the keyword is part of a department, a position, or the name of somebody who invited, is invited or joined",
    auth: "bearer",
    access,
    shows: ["invitations", "employees", "roles"],
    page: true,
    query: pageQuerySchema.extend({
      status: invitationStatusSchema.optional(),
      sort: sortSchema("createTime", "expiresAt"),
    }),
    data: pageSchema(invitationSchema),
  }),
  invitationRevoke: defineCall({
    id: "invitations.revoke",
    method: "PUT",
    path: `${PATH}/{id}/revoke`,
    summary: "End an open invitation: nobody else joins by it",
    auth: "bearer",
    access,
    touches: ["invitations"],
    page: true,
    params: z.object({ id: z.string() }),
  }),
};
