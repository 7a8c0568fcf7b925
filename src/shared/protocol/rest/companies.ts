/** All companies of the platform, for its administrators, and the locks of companies (docs/server.md#locked-companies). The calls are ours. */
import { z } from "../../zod.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  sortSchema,
} from "./call.ts";
import { idSchema } from "./entities.ts";

const LOCK = { company: "required", permissions: ["platform:company:lock"] } as const;
const PATH = "/umc-rbac/api/companies";

const companySchema = z.object({
  id: idSchema,
  name: z.string(),
  creditCode: z.string(),
  contact: z.string(),
  phone: z.string(),
  /** Current employees with an account. */
  members: z.number().int(),
  /** It runs the platform, and is never locked. */
  platform: z.boolean(),
  /** ISO 8601 */
  createTime: z.string(),
  /** Null while it is open. */
  lockTime: z.string().nullable(),
  /** Why it is locked; empty while it is open. */
  lockReason: z.string(),
  /** Name of who locked it; null while it is open. */
  lockedBy: z.string().nullable(),
});
export type PlatformCompany = z.infer<typeof companySchema>;

export const companiesCall = defineCall({
  id: "companies.list",
  method: "GET",
  path: PATH,
  summary: "A page of all companies, newest first, for the platform's company alone",
  auth: "bearer",
  access: LOCK,
  shows: ["companies"],
  page: true,
  query: pageQuerySchema.extend({
    state: z.enum(["open", "locked"]).optional(),
    sort: sortSchema("name", "createTime", "lockTime"),
  }),
  data: pageSchema(companySchema),
});

export const lockCompanyCall = defineCall({
  id: "companies.lock",
  method: "PUT",
  path: `${PATH}/{id}/lock`,
  summary:
    "Lock a company with a reason, or unlock it; only the platform's company may, and it is never locked itself. People of a locked company are out of it at once",
  auth: "bearer",
  access: LOCK,
  touches: ["companies"],
  page: true,
  params: z.object({ id: idSchema }),
  body: z
    .object({
      locked: z.boolean(),
      reason: z.string().trim().max(200).refine(hasNoNul, NUL_MESSAGE).default(""),
    })
    .refine(({ locked, reason }) => !locked || reason !== "", {
      path: ["reason"],
      message: "锁定时须填写原因",
    }),
});

export const ownLocksCall = defineCall({
  id: "companies.ownLocks",
  method: "GET",
  path: `${PATH}/ownLocks`,
  summary: "The locked companies of which the caller is a member, and why they are locked",
  auth: "bearer",
  access: { company: "none", guests: true },
  shows: ["companies"],
  page: true,
  data: z.array(z.object({ supplierId: idSchema, supplierName: z.string(), reason: z.string() })),
});

export const platformCompanyCalls = {
  companies: companiesCall,
  lockCompany: lockCompanyCall,
  ownLocks: ownLocksCall,
};
