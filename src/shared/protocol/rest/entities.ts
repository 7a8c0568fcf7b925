/** Entities as they stand on the wire. Ids are strings: a 64-bit number does not survive JavaScript. */
import { z } from "../../zod.ts";

export const idSchema = z.string().min(1).max(64);
/** A chat user name: what the chat provider accepts. */
export const chatUserNameSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9_-]+$/);

/** A member as a client of the conference names it: a chat user name, bare or with the app key (domain/member-names.ts). */
export const memberNameSchema = z
  .string()
  .min(1)
  .max(256)
  .refine((name) => !/\0|\p{Surrogate}/u.test(name));

export const roleSchema = z.object({
  roleId: idSchema,
  supplierId: idSchema,
  roleCode: z.string().optional(),
  roleName: z.string().optional(),
});
export type Role = z.infer<typeof roleSchema>;

export const accountInfoSchema = z.object({
  id: idSchema,
  username: z.string(),
  nickname: z.string(),
  avatar: z.string(),
  introduction: z.string().default(""),
  roles: z.array(roleSchema),
  permissions: z.array(z.string()),
});
export type AccountInfo = z.infer<typeof accountInfoSchema>;

/** Employee, which is also the membership of an account in a company. */
/** Values of the company's own fields, by key. */
export const customValuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const employeeSchema = z.object({
  id: idSchema,
  supplierId: idSchema,
  supplierName: z.string(),
  accountId: idSchema.nullable(),
  name: z.string(),
  phone: z.string().nullable(),
  department: z.string().nullable(),
  position: z.string().nullable(),
  /** Chat user name of the bound account, null when none is bound. */
  userName: chatUserNameSchema.nullable(),
});
export type Employee = z.infer<typeof employeeSchema>;

export const elementPropertiesSchema = z
  .object({
    /** Role codes that may see the entry; left out: no restriction. */
    roles: z.array(z.string()).optional(),
    /** System names in which the entry is shown; left out: all. */
    systems: z.array(z.string()).optional(),
    noCache: z.boolean().optional(),
    affix: z.boolean().optional(),
    breadcrumb: z.boolean().optional(),
    /** Of a container: its name in the breadcrumb leads nowhere. */
    noRedirect: z.boolean().optional(),
    /** Titles by language, for an entry whose name is still the Chinese one. */
    titles: z.object({ zh: z.string(), en: z.string() }).optional(),
  })
  .default({});

export interface MenuEntry {
  id: string;
  code: string;
  name: string;
  icon: string;
  /** Leaf: the view's uri. Container: its path prefix. External: an http(s), mailto or tel link. */
  uri: string;
  hidden: boolean;
  elementProperties: z.infer<typeof elementPropertiesSchema>;
  childMenu: MenuEntry[];
}
export const menuEntrySchema: z.ZodType<MenuEntry> = z
  .object({
    id: idSchema,
    code: z.string(),
    name: z.string(),
    icon: z.string(),
    uri: z.string(),
    hidden: z.boolean(),
    elementProperties: elementPropertiesSchema,
    childMenu: z.lazy(() => z.array(menuEntrySchema)),
  })
  // Its name in the OpenAPI document, which refers to a recursive schema by name.
  .meta({ id: "MenuEntry" });

export const chatUserSchema = z.object({
  userName: chatUserNameSchema,
  accountId: idSchema,
  name: z.string(),
  avatar: z.string(),
  source: z.string(),
  systemName: z.string(),
  /** The chat provider's password; only in the answer to a look-up of the caller's own account. */
  password: z.string().optional(),
  /** Instead of the password where the provider's own token is handed out. */
  accessToken: z.string().optional(),
});
export type ChatUser = z.infer<typeof chatUserSchema>;

export const contactSchema = z.object({
  userName: chatUserNameSchema,
  name: z.string(),
  avatar: z.string(),
  department: z.string().nullable(),
  position: z.string().nullable(),
  online: z.boolean(),
});
export type Contact = z.infer<typeof contactSchema>;
