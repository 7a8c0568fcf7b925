/**
 * Friends, what a person calls them, and whom a person blocks (docs/chat.md#contacts). The provider's calls and the console's own both
 * act by what is here, so that both tell the other side.
 */
import { and, eq, sql } from "drizzle-orm";
import { chatRemark } from "../../../base/database/schema/chat.ts";
import type { ActDeps } from "../rest/acts.ts";
import type { Blocklist } from "./blocklist.ts";
import { type Actor, eventRecord, KIND } from "../wire/event-envelope.ts";
import { createFriendRows } from "./friend-rows.ts";
import { type Person, readPeople } from "../groups/facts.ts";
import { NAMESPACE, ROSTER, RosterBodyCodec, USER_DOMAIN } from "../wire/wire.ts";

export interface Contacts extends Blocklist {
  /**
   * Sends a friend request, or accepts the other's. An unknown name, and a person who blocks the sender, answer as any other.
   *
   * @returns "full" when too many requests of the person are unanswered
   */
  ask(who: Actor, userName: string, reason: string): Promise<"asked" | "full">;
  /** @returns false without a request of that person */
  answer(who: Actor, userName: string, accept: boolean): Promise<boolean>;
  /** Ends a friendship, takes the own request back, or declines the other's. @returns whether there was any of them */
  end(who: Actor, userName: string): Promise<boolean>;
  /** Chat user names of the person's friends. */
  friends(userName: string): Promise<string[]>;
  remark(userName: string, peer: string, remark: string): Promise<void>;
  remarks(userName: string): Promise<Map<string, string>>;
}

export function createContacts(deps: ActDeps & { readonly blocklist: Blocklist }): Contacts {
  const { appKey, blocklist, db } = deps;
  const rows = createFriendRows(db);
  const jid = (name: string) => ({ appKey, name, domain: USER_DOMAIN });

  /** @param ownDevices the actor's other devices learn of it, by an event that names the actor */
  const sendRosterEvent = (
    who: Actor,
    to: string,
    operation: number,
    about: string,
    { reason = "", ownDevices = false } = {},
  ) =>
    deps.write(
      eventRecord(deps, who, {
        kind: KIND.rosterEvent,
        recipient: to,
        audience: [to],
        carbon: ownDevices,
        ns: NAMESPACE.roster,
        to: jid(to),
        payload: RosterBodyCodec.encode({
          operation,
          from: jid(about),
          to: [jid(to)],
          ...(reason === "" ? {} : { reason }),
        }),
      }),
    );
  /** @returns undefined for a name without an account */
  async function find(userName: string): Promise<Person | undefined> {
    return (await readPeople(db, [userName]))[0];
  }
  /** Both people; null when one has no account. */
  async function pair(a: string, b: string): Promise<{ me: Person; other: Person } | null> {
    const [me, other] = await Promise.all([find(a), find(b)]);
    return me === undefined || other === undefined || a === b ? null : { me, other };
  }
  /** Both learn that they are friends now. */
  async function agreed(who: Actor, other: string): Promise<void> {
    await sendRosterEvent(who, other, ROSTER.remoteAccept, who.userName);
    await sendRosterEvent(who, other, ROSTER.accept, who.userName);
    await sendRosterEvent({ userName: other, resource: "" }, who.userName, ROSTER.accept, other);
  }

  return {
    ...blocklist,
    async ask(who, userName, reason) {
      const me = await find(who.userName);
      if (me === undefined || who.userName === userName) return "asked";
      const other = await find(userName);
      const reaches = other !== undefined && !(await blocklist.blocks(userName, who.userName));
      const before = reaches ? await rows.has(me, other) : await rows.hasUnheard(me, userName);
      if (before) return "asked";
      // Who accepts asks for nothing.
      const accepts = reaches && (await rows.has(other, me));
      if (!accepts && (await rows.isFull(me.accountId))) return "full";
      if (!reaches) {
        await rows.addUnheard(me, userName, reason);
        return "asked";
      }
      if (!(await rows.add(me, other, reason))) return "asked";
      if (accepts || (await rows.has(other, me))) await agreed(who, userName);
      else
        await sendRosterEvent(who, userName, ROSTER.add, who.userName, {
          reason,
          ownDevices: true,
        });
      return "asked";
    },
    async answer(who, userName, accept) {
      const both = await pair(who.userName, userName);
      if (both === null || !(await rows.has(both.other, both.me))) return false;
      if (accept) {
        if (await rows.add(both.me, both.other, "")) await agreed(who, userName);
        return true;
      }
      if (await rows.has(both.me, both.other)) return false;
      await rows.end(both.me, both.other);
      await sendRosterEvent(who, userName, ROSTER.remoteDecline, who.userName, {
        ownDevices: true,
      });
      return true;
    },
    async end(who, userName) {
      const me = await find(who.userName);
      if (me === undefined || who.userName === userName) return false;
      const unheard = await rows.endUnheard(me, userName);
      const other = await find(userName);
      if (other === undefined) return unheard;
      const { ownRow, otherRow } = await rows.end(me, other);
      if (!ownRow && !otherRow) return unheard;
      const operation = ownRow ? ROSTER.remove : ROSTER.remoteDecline;
      await sendRosterEvent(who, userName, operation, who.userName, { ownDevices: true });
      return true;
    },
    async friends(userName) {
      const { rows: found } = await db.execute<{ name: string }>(
        sql`SELECT b.chat_user_name AS name FROM im_friends f
          JOIN im_friends g ON g.account_id = f.friend_id AND g.friend_id = f.account_id
          JOIN accounts a ON a.id = f.account_id JOIN accounts b ON b.id = f.friend_id
          WHERE a.chat_user_name = ${userName} AND b.disabled_at IS NULL`,
      );
      return found.map(({ name }) => name);
    },
    async remark(userName, peer, remark) {
      if (remark === "") {
        await db
          .delete(chatRemark)
          .where(and(eq(chatRemark.userName, userName), eq(chatRemark.peer, peer)));
        return;
      }
      await db
        .insert(chatRemark)
        .values({ userName, peer, remark })
        .onConflictDoUpdate({ target: [chatRemark.userName, chatRemark.peer], set: { remark } });
    },
    async remarks(userName) {
      const found = await db.select().from(chatRemark).where(eq(chatRemark.userName, userName));
      return new Map(found.map(({ peer, remark }) => [peer, remark]));
    },
  };
}
