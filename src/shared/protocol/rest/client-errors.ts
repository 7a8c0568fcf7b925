/** The error log: what went wrong in people's consoles (docs/session.md#error-log). The calls are ours. */
import { z } from "../../zod.ts";
import { ERROR_LIMITS } from "../../domain/client-errors.ts";
import {
  defineCall,
  hasNoNul,
  NUL_MESSAGE,
  pageQuerySchema,
  pageSchema,
  sortSchema,
  times,
} from "./call.ts";
import { idSchema } from "./entities.ts";

const text = (max: number) => z.string().max(max).refine(hasNoNul, NUL_MESSAGE);

/** page: a tab. core: the shared worker. */
export const errorSourceSchema = z.enum(["page", "core"]);
export type ErrorSource = z.infer<typeof errorSourceSchema>;

const fields = {
  source: errorSourceSchema,
  message: text(ERROR_LIMITS.message).min(1),
  stack: text(ERROR_LIMITS.stack),
  /** The page that was shown, without its query. */
  path: text(ERROR_LIMITS.path),
  build: text(64),
  /** How often it happened before it was sent. */
  count: z.number().int().min(1).max(100_000),
};

/** Errors of one request. */
export const ERRORS_AT_ONCE = 20;
const DAY_MS = 86_400_000;

export const errorReportCall = defineCall({
  id: "errors.report",
  method: "POST",
  path: "/system/api/errorlog",
  summary:
    "Log errors of the caller's console in the company of the header; one with a key that was logged before counts once. At most 100 an hour",
  auth: "bearer",
  access: { company: "required", guests: true },
  touches: ["clientErrors"],
  bodyLimit: 512 * 1024,
  body: z.object({
    errors: z
      .array(
        z.object({
          ...fields,
          /** Names the error at each attempt to send it. */
          key: z.uuid("编号格式不正确"),
          /** ms since it happened last; clocks of browsers may be wrong. */
          age: z
            .number()
            .int()
            .min(0)
            .max(30 * DAY_MS),
        }),
      )
      .min(1)
      .max(ERRORS_AT_ONCE),
  }),
});

export const errorListCall = defineCall({
  id: "errors.list",
  method: "GET",
  path: "/system/api/errorlog/list",
  summary:
    "A page of the errors in the consoles of the company's people, newest first; keyword searches message, page and person",
  auth: "bearer",
  access: { company: "required", permissions: ["monitor:errorlog:list"] },
  shows: ["clientErrors"],
  page: true,
  query: pageQuerySchema.extend({
    source: errorSourceSchema.optional(),
    ...times,
    sort: sortSchema("createTime", "actorName", "source", "message", "path", "build", "count"),
  }),
  data: pageSchema(
    z.object({
      ...fields,
      id: idSchema,
      /** Empty for an account that is gone. */
      actorName: z.string(),
      userAgent: z.string(),
      /** ISO 8601: when it happened last */
      createTime: z.string(),
    }),
  ),
});

export const clientErrorCalls = {
  errorReport: errorReportCall,
  errorList: errorListCall,
};
