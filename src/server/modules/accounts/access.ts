/**
 * The one place where a person's access ends (docs/server.md#end-of-access): a login, an account, a company, a right. The change is
 * stored before it is published, so that those who hear of it and ask the database get the new answer.
 */
import { and, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { ACCESS_END, type AccessEnd, type LoginEnd } from "../../base/cluster/access.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import { isOpen } from "../../base/database/companies.ts";
import { accounts, employees, sessions } from "../../base/database/schema/base.ts";
import type { Bus, ServerDeps } from "../../base/module.ts";

export interface Access {
  /**
   * Ends one login.
   *
   * @param login.accountId when given, a login of another account stays
   * @returns whether this call ended it; false when it had ended before, or is not the account's
   */
  endLogin(
    login: { readonly sessionId: string; readonly accountId?: string },
    why: LoginEnd,
  ): Promise<boolean>;
  /** Ends the logins of an account. @param except id of the one that continues; null ends all */
  endLogins(accountId: string, except: string | null, why: LoginEnd): Promise<void>;
  /**
   * Call when an account came to a company or left it: dismissed, bound, unbound. Who belongs to no company any more is logged out
   * everywhere; the consoles of everybody else fetch the rights again.
   */
  membershipChanged(accountId: string, supplierId: string): Promise<void>;
  /** Call when the platform has locked the company: its people are out of it, and those without another one are logged out. */
  companyLocked(supplierId: string): Promise<void>;
  /** Call when the company is unlocked. Consoles that are open in other companies offer it again. */
  companyUnlocked(supplierId: string): Promise<void>;
  /** Call when roles of the company were taken away or may do less. */
  rightsChanged(supplierId: string): Promise<void>;
  /** Disables the account, which ends all of its logins. @returns false when it was disabled before */
  disable(accountId: string): Promise<boolean>;
  /** @returns false when it was enabled before */
  enable(accountId: string): Promise<boolean>;
}

/**
 * Makes the consoles of a person fetch companies and rights again.
 *
 * @param only account of the person
 * @param more.userName chat user name where it is known: the gateways need not ask the database then
 * @param more.left the person has left the company: consoles leave it before they ask anything
 */
export function concern(
  bus: Pick<Bus, "publish">,
  supplierId: string,
  only: string,
  more: { readonly userName?: string; readonly left?: boolean } = {},
): Promise<void> {
  const { userName, left = false } = more;
  const changes: DataChanges = {
    supplierId,
    // A console of an older build knows the second tag alone.
    tags: ["memberships", "menus"],
    except: null,
    only,
    ...(left ? { left } : {}),
    ...(userName === undefined ? {} : { people: [userName] }),
  };
  return bus.publish(DATA_CHANGES, changes);
}

export function createAccess({ db, bus, clock }: Pick<ServerDeps, "db" | "bus" | "clock">): Access {
  const publish = (end: AccessEnd): Promise<void> => bus.publish(ACCESS_END, end);

  const endLogins: Access["endLogins"] = async (accountId, except, why) => {
    const ended = await db
      .update(sessions)
      .set({ revokedAt: new Date(clock.now()), endReason: why })
      .where(
        and(
          eq(sessions.accountId, accountId),
          isNull(sessions.revokedAt),
          except === null ? undefined : ne(sessions.id, except),
        ),
      )
      .returning({ sessionId: sessions.id });
    for (const { sessionId } of ended) await publish({ of: "login", accountId, sessionId, why });
  };

  return {
    async endLogin({ sessionId, accountId }, why) {
      const [ended] = await db
        .update(sessions)
        .set({ revokedAt: new Date(clock.now()), endReason: why })
        .where(
          and(
            eq(sessions.id, sessionId),
            isNull(sessions.revokedAt),
            accountId === undefined ? undefined : eq(sessions.accountId, accountId),
          ),
        )
        .returning({ accountId: sessions.accountId });
      if (ended === undefined) return false;
      await publish({ of: "login", accountId: ended.accountId, sessionId, why });
      return true;
    },
    endLogins,
    async membershipChanged(accountId, supplierId) {
      const rows = await db
        .select({ userName: accounts.chatUserName, companyId: employees.companyId })
        .from(accounts)
        .leftJoin(
          employees,
          and(
            eq(employees.accountId, accounts.id),
            isNull(employees.dimissionAt),
            isOpen(employees.companyId),
          ),
        )
        .where(eq(accounts.id, accountId));
      const [person] = rows;
      const companies = rows.flatMap(({ companyId }) => companyId ?? []);
      if (person === undefined) return;
      const { userName } = person;
      const left = !companies.includes(supplierId);
      if (left) {
        // First, so that all sockets close with the same code, after which no client returns.
        if (companies.length === 0) await endLogins(accountId, null, "dismissed");
        await publish({ of: "company", accountId, userName, supplierId });
        if (companies.length === 0) return;
      }
      return concern(bus, supplierId, accountId, { userName, left });
    },
    async companyLocked(supplierId) {
      // Who has no login has nothing open.
      const people = await db
        .selectDistinct({
          accountId: accounts.id,
          userName: accounts.chatUserName,
          elsewhere: sql<boolean>`EXISTS (SELECT FROM employees other WHERE other.account_id = ${accounts.id}
            AND other.dimission_at IS NULL AND ${isOpen(sql`other.company_id`)})`,
        })
        .from(employees)
        .innerJoin(accounts, eq(accounts.id, employees.accountId))
        .innerJoin(
          sessions,
          and(
            eq(sessions.accountId, accounts.id),
            isNull(sessions.revokedAt),
            gt(sessions.expiresAt, new Date(clock.now())),
          ),
        )
        .where(and(eq(employees.companyId, supplierId), isNull(employees.dimissionAt)));
      for (const { accountId, userName, elsewhere } of people) {
        // First, so that all sockets close with the same code, after which no client returns.
        if (!elsewhere) await endLogins(accountId, null, "company-locked");
        await publish({ of: "company", accountId, userName, supplierId });
        if (elsewhere) await concern(bus, supplierId, accountId, { userName, left: true });
      }
    },
    async companyUnlocked(supplierId) {
      const changes: DataChanges = {
        supplierId,
        tags: ["memberships", "menus", "companies"],
        except: null,
        only: null,
      };
      await bus.publish(DATA_CHANGES, changes);
    },
    rightsChanged: (supplierId) => publish({ of: "rights", supplierId }),
    async disable(accountId) {
      const disabled = await db
        .update(accounts)
        .set({ disabledAt: new Date(clock.now()) })
        .where(and(eq(accounts.id, accountId), isNull(accounts.disabledAt)))
        .returning({ id: accounts.id });
      if (disabled.length === 0) return false;
      await endLogins(accountId, null, "disabled");
      return true;
    },
    async enable(accountId) {
      const enabled = await db
        .update(accounts)
        .set({ disabledAt: null })
        .where(and(eq(accounts.id, accountId), isNotNull(accounts.disabledAt)))
        .returning({ id: accounts.id });
      return enabled.length > 0;
    },
  };
}
