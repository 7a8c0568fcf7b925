/** What a company says of itself (docs/server.md#company-profile). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";
import { versionSchema } from "./conflict.ts";
import { creditCodeSchema } from "./credit-code.ts";
import { idSchema } from "./entities.ts";
import { fileNameSchema } from "./files.ts";

export const COMPANY_EDIT = "system:company:edit";
const PATH = "/scm-supplier/api/sec/companyProfile";

const text = (max: number) => z.string().trim().max(max).refine(hasNoNul, NUL_MESSAGE);

const fields = {
  shortName: text(32),
  /** Unified social credit code; may be empty. */
  creditCode: creditCodeSchema,
  legalPerson: text(32),
  contact: text(32),
  phone: z.string().regex(/^[\d+() -]{0,20}$/, "电话格式不正确"),
  address: text(200),
  introduction: text(500),
  /** Name of an uploaded picture; empty while there is none. */
  logo: z.union([z.literal(""), fileNameSchema]),
};

export const companyProfileSchema = z.object({
  ...fields,
  // One from before the rule may be wrong.
  creditCode: z.string(),
  id: idSchema,
  /** It comes from the registration, and is the platform's to change. */
  name: z.string(),
  /** Name of the company's file with its licence, which the approval of its application made; empty without one. */
  licence: z.union([z.literal(""), fileNameSchema]).default(""),
  version: versionSchema,
});
export type CompanyProfile = z.infer<typeof companyProfileSchema>;

export const companyProfileCall = defineCall({
  id: "company.get",
  method: "GET",
  path: PATH,
  summary: "What the company says of itself",
  auth: "bearer",
  access: { company: "required" },
  shows: ["company"],
  page: true,
  data: companyProfileSchema,
});

export const companyProfileUpdateCall = defineCall({
  id: "company.update",
  method: "PUT",
  path: PATH,
  summary: "Change what the company says of itself; its logo is a png, jpg or jpeg of its files",
  auth: "bearer",
  access: { company: "required", permissions: [COMPANY_EDIT] },
  touches: ["company", "files"],
  page: true,
  body: z
    .object({ ...fields, version: versionSchema })
    .partial()
    .required({ version: true }),
  data: companyProfileSchema,
});

export const companyProfileCalls = {
  companyProfile: companyProfileCall,
  companyProfileUpdate: companyProfileUpdateCall,
};
