/** The invitations of a company: which are open, who joined by them, and their end. */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema, sortSchema } from "./call.ts";
import { idSchema } from "./entities.ts";
import { inviteEmployeeCall } from "./joining.ts";
import { mobileSchema } from "./registration.ts";

const PATH = "/scm-supplier/api/sec/invitations";
const access = { company: "required", permissions: ["supplier:employee:edit"] } as const;

/** Of an invitation that goes by SMS, `open` is one of sent, failed and opened. */
export const INVITATION_STATES = [
  "open",
  "sent",
  "failed",
  "opened",
  "used",
  "expired",
  "revoked",
] as const;
const invitationStatusSchema = z.enum(INVITATION_STATES);
export type InvitationStatus = z.infer<typeof invitationStatusSchema>;

/** Of the invitation of an import: `noNumber` cannot go by SMS, `bound` got an account by another way. */
export const importInvitationStateSchema = invitationStatusSchema
  .exclude(["open"])
  .or(z.enum(["invited", "noNumber", "bound"]));
export type ImportInvitationState = z.infer<typeof importInvitationStateSchema>;

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
  /** The number that it went to by SMS, the only one that can use it. */
  mobile: z.string().nullable(),
  /** Whether it can be sent by SMS: it has a number, or its employee has. */
  sendable: z.boolean(),
  /** Why the last SMS was not sent; empty otherwise. */
  reason: z.string(),
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

/** Most numbers that are invited at once. */
export const INVITE_MOBILES_MAX = 20;

const mobileInvitedSchema = z.object({
  mobile: z.string(),
  sent: z.boolean(),
  /** Why it was not sent; empty otherwise. */
  reason: z.string(),
});
export type MobileInvited = z.infer<typeof mobileInvitedSchema>;

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
      /** Those that this import made. */
      importId: idSchema.optional(),
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
  invitationByMobile: defineCall({
    id: "invitations.byMobile",
    method: "POST",
    path: "/scm-supplier/api/sec/inviteEmployee/mobile",
    summary:
      "Send each mobile number an SMS with a link of its own, which only this number can use, once; at most 200 a day and company and 5 a day and number",
    auth: "bearer",
    access,
    touches: ["invitations"],
    page: true,
    body: z.object({
      mobiles: z.array(mobileSchema).min(1).max(INVITE_MOBILES_MAX),
      ...inviteEmployeeCall.body.pick({
        departmentId: true,
        department: true,
        position: true,
        roleIds: true,
        approval: true,
        expiresInHours: true,
      }).shape,
    }),
    data: z.array(mobileInvitedSchema),
  }),
  invitationSend: defineCall({
    id: "invitations.send",
    method: "POST",
    path: `${PATH}/{id}/send`,
    summary:
      "Send the link of an open invitation by SMS once more: to its number, or to that of the employee whom an import created",
    auth: "bearer",
    access,
    touches: ["invitations"],
    page: true,
    params: z.object({ id: z.string() }),
  }),
};
