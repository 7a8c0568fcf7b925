/** Pictures of people (docs/session.md#avatars). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { chatUserNameSchema } from "./entities.ts";
import { type FileType, fileNameSchema } from "./files.ts";

export const AVATAR_LIMITS = {
  files: 1,
  megabytes: 1,
  types: ["png", "jpg", "jpeg"],
} as const satisfies { files: number; megabytes: number; types: readonly FileType[] };
/** Most people whose pictures one call names. */
export const AVATAR_NAMES = 100;

const namesSchema = z.array(chatUserNameSchema).min(1).max(AVATAR_NAMES);

const OWN = { company: "none", guests: true } as const;

export const avatarSetCall = defineCall({
  id: "avatars.set",
  method: "PUT",
  path: "/uaa/api/profile/avatar",
  summary: "The caller's own picture: field `file`, png, jpg or jpeg of 1 MB at most",
  auth: "bearer",
  access: OWN,
  touches: ["profile"],
  personal: true,
  bodyType: "multipart",
  bodyLimit: AVATAR_LIMITS.megabytes * 1024 * 1024 + 64 * 1024,
  data: z.object({ avatar: fileNameSchema }),
});

export const avatarRemoveCall = defineCall({
  id: "avatars.remove",
  method: "DELETE",
  path: "/uaa/api/profile/avatar",
  summary: "Remove the caller's own picture",
  auth: "bearer",
  access: OWN,
  touches: ["profile"],
  personal: true,
  page: true,
});

export const avatarNamesCall = defineCall({
  id: "avatars.names",
  method: "GET",
  path: "/uaa/api/avatars",
  summary:
    "Names of the pictures of these people (chat user names, by comma), of whom the caller may see them and who have one",
  auth: "bearer",
  access: OWN,
  query: z.object({
    /** It stays a text, because the core sends on what it has checked. */
    userNames: z
      .string()
      .refine(
        (text) => namesSchema.safeParse(text.split(",")).success,
        "应为以逗号分隔的用户名，最多 100 个",
      ),
  }),
  data: z.array(z.object({ userName: chatUserNameSchema, avatar: fileNameSchema })),
});

export const avatarReadCall = defineCall({
  id: "avatars.read",
  method: "GET",
  path: "/uaa/api/avatar",
  summary:
    "A picture by its name, for the person, colleagues, members of the same group, and those whom the person has as friends",
  auth: "bearer",
  access: OWN,
  file: true,
  query: z.object({ name: fileNameSchema }),
});

export const avatarCalls = {
  avatarSet: avatarSetCall,
  avatarRemove: avatarRemoveCall,
  avatarNames: avatarNamesCall,
  avatarRead: avatarReadCall,
};
