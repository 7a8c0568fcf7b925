/** What a company's administrator sees of its people: changes, attempts to log in, logins (docs/server.md#logs). The calls are ours. */
import { z } from "../../zod.ts";
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
import { loginFields, sessionIdSchema } from "./profile.ts";

const word = z.string().trim().max(64).refine(hasNoNul, NUL_MESSAGE).optional();
const values = z.record(z.string(), z.unknown()).nullable();
/** A menu entry has a name in both languages. */
const nameSchema = z.union([z.string(), z.object({ zh: z.string(), en: z.string() })]);
export type AuditName = z.infer<typeof nameSchema>;

export const auditListCall = defineCall({
  id: "audit.list",
  method: "GET",
  path: "/system/api/operlog/list",
  summary:
    "A page of the company's audit records, newest first; keyword searches the names of the person and of what was changed. Who may not see employees gets of them what their list shows, with masked numbers",
  auth: "bearer",
  access: { company: "required", permissions: ["monitor:operlog:list"] },
  shows: ["audit"],
  page: true,
  query: pageQuerySchema.extend({
    entity: word,
    action: word,
    /** The changes of one thing; with `entity`, since ids of two kinds may be equal. */
    entityId: word,
    ...times,
    sort: sortSchema("createTime", "actorName", "action", "entity"),
  }),
  data: pageSchema(
    z.object({
      id: idSchema,
      /** Null: the platform itself. */
      actorId: idSchema.nullable(),
      /** Empty for an account that is gone. */
      actorName: z.string(),
      action: z.string(),
      entity: z.string(),
      entityId: z.string(),
      before: values,
      after: values,
      /** Names of what the record is about and of what its values name by ids, by refs (`department:7`). */
      names: z.record(z.string(), nameSchema),
      /** ISO 8601 */
      createTime: z.string(),
    }),
  ),
});

export const signInListCall = defineCall({
  id: "signIns.list",
  method: "GET",
  path: "/system/api/logininfor/list",
  summary:
    "A page of attempts to log in with the names of the company's people, newest first; keyword searches name and address",
  auth: "bearer",
  access: { company: "required", permissions: ["monitor:logininfor:list"] },
  shows: ["signIns"],
  page: true,
  query: pageQuerySchema.extend({
    success: z.enum(["true", "false"]).optional(),
    ...times,
    sort: sortSchema("createTime", "name", "username", "success", "address", "systemName"),
  }),
  data: pageSchema(
    z.object({
      id: idSchema,
      username: z.string(),
      name: z.string(),
      success: z.boolean(),
      systemName: z.string(),
      address: z.string(),
      userAgent: z.string(),
      /** ISO 8601 */
      createTime: z.string(),
    }),
  ),
});

export const onlineListCall = defineCall({
  id: "online.list",
  method: "GET",
  path: "/system/api/online/list",
  summary:
    "A page of the logins of the company's people that go on, the latest active first; keyword searches name and address",
  auth: "bearer",
  access: { company: "required", permissions: ["monitor:online:list"] },
  shows: ["sessions"],
  page: true,
  query: pageQuerySchema.extend({
    sort: sortSchema("name", "username", "address", "systemName", "createTime", "activeTime"),
  }),
  data: pageSchema(z.object({ ...loginFields, username: z.string(), name: z.string() })),
});

export const onlineEndCall = defineCall({
  id: "online.end",
  method: "DELETE",
  path: "/system/api/online/{id}",
  summary: "End the login of one of the company's people",
  auth: "bearer",
  access: { company: "required", permissions: ["monitor:online:forceLogout"] },
  touches: ["sessions"],
  page: true,
  params: z.object({ id: sessionIdSchema }),
});

export const monitorCalls = {
  auditList: auditListCall,
  signInList: signInListCall,
  onlineList: onlineListCall,
  onlineEnd: onlineEndCall,
};
