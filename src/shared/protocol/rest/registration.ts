/** Registering a company, codes by SMS, a new password, applications. Shapes are ours. */
import { z } from "../../zod.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  sortSchema,
} from "./call.ts";
import { creditCodeSchema } from "./credit-code.ts";
import { idSchema } from "./entities.ts";
import { licenceTokenSchema } from "./licences.ts";

export const mobileSchema = z.string().regex(/^1[3-9]\d{9}$/, "手机号格式不正确");
export const smsCodeSchema = z.string().regex(/^\d{6}$/, "验证码为 6 位数字");
/** What sms.send answered to the page that asked for the code. Without it a code counts that the same address has asked for. */
export const requestKeySchema = z.string().max(64).optional();
export const newPasswordSchema = z
  .string()
  .min(8, "密码至少 8 位")
  .max(72, "密码最多 72 位")
  .regex(/[A-Za-z]/, "密码须包含字母")
  .regex(/\d/, "密码须包含数字");

export const usernameSchema = z
  .string()
  .trim()
  .regex(/^[A-Za-z][\w.-]{2,31}$/, "用户名为 3 至 32 位字母、数字、点、横线或下划线，以字母开头");

const text = (max: number) => z.string().trim().min(1).max(max).refine(hasNoNul, NUL_MESSAGE);

export const sendSmsCall = defineCall({
  id: "sms.send",
  method: "POST",
  path: "/dc-message/api/register/mobile/sendSms",
  summary:
    "Send a code to a mobile, good for 5 minutes; from one address 60 s between two for a mobile, 10 a day for a mobile and 50 for all. The answer does not tell whether the mobile is known",
  auth: "none",
  page: true,
  // a code that was sent is shown nowhere
  touches: [],
  body: z.object({ mobile: mobileSchema }),
  data: z.object({
    /** seconds */
    expiresIn: z.number().int(),
    /** seconds */
    retryAfter: z.number().int(),
    /** Belongs to the page that asked: it goes with the code, and nobody else can use the code or spoil it. */
    requestKey: z.string().optional(),
  }),
});

/** The answer to the page that asked for a code. */
export const sentCodeSchema = sendSmsCall.data;

export const smsStateCall = defineCall({
  id: "sms.state",
  method: "GET",
  path: "/dc-message/api/register/mobile/state",
  summary: "Whether the platform can send codes by SMS, so that a page says so beforehand",
  auth: "none",
  shows: ["sms"],
  page: true,
  data: z.object({ available: z.boolean() }),
});

export const registerCall = defineCall({
  id: "registration.create",
  method: "POST",
  path: "/scm-supplier/api/open/info/create",
  summary:
    "Register a company, its contact and its first administrator. The code proves the mobile number; the administrator may log in at once, and the application waits for the platform's decision",
  auth: "none",
  page: true,
  touches: ["applies"],
  body: z.object({
    supplierName: text(100),
    /** Unified social credit code. */
    creditCode: creditCodeSchema.optional(),
    /** Of `licences.send`. */
    licence: licenceTokenSchema.optional(),
    contact: text(32),
    mobile: mobileSchema,
    smsCode: smsCodeSchema,
    requestKey: requestKeySchema,
    username: usernameSchema,
    password: newPasswordSchema,
    systemName: z.string().max(64).refine(hasNoNul, NUL_MESSAGE).default("sec-web-company-admin"),
  }),
  data: z.object({ supplierId: idSchema, accountId: idSchema, applyId: idSchema }),
});

export const resetPasswordCall = defineCall({
  id: "auth.resetPassword",
  method: "POST",
  path: "/uaa/api/resetPassword",
  summary:
    "A new password: with a bearer token by the old one, which ends the account's other logins; without one by mobile and SMS code, which ends them all",
  // the handler checks the bearer token itself, because it is optional
  auth: "none",
  bodyType: "form",
  // by mobile and code: a page has no token to send
  page: true,
  touches: ["sessions"],
  body: z.object({
    oldPassword: z.string().min(1).max(200).optional(),
    mobile: mobileSchema.optional(),
    smsCode: smsCodeSchema.optional(),
    requestKey: requestKeySchema,
    newPassword: newPasswordSchema,
  }),
});

export const applyStatusSchema = z.enum(["pending", "approved", "refused"]);
export type ApplyStatus = z.infer<typeof applyStatusSchema>;

