/** Invitations that want an answer, and applications (docs/chat.md#groups). */
import { and, eq, isNotNull } from "drizzle-orm";
import { imGroupRequests } from "../../../base/database/schema/im.ts";
import { MUC } from "../wire/wire.ts";
import { type Actor, type GroupEvent, updated } from "./events.ts";
import { type Person, readBlocked, readCompanies, readPeople } from "./facts.ts";
import { add, joined } from "./members.ts";
import { conflict, forbidden, groupMissing } from "./refusal.ts";
import { inside, namesOf, type Outcome, rules, type Scene, type Stage } from "./scene.ts";

const noRequest = () => conflict("没有待处理的申请", "there is no such request");

export function createGroupRequests(deps: { readonly stage: Stage; readonly now: () => number }) {
  const { stage, now } = deps;

  /** Takes the open request of this person. @throws GroupRefusal when there is none */
  async function takeRequest(
    scene: Scene,
    person: Person,
    invited: boolean,
  ): Promise<string | null> {
    const [request] = await scene.tx
      .delete(imGroupRequests)
      .where(
        and(
          eq(imGroupRequests.groupId, scene.group.id),
          eq(imGroupRequests.accountId, person.accountId),
        ),
      )
      .returning();
    if (request === undefined || (request.inviterId !== null) !== invited) {
      throw noRequest();
    }
    return request.inviterId;
  }

  /** Whether the person who acts was invited; the invitation is used up. */
  async function takeInvitation({ tx, group, self }: Scene): Promise<boolean> {
    const taken = await tx
      .delete(imGroupRequests)
      .where(
        and(
          eq(imGroupRequests.groupId, group.id),
          eq(imGroupRequests.accountId, self.accountId),
          isNotNull(imGroupRequests.inviterId),
        ),
      )
      .returning({ id: imGroupRequests.accountId });
    return taken.length > 0;
  }

  /** The person who acts comes in. */
  async function enter(scene: Scene): Promise<Outcome<boolean>> {
    await add(scene, [scene.self], now());
    return {
      result: true,
      events: joined(scene, [scene.self]),
      change: { action: "add-member", after: { members: [scene.self.chatUserName] } },
    };
  }

  /** @throws GroupRefusal when the person may not know of the group */
  async function visible(scene: Scene): Promise<void> {
    if (scene.me !== undefined) return;
    const companies = await readCompanies(scene.tx, [scene.self.accountId]);
    const { companyId } = scene.group;
    const colleague =
      companyId !== null && companies.get(scene.self.accountId)?.has(companyId) === true;
    if (!scene.group.public || !colleague) throw groupMissing();
    const blocked = await readBlocked(scene.tx, scene.group.id);
    if (blocked.some((one) => one.accountId === scene.self.accountId)) throw groupMissing();
  }

  return {
    answerInvite: (actor: Actor, groupId: string, accept: boolean) =>
      stage.act(actor, groupId, async (scene) => {
        const inviterId = await takeRequest(scene, scene.self, true).catch(
          async (error: unknown) => {
            // Who was never invited learns nothing of a hidden group.
            await visible(scene);
            throw error;
          },
        );
        const inviter = scene.members.find((m) => m.accountId === inviterId);
        const answer: GroupEvent = {
          operation: accept ? MUC.inviteAccept : MUC.inviteDecline,
          audience: inviter === undefined ? [] : [inviter.chatUserName],
        };
        if (!accept) return { result: null, events: [answer] };
        await add(scene, [scene.self], now());
        return {
          result: null,
          events: [answer, ...joined(scene, [scene.self])],
          change: { action: "add-member", after: { members: [actor.userName] } },
        };
      }),

    /** Joins an open group, or asks its owner and admins. @returns whether the person is in */
    join: (actor: Actor, groupId: string, reason: string) =>
      stage.act<boolean>(actor, groupId, async (scene) => {
        await visible(scene);
        if (scene.me !== undefined) return { result: true };
        if (scene.group.approval) {
          const invited = await takeInvitation(scene);
          if (invited) return await enter(scene);
          const asked = { inviterId: null, message: reason, createdAt: new Date(now()) };
          await scene.tx
            .insert(imGroupRequests)
            .values({ groupId, accountId: scene.self.accountId, ...asked })
            .onConflictDoUpdate({
              target: [imGroupRequests.groupId, imGroupRequests.accountId],
              set: asked,
            });
          return {
            result: false,
            events: [
              { operation: MUC.apply, audience: namesOf(scene.members.filter(rules)), reason },
            ],
          };
        }
        return await enter(scene);
      }),

    answerApplication: (
      actor: Actor,
      groupId: string,
      applicant: string,
      accept: boolean,
      reason: string,
    ) =>
      stage.act(actor, groupId, async (scene) => {
        if (!rules(inside(scene))) throw forbidden("只有群主和管理员可以审批");
        const [person] = await readPeople(scene.tx, [applicant]);
        // Of names that can be guessed, those without an account answer as all others who asked for nothing.
        if (person === undefined) throw noRequest();
        await takeRequest(scene, person, false);
        const answer: GroupEvent = {
          operation: accept ? MUC.applyAccept : MUC.applyDecline,
          audience: [applicant],
          about: applicant,
          reason,
        };
        if (!accept) {
          // The others who rule are shown the application too, and the SDK has no event for its end.
          const others = updated(scene.group, namesOf(scene.members.filter(rules)), now());
          return { result: null, events: [answer, others] };
        }
        await add(scene, [person], now());
        return {
          result: null,
          events: [answer, ...joined(scene, [person])],
          change: { action: "add-member", after: { members: [applicant] } },
        };
      }),
  };
}
