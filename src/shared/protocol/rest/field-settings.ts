/** Which fields a company uses of its employees and of its own record (docs/server.md#field-settings). The calls are ours. */
import { FIELD_SUBJECTS } from "../../domain/fields-in-use.ts";
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { versionSchema } from "./conflict.ts";

const PATH = "/scm-supplier/api/sec/fieldSettings/{subject}";
const params = z.object({ subject: z.enum(FIELD_SUBJECTS) });

export const fieldSettingSchema = z.object({
  /** Name of a field on the wire, or `custom.<key>` of an own field. */
  key: z.string().regex(/^(custom\.)?[a-z][a-zA-Z0-9]{0,31}$/),
  used: z.boolean(),
  required: z.boolean(),
});

export const fieldSettingsSchema = z.object({
  version: versionSchema,
  /** All fields of the subject, in the company's order. */
  fields: z.array(fieldSettingSchema).max(100),
});
export type FieldSettings = z.infer<typeof fieldSettingsSchema>;

export const fieldSettingsGetCall = defineCall({
  id: "fieldSettings.get",
  method: "GET",
  path: PATH,
  summary:
    "All fields of employees or of the company's record: order, in use or not, required or not",
  auth: "bearer",
  access: { company: "required" },
  shows: ["fieldSettings"],
  page: true,
  params,
  data: fieldSettingsSchema,
});

export const fieldSettingsSaveCall = defineCall({
  id: "fieldSettings.save",
  method: "PUT",
  path: PATH,
  summary:
    "All fields of the subject, each once, in the new order; a field that the system needs cannot be switched off",
  auth: "bearer",
  access: { company: "required", permissions: ["system:field:edit"] },
  // whether an own field is required belongs to its record
  touches: ["fieldSettings", "ownFields"],
  page: true,
  params,
  body: fieldSettingsSchema,
  data: fieldSettingsSchema,
});

export const fieldSettingsCalls = {
  fieldSettingsGet: fieldSettingsGetCall,
  fieldSettingsSave: fieldSettingsSaveCall,
};
