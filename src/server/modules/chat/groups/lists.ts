/** Who may not enter a group, who may write although it is muted, and what members say of themselves (docs/chat.md#groups). */
import { and, eq, inArray } from "drizzle-orm";
import {
  imGroupBlocks,
  imGroupMembers,
  imGroupRequests,
} from "../../../base/database/schema/im.ts";
import { MUC } from "../wire/wire.ts";
import { ALL_MEMBERS, type Actor } from "./events.ts";
import { readBlocked } from "./facts.ts";
import { drop, left, peopleOf, refuseForeigners } from "./members.ts";
import { conflict, forbidden } from "./refusal.ts";
import { inside, memberOf, namesOf, rowsOf, rules, ruling, type Stage } from "./scene.ts";

/** What a member may say of themselves: entries, and characters of all keys and values. */
const ATTRIBUTES = { entries: 20, characters: 4096 } as const;
/** People on the block list of a group. */
const BLOCKED = 500;

export function createGroupLists({ stage }: { readonly stage: Stage }) {
  return {
    /** Members among them are removed. Colleagues who are no members cannot enter then. */
    block: (actor: Actor, groupId: string, userNames: readonly string[]) =>
      stage.act(actor, groupId, async (scene) => {
        const me = ruling(scene);
        const people = await peopleOf(scene.tx, [...new Set(userNames)]);
        const ids = new Set(people.map((p) => p.accountId));
        const members = scene.members.filter((m) => ids.has(m.accountId));
        if (members.some((m) => m.owner || (m.admin && !me.owner))) {
          throw forbidden("不能将群主和管理员移入黑名单");
        }
        // Who is no member must be a colleague, as for an invitation: names of others can be guessed.
        await refuseForeigners(
          scene,
          people.filter((p) => !members.some((m) => m.accountId === p.accountId)),
        );
        const known = await readBlocked(scene.tx, groupId);
        const after = new Set([...known.map((p) => p.accountId), ...ids]);
        if (after.size > BLOCKED) {
          throw conflict(`群黑名单最多 ${BLOCKED} 人`, "the block list is full");
        }
        const rows = people.map(({ accountId }) => ({ groupId, accountId }));
        await scene.tx.insert(imGroupBlocks).values(rows).onConflictDoNothing();
        await scene.tx
          .delete(imGroupRequests)
          .where(
            and(eq(imGroupRequests.groupId, groupId), inArray(imGroupRequests.accountId, [...ids])),
          );
        if (members.length > 0) await drop(scene, members);
        return {
          result: null,
          events: [{ operation: MUC.kick, audience: namesOf(members) }, ...left(scene, members)],
          change: { action: "block-member", after: { members: [...userNames] } },
        };
      }),

    /** Names that are not on the list are passed over. */
    unblock: (actor: Actor, groupId: string, userNames: readonly string[]) =>
      stage.act(actor, groupId, async (scene) => {
        ruling(scene);
        // Nobody else hears of the group. Names that are not on the list get no answer of their own.
        const people = (await readBlocked(scene.tx, groupId)).filter((p) =>
          userNames.includes(p.chatUserName),
        );
        if (people.length === 0) return { result: null };
        await scene.tx.delete(imGroupBlocks).where(
          and(
            eq(imGroupBlocks.groupId, groupId),
            inArray(
              imGroupBlocks.accountId,
              people.map((p) => p.accountId),
            ),
          ),
        );
        return {
          result: null,
          events: [{ operation: MUC.unblock, audience: namesOf(people) }],
          change: { action: "unblock-member", after: { members: namesOf(people) } },
        };
      }),

    /** @param allowed whether they may write although the group is muted */
    allow: (actor: Actor, groupId: string, userNames: readonly string[], allowed: boolean) =>
      stage.act(actor, groupId, async (scene) => {
        ruling(scene);
        const members = userNames.map((name) => memberOf(scene, name));
        await scene.tx.update(imGroupMembers).set({ allowed }).where(rowsOf(scene, members));
        return {
          result: null,
          events: userNames.map((about) => ({
            operation: allowed ? MUC.addAllowed : MUC.removeAllowed,
            audience: ALL_MEMBERS,
            about,
          })),
          change: { action: "allow-member", after: { members: [...userNames], allowed } },
        };
      }),

    /** Adds to what a member says of themselves; an empty text takes an entry away. @returns all entries */
    describeMember: (
      actor: Actor,
      groupId: string,
      userName: string,
      given: Readonly<Record<string, string>>,
    ) =>
      stage.act(actor, groupId, async (scene) => {
        const me = inside(scene);
        const member = memberOf(scene, userName);
        if (member.accountId !== me.accountId && !rules(me)) {
          throw forbidden("只能修改自己的群名片");
        }
        const attributes = Object.fromEntries(
          Object.entries({ ...member.attributes, ...given }).filter(([, value]) => value !== ""),
        );
        const size = Object.entries(attributes).flat().join("").length;
        if (Object.keys(attributes).length > ATTRIBUTES.entries || size > ATTRIBUTES.characters) {
          throw conflict("群名片内容过多", "too many attributes");
        }
        await scene.tx
          .update(imGroupMembers)
          .set({ attributes })
          .where(rowsOf(scene, [member]));
        return {
          result: attributes,
          events: [
            {
              operation: MUC.attributes,
              audience: ALL_MEMBERS,
              about: userName,
              ext: { username: userName, properties: { ...given } },
            },
          ],
        };
      }),
  };
}
