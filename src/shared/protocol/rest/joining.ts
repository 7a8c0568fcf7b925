/** How people come to a company: invitations and applications. */
import { z } from "../../zod.ts";
import { defineCall, pageQuerySchema, pageSchema } from "./call.ts";
import { employeeName, optionalTextOf, textOf } from "./employee-schemas.ts";
import { idSchema } from "./entities.ts";
import {
  applyStatusSchema,
  mobileSchema,
  newPasswordSchema,
  requestKeySchema,
  smsCodeSchema,
  usernameSchema,
} from "./registration.ts";

const PREFIX = "/scm-supplier/api";

/** Most people who join by one invitation. */
const INVITE_USES_MAX = 500;
/** Most roles that an invitation names. */
const INVITE_ROLES_MAX = 20;

export const inviteEmployeeCall = defineCall({
  id: "employees.invite",
  method: "POST",
  path: `${PREFIX}/sec/inviteEmployee/qr`,
  summary:
    "A link, to be shown as a QR code, by which one person, or as many as it says, join the company before it expires",
  auth: "bearer",
  access: { company: "required", permissions: ["supplier:employee:edit"] },
  touches: ["invitations"],
  page: true,
  body: z.object({
    departmentId: idSchema.nullish(),
    /** Names the department where it has no id. */
    department: optionalTextOf(100),
    position: optionalTextOf(100),
    /** What the person may do after joining; without any the role of staff. Needs the right to give roles. */
    roleIds: z.array(idSchema).max(INVITE_ROLES_MAX).default([]),
    /** How many people may join by it. */
    uses: z.number().int().min(1).max(INVITE_USES_MAX).default(1),
    /** Whether somebody of the company decides about each person who joins. */
    approval: z.boolean().default(false),
    expiresInHours: z.number().int().min(1).max(720).default(72),
  }),
  data: z.object({ link: z.string(), expiresAt: z.string() }),
});

const left = z.literal("").transform(() => undefined);
const person = {
  name: employeeName,
  mobile: mobileSchema,
  smsCode: smsCodeSchema,
  requestKey: requestKeySchema,
  /** Texts of the fields that the company requires, by their names on the wire or `custom.<key>`. */
  more: z.record(z.string().max(48), z.string().max(500)).default({}),
};
/** The form that the link of an invitation opens: for a new account, or for one that exists. */
export const joinSchema = z.discriminatedUnion("as", [
  z.object({
    ...person,
    as: z.literal("new"),
    /** Left out by a person whose mobile number has an account already. */
    username: z.union([usernameSchema, left]).optional(),
    password: z.union([newPasswordSchema, left]).optional(),
  }),
  z.object({
    ...person,
    as: z.literal("login"),
    username: z.string().trim().min(1, "请填写用户名").max(64),
    // it may be older than the rules of new ones
    password: z.string().min(1, "请填写密码").max(200),
    /** Of the second factor. */
    code: z.string().max(32).optional(),
  }),
]);
export type Join = z.output<typeof joinSchema>;
export const joinCodeSchema = z.object({ mobile: person.mobile });

const applySchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  supplierName: z.string(),
  applyAccountId: idSchema.nullable(),
  systemName: z.string(),
  name: z.string(),
  phone: z.string(),
  department: z.string().nullable(),
  position: z.string().nullable(),
  status: z.enum(["pending", "approved", "refused"]),
  employeeId: idSchema.nullable(),
  /** Roles that the invitation names; [] stands for that of staff. */
  roleIds: z.array(idSchema).default([]),
  /** Why it was refused; empty otherwise. */
  reason: z.string().default(""),
  /** Name of who decided; null while nobody has. */
  decidedBy: z.string().nullable().default(null),
  decideTime: z.string().nullable().default(null),
  createTime: z.string(),
});
export type MembershipApply = z.infer<typeof applySchema>;

/** The spec shows the parameters alone; the path is chosen. */
export const appliesCall = defineCall({
  id: "employees.applies",
  method: "GET",
  path: `${PREFIX}/sec/applies`,
  summary:
    "Applies for a membership: the caller's own; with supplier:employee:edit in the company of the header, that company's",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["applies"],
  page: true,
  query: pageQuerySchema.extend({
    status: applyStatusSchema.optional(),
    applyAccountId: idSchema.optional(),
    descParameter: z.string().max(32).optional(),
    systemName: textOf(64).optional(),
  }),
  data: pageSchema(applySchema),
});

const DECIDE = { company: "required", permissions: ["supplier:employee:edit"] } as const;
const REASON_MAX = 200;

export const decideMembershipCall = defineCall({
  id: "employees.decideApply",
  method: "PUT",
  path: `${PREFIX}/sec/applies/{id}`,
  summary:
    "Approve or refuse somebody who applied for a membership. An approval binds the account to the given employee, otherwise to the only one without an account who has the mobile number, otherwise to a new one; without roles the applicant gets those of the invitation",
  auth: "bearer",
  access: DECIDE,
  touches: ["applies", "employees", "departments", "roles", "invitations"],
  page: true,
  params: z.object({ id: idSchema }),
  body: z
    .object({
      status: z.enum(["approved", "refused"]),
      reason: textOf(REASON_MAX).default(""),
      employeeId: idSchema.nullish(),
      roleIds: z.array(idSchema).max(INVITE_ROLES_MAX).optional(),
    })
    .refine(({ status, reason }) => status === "approved" || reason !== "", {
      path: ["reason"],
      message: "拒绝时须填写原因",
    }),
});

export const candidatesCall = defineCall({
  id: "employees.candidates",
  method: "GET",
  path: `${PREFIX}/sec/accountCandidates`,
  summary:
    "A page of the accounts that can be bound to an employee, newest first: of people who applied, or belonged to the company, and are no member now; the keyword is part of a name, mobile number or user name",
  auth: "bearer",
  access: DECIDE,
  shows: ["applies", "employees"],
  page: true,
  query: pageQuerySchema,
  data: pageSchema(
    z.object({
      /** Of the account. */
      id: idSchema,
      userName: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      why: z.enum(["pending", "former"]),
      since: z.string(),
    }),
  ),
});

export const joiningCalls = {
  candidates: candidatesCall,
  decideMembership: decideMembershipCall,
  inviteEmployee: inviteEmployeeCall,
  applies: appliesCall,
};
