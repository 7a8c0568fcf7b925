import { z } from "../../zod.ts";
import { GROUP_CARD_MAX } from "../../domain/group-chat.ts";
import { blobSchema } from "../blob.ts";
import { chatUserNameSchema } from "../rest/entities.ts";
import { groupIdSchema } from "../group-model.ts";
import { GROUP_LIMITS, groupMemberSchema, publicGroupSchema } from "../rest/im-groups.ts";
import { command, done } from "./command.ts";

const groupName = z.string().trim().min(1).max(64);
const groupDescription = z.string().trim().max(500);
const inGroup = z.object({ groupId: groupIdSchema });
const groupPerson = inGroup.extend({ userName: chatUserNameSchema });
const groupPeople = z.array(chatUserNameSchema).min(1).max(GROUP_LIMITS.invited);

const shownMember = groupMemberSchema.pick({
  userName: true,
  name: true,
  avatar: true,
  owner: true,
  card: true,
  role: true,
  mutedUntil: true,
  allowed: true,
});

/** Groups (docs/chat.md#groups). Each returns once the list of groups shows the change. */
export const groupCommands = {
  create: command(
    z.object({
      name: groupName,
      description: groupDescription.optional(),
      members: groupPeople,
    }),
    z.object({ groupId: groupIdSchema }),
  ),
  invite: command(inGroup.extend({ members: groupPeople }), done),
  remove: command(groupPerson, done),
  leave: command(inGroup, done),
  dissolve: command(inGroup, done),
  /** What is left out stays. */
  settings: command(
    inGroup.extend({
      name: groupName.optional(),
      description: groupDescription.optional(),
      public: z.boolean().optional(),
      approval: z.boolean().optional(),
      allowInvites: z.boolean().optional(),
      inviteConfirm: z.boolean().optional(),
    }),
    done,
  ),
  announce: command(inGroup.extend({ text: z.string().trim().max(512) }), done),
  setAdmin: command(groupPerson.extend({ admin: z.boolean() }), done),
  transfer: command(groupPerson, done),
  /** Mutes a member for `ms`; null unmutes, -1 mutes without end. */
  mute: command(groupPerson.extend({ ms: z.number().int().min(-1).nullable() }), done),
  muteAll: command(inGroup.extend({ muted: z.boolean() }), done),
  /** Lets a member write while the group is muted, or no more. */
  allow: command(groupPerson.extend({ allowed: z.boolean() }), done),
  answerInvitation: command(inGroup.extend({ accept: z.boolean() }), done),
  /** Enters an open group, or asks to enter. */
  join: command(inGroup.extend({ message: z.string().trim().max(500) }), done),
  answerApplication: command(groupPerson.extend({ accept: z.boolean() }), done),
  /** Sets the own name in the group; "" removes it. */
  setCard: command(inGroup.extend({ card: z.string().trim().max(GROUP_CARD_MAX) }), done),
  /** Blocks a person from the group, or unblocks them. */
  block: command(groupPerson.extend({ blocked: z.boolean() }), done),
  blocked: command(inGroup, z.array(z.object({ userName: chatUserNameSchema, name: z.string() }))),
  /** The files that members share with the group, the newest first. */
  files: command(
    inGroup,
    z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        owner: z.string(),
        ownerName: z.string(),
        size: z.number(),
        at: z.number(),
      }),
    ),
  ),
  /** Returns once the group has the file, false when it was cancelled; progress is in the chat slice under the key. */
  shareFile: command(
    inGroup.extend({
      file: blobSchema,
      name: z.string().min(1).max(255),
      key: z.string().min(1).max(64),
    }),
    z.boolean(),
  ),
  cancelFile: command(z.object({ key: z.string().min(1).max(64) }), done),
  removeFile: command(inGroup.extend({ fileId: z.uuid() }), done),
  /** Who has read an own message. */
  readers: command(
    inGroup.extend({ mid: z.string().regex(/^\d{1,20}$/) }),
    z.array(z.object({ userName: z.string(), name: z.string() })),
  ),
  /** A page of the public groups of the person's companies. */
  find: command(
    z.object({ keyword: z.string().trim().max(100), cursor: z.number().int().min(1) }),
    z.object({ groups: z.array(publicGroupSchema), total: z.number().int() }),
  ),
  members: command(inGroup, z.array(shownMember)),
  /** A page of the members, 200 at most: those who rule the group first. */
  memberPage: command(
    inGroup.extend({
      keyword: z.string().trim().max(100),
      cursor: z.number().int().min(1),
    }),
    z.object({ members: z.array(shownMember), total: z.number().int() }),
  ),
} as const;