export const versionAppliesCall = defineCall({
  id: "registration.applies",
  method: "GET",
  path: "/umc-rbac/api/versionControllerApplys",
  summary: "A page of the caller's own applications to use a system for a company, newest first",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["applies"],
  page: true,
  query: pageQuerySchema.extend({
    /** The caller's own application; another account's is answered with "not found". */
    applyAccountId: idSchema.optional(),
    supplierId: idSchema.optional(),
    systemName: z.string().max(64).optional(),
    descParameter: z.string().max(32).optional(),
  }),
  data: pageSchema(
    z.object({
      id: idSchema,
      applyAccountId: idSchema,
      supplierId: idSchema,
      supplierName: z.string(),
      /** Empty for none. */
      creditCode: z.string().default(""),
      contact: z.string().default(""),
      hasLicence: z.boolean().default(false),
      systemName: z.string(),
      status: applyStatusSchema,
      /** Why it was refused; empty otherwise. */
      reason: z.string().default(""),
      /** ISO 8601 */
      createTime: z.string(),
    }),
  ),
});

export const applyStatesCall = defineCall({
  id: "registration.states",
  method: "POST",
  path: "/scm-supplier/api/open/info/states",
  summary:
    "What became of the applications of a mobile number, of a company to the platform and of a person to a company, newest first; the code proves the number. It tells nobody else whether there is one",
  auth: "none",
  page: true,
  // it reads alone
  touches: [],
  body: z.object({ mobile: mobileSchema, smsCode: smsCodeSchema, requestKey: requestKeySchema }),
  data: z.array(
    z.object({
      /** `company`: the company applied to the platform. `member`: the person applied to the company. */
      kind: z.enum(["company", "member"]),
      supplierName: z.string(),
      status: applyStatusSchema,
      /** Why it was refused; empty otherwise. */
      reason: z.string(),
      /** ISO 8601 */
      createTime: z.string(),
    }),
  ),
});

export const resubmitCall = defineCall({
  id: "registration.resubmit",
  method: "PUT",
  path: "/umc-rbac/api/versionControllerApplys/{id}",
  summary:
    "Correct the caller's own refused application and send it again; a picture that is left out stays",
  auth: "bearer",
  access: { company: "none", guests: true },
  touches: ["applies", "company"],
  page: true,
  params: z.object({ id: idSchema }),
  body: z.object({
    supplierName: text(100),
    creditCode: creditCodeSchema.optional(),
    contact: text(32),
    licence: licenceTokenSchema.optional(),
  }),
});

export const companyApplySchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  supplierName: z.string(),
  creditCode: z.string().nullable(),
  /** Whether `licences.read` answers a picture. */
  hasLicence: z.boolean(),
  contact: z.string(),
  mobile: z.string(),
  systemName: z.string(),
  status: applyStatusSchema,
  /** Why it was refused; empty otherwise. */
  reason: z.string(),
  /** Name of who decided; null while nobody has. */
  decidedBy: z.string().nullable(),
  /** ISO 8601 */
  decideTime: z.string().nullable(),
  createTime: z.string(),
});
export type CompanyApply = z.infer<typeof companyApplySchema>;

export const companyAppliesCall = defineCall({
  id: "registration.companyApplies",
  method: "GET",
  path: "/umc-rbac/api/companyApplies",
  summary:
    "A page of applications, newest first: to the platform's company those of all companies, to another one its own",
  auth: "bearer",
  access: { company: "required", permissions: ["platform:apply:edit"] },
  shows: ["applies"],
  page: true,
  query: pageQuerySchema.extend({
    status: applyStatusSchema.optional(),
    sort: sortSchema("supplierName", "status", "createTime"),
  }),
  data: pageSchema(companyApplySchema),
});

export const decideApplyCall = defineCall({
  id: "registration.decide",
  method: "PUT",
  path: "/umc-rbac/api/companyApplies/{id}",
  summary:
    "Approve or refuse the application of a company; only the platform's company may. A refusal needs a reason, and can still be turned into an approval",
  auth: "bearer",
  access: { company: "required", permissions: ["platform:apply:edit"] },
  touches: ["applies"],
  page: true,
  params: z.object({ id: idSchema }),
  body: z
    .object({
      status: z.enum(["approved", "refused"]),
      reason: z.string().trim().max(200).refine(hasNoNul, NUL_MESSAGE).default(""),
    })
    .refine(({ status, reason }) => status === "approved" || reason !== "", {
      path: ["reason"],
      message: "拒绝时须填写原因",
    }),
  data: companyApplySchema,
});

export const registrationCalls = {
  companyApplies: companyAppliesCall,
  decideApply: decideApplyCall,
  sendSms: sendSmsCall,
  smsState: smsStateCall,
  register: registerCall,
  resetPassword: resetPasswordCall,
  versionApplies: versionAppliesCall,
  applyStates: applyStatesCall,
  resubmit: resubmitCall,
};
