/** Pictures of business licences that belong to applications of companies (docs/session.md#licence-picture). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { idSchema } from "./entities.ts";
import type { FileType } from "./files.ts";

export const LICENCE_LIMITS = {
  files: 1,
  megabytes: 5,
  types: ["png", "jpg", "jpeg"],
  /** What is inside decides the type, and the name says nothing. */
  byContent: true,
  /** Pictures that one address sends within an hour. */
  hourly: 10,
  /** Seconds for which a picture waits for its application. */
  lifetime: 3600,
} as const satisfies {
  files: number;
  megabytes: number;
  types: readonly FileType[];
  byContent: true;
  hourly: number;
  lifetime: number;
};

/** What the sender of a picture was given for it. */
export const licenceTokenSchema = z.string().regex(/^[\w-]{32}$/, "营业执照图片不正确");

export const licenceSendCall = defineCall({
  id: "licences.send",
  method: "POST",
  path: "/scm-supplier/api/open/info/licence",
  summary:
    "A picture of a business licence: field `file`, png or jpeg of 5 MB at most, by what is inside. An application names it within an hour by the token; one address sends 10 an hour",
  auth: "none",
  bodyType: "multipart",
  bodyLimit: LICENCE_LIMITS.megabytes * 1024 * 1024 + 64 * 1024,
  touches: [],
  data: z.object({
    licence: licenceTokenSchema,
    /** seconds */
    expiresIn: z.number().int(),
  }),
});

export const licenceReadCall = defineCall({
  id: "licences.read",
  method: "GET",
  path: "/umc-rbac/api/companyApplies/licence",
  summary:
    "The licence picture of an application that is not approved yet, as an attachment; only the platform's company may",
  auth: "bearer",
  access: { company: "required", permissions: ["platform:apply:edit"] },
  file: true,
  query: z.object({ applyId: idSchema }),
});

export const licenceCalls = { licenceSend: licenceSendCall, licenceRead: licenceReadCall };
