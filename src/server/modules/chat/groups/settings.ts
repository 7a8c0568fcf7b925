/** What owner and admins change about a group: its texts, who rules it, who may write (docs/chat.md#groups). */
import { eq } from "drizzle-orm";
import { imGroupMembers, imGroups } from "../../../base/database/schema/im.ts";
import { MUC } from "../wire/wire.ts";
import { ALL_MEMBERS, type Actor, updated } from "./events.ts";
import type { Member } from "./facts.ts";
import { forbidden } from "./refusal.ts";
import { inside, memberOf, rowsOf, ruling, type Scene, type Stage } from "./scene.ts";

/** What may be changed; what is left out stays. */
export interface GroupChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly custom?: string | undefined;
  readonly public?: boolean | undefined;
  readonly approval?: boolean | undefined;
  readonly allowInvites?: boolean | undefined;
  readonly inviteConfirm?: boolean | undefined;
}

/** Milliseconds since the epoch of a mute without an end. */
const FOR_EVER = Date.UTC(2100, 0, 1);

export function createGroupSettings(deps: { readonly stage: Stage; readonly now: () => number }) {
  const { stage, now } = deps;
  const owning = (scene: Scene): Member => {
    const me = inside(scene);
    if (!me.owner) throw forbidden("只有群主可以操作");
    return me;
  };

  return {
    modify: (actor: Actor, groupId: string, changes: GroupChanges) =>
      stage.act(actor, groupId, async (scene) => {
        ruling(scene);
        const given = Object.fromEntries(
          Object.entries(changes).filter(([, value]) => value !== undefined),
        );
        if (Object.keys(given).length === 0) return { result: scene.group };
        const [group] = await scene.tx
          .update(imGroups)
          .set(given)
          .where(eq(imGroups.id, groupId))
          .returning();
        const after = group ?? scene.group;
        return {
          result: after,
          events: [updated(after, ALL_MEMBERS, now())],
          change: {
            action: "update",
            before: Object.fromEntries(
              Object.entries(scene.group).filter(([key]) => Object.hasOwn(given, key)),
            ),
            after: given,
          },
        };
      }),

    transfer: (actor: Actor, groupId: string, userName: string) =>
      stage.act(actor, groupId, async (scene) => {
        owning(scene);
        const next = memberOf(scene, userName);
        await scene.tx
          .update(imGroups)
          .set({ ownerId: next.accountId })
          .where(eq(imGroups.id, groupId));
        await scene.tx
          .update(imGroupMembers)
          // Nobody could end the mute of an owner.
          .set({ admin: false, mutedUntil: null })
          .where(rowsOf(scene, [next]));
        return {
          result: null,
          events: [{ operation: MUC.assignOwner, audience: ALL_MEMBERS, about: userName }],
          change: {
            action: "transfer",
            before: { owner: actor.userName },
            after: { owner: userName },
          },
        };
      }),

    setAdmin: (actor: Actor, groupId: string, userName: string, admin: boolean) =>
      stage.act(actor, groupId, async (scene) => {
        owning(scene);
        const member = memberOf(scene, userName);
        if (member.owner) throw forbidden("群主不能是管理员");
        await scene.tx
          .update(imGroupMembers)
          .set({ admin })
          .where(rowsOf(scene, [member]));
        return {
          result: null,
          events: [
            {
              operation: admin ? MUC.addAdmin : MUC.removeAdmin,
              audience: ALL_MEMBERS,
              about: userName,
            },
          ],
          change: { action: "update-admin", after: { member: userName, admin } },
        };
      }),

    /** @param ms for how long; negative for ever, null ends it. @returns when it ends, ms since the epoch */
    mute: (actor: Actor, groupId: string, userNames: readonly string[], ms: number | null) =>
      stage.act(actor, groupId, async (scene) => {
        const me = ruling(scene);
        const members = userNames.map((name) => memberOf(scene, name));
        if (members.some((m) => m.owner || (m.admin && !me.owner))) {
          throw forbidden("不能禁言群主和管理员");
        }
        const until = ms === null ? null : ms < 0 ? FOR_EVER : Math.min(now() + ms, FOR_EVER);
        await scene.tx
          .update(imGroupMembers)
          .set({ mutedUntil: until })
          .where(rowsOf(scene, members));
        return {
          result: until,
          events: userNames.map((about) => ({
            operation: until === null ? MUC.removeMute : MUC.addMute,
            audience: ALL_MEMBERS,
            about,
            ...(until === null ? {} : { ext: { user_mute_time: until } }),
          })),
          change: { action: "mute", after: { members: [...userNames], until } },
        };
      }),

    /** While it holds, only the owner and admins may write. */
    muteAll: (actor: Actor, groupId: string, muted: boolean) =>
      stage.act(actor, groupId, async (scene) => {
        ruling(scene);
        await scene.tx.update(imGroups).set({ muted }).where(eq(imGroups.id, groupId));
        return {
          result: null,
          events: [
            {
              operation: muted ? MUC.muteAll : MUC.unmuteAll,
              audience: ALL_MEMBERS,
            },
          ],
          change: { action: "update", after: { muted } },
        };
      }),

    announce: (actor: Actor, groupId: string, text: string) =>
      stage.act(actor, groupId, async (scene) => {
        ruling(scene);
        await scene.tx.update(imGroups).set({ announcement: text }).where(eq(imGroups.id, groupId));
        return {
          result: null,
          events: [
            {
              operation: MUC.updateAnnouncement,
              audience: ALL_MEMBERS,
              reason: text,
            },
          ],
          change: { action: "update", after: { announcement: text } },
        };
      }),
  };
}
