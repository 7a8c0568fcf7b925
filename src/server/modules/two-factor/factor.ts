/**
 * The second factor of an account: one secret, whose codes are each good once, and recovery codes. Wrong codes slow down the account, from
 * whatever address they come: who guesses codes already has the password.
 */
import { and, count, eq, isNotNull, lt } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../shared/errors.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import type { Transaction } from "../../base/database/companies.ts";
import { accountRecoveryCodes, accountTotp } from "../../base/database/schema/two-factor.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import { createSlowdown } from "../../base/limits/slowdown.ts";
import { DATA_CHANGES, type DataChanges } from "../../base/cluster/data-changes.ts";
import type { ServerConfig } from "../../base/config.ts";
import type { Bus, Clock } from "../../base/module.ts";
import { type FactorCodes, isTotp } from "./codes.ts";

const SECOND = 1000;
/** Wrong codes before the next one must wait, and the longest wait. */
export const CODES_FREE = 5;
const LONGEST_WAIT = 60 * SECOND;

type Actor = { readonly accountId: string };

export type SecondFactor = ReturnType<typeof createSecondFactor>;

export function createSecondFactor(deps: {
  readonly db: NodePgDatabase;
  readonly clock: Clock;
  readonly codes: FactorCodes;
  readonly bus: Pick<Bus, "publish">;
  readonly config: Pick<ServerConfig, "APP_SECRET">;
}) {
  const { db, clock, codes, bus } = deps;
  const failures = createKeptFailures({ db, secret: deps.config.APP_SECRET });
  const slowdown = createSlowdown(
    clock,
    {
      free: CODES_FREE,
      firstMs: SECOND,
      longestMs: LONGEST_WAIT,
      leakMs: 600 * SECOND,
      forgive: true,
    },
    { failures, kind: "second-factor" },
  );
  const ownRow = (accountId: string) => eq(accountTotp.accountId, accountId);
  const on = (accountId: string) => and(ownRow(accountId), isNotNull(accountTotp.confirmedAt));
  const wrong = (): AppError => {
    const { message } = new AppError("auth.code-wrong");
    return new AppError("auth.code-wrong", { details: { fields: { code: message } } });
  };

  /** Uses the code up. False when it is wrong or was used before. */
  async function use(accountId: string, sealed: string, code: string): Promise<boolean> {
    if (!isTotp(code)) {
      const used = await db
        .delete(accountRecoveryCodes)
        .where(
          and(
            eq(accountRecoveryCodes.accountId, accountId),
            eq(accountRecoveryCodes.codeHash, codes.recoveryHash(accountId, code)),
          ),
        )
        .returning({ accountId: accountRecoveryCodes.accountId });
      return used.length === 1;
    }
    const step = codes.stepOf(codes.open(sealed), code, clock.now());
    if (step === null) return false;
    // Of two requests with one code only one finds an older step.
    const used = await db
      .update(accountTotp)
      .set({ lastStep: step })
      .where(and(on(accountId), eq(accountTotp.secret, sealed), lt(accountTotp.lastStep, step)))
      .returning({ accountId: accountTotp.accountId });
    return used.length === 1;
  }

  async function secretOf(accountId: string): Promise<string | null> {
    const [row] = await db
      .select({ secret: accountTotp.secret })
      .from(accountTotp)
      .where(on(accountId));
    return row?.secret ?? null;
  }

  /** @throws AppError request.conflict when there is no second factor, auth.code-wrong, auth.locked */
  async function demand(accountId: string, code: string): Promise<void> {
    const sealed = await secretOf(accountId);
    if (sealed === null) throw new AppError("request.conflict", { message: "尚未开启两步验证" });
    if (!(await slowdown.run(accountId, () => use(accountId, sealed, code)))) throw wrong();
  }

  async function renew(tx: Transaction, accountId: string): Promise<string[]> {
    const made = codes.newRecoveryCodes();
    await tx.delete(accountRecoveryCodes).where(eq(accountRecoveryCodes.accountId, accountId));
    await tx
      .insert(accountRecoveryCodes)
      .values(made.map((code) => ({ accountId, codeHash: codes.recoveryHash(accountId, code) })));
    return made;
  }

  /** @returns whether there was a second factor */
  async function remove(tx: Transaction, accountId: string): Promise<boolean> {
    const gone = await tx
      .delete(accountTotp)
      .where(on(accountId))
      .returning({ accountId: accountTotp.accountId });
    await tx.delete(accountRecoveryCodes).where(eq(accountRecoveryCodes.accountId, accountId));
    return gone.length === 1;
  }

  const record = (tx: Transaction, actor: Actor, action: "create" | "update" | "delete") =>
    auditPlatform(tx, actor, { action, entity: "two-factor", entityId: actor.accountId });

  return {
    /**
     * What a login asks after the password was right.
     *
     * @returns false for a wrong code
     * @throws AppError auth.code-required without a code, auth.locked
     */
    async admits(accountId: string, code: string | undefined): Promise<boolean> {
      const sealed = await secretOf(accountId);
      if (sealed === null) return true;
      if (code === undefined || code === "") throw new AppError("auth.code-required");
      const good = await slowdown.run(accountId, () => use(accountId, sealed, code));
      if (good && !isTotp(code)) {
        // One recovery code less.
        const changes: DataChanges = {
          supplierId: null,
          tags: ["twoFactor"],
          except: null,
          only: accountId,
        };
        await bus.publish(DATA_CHANGES, changes);
      }
      return good;
    },

    async state(accountId: string) {
      const [row] = await db
        .select({ at: accountTotp.confirmedAt })
        .from(accountTotp)
        .where(on(accountId));
      const [left] = await db
        .select({ count: count() })
        .from(accountRecoveryCodes)
        .where(eq(accountRecoveryCodes.accountId, accountId));
      return {
        on: row !== undefined,
        since: row?.at?.toISOString() ?? null,
        recoveryCodes: left?.count ?? 0,
      };
    },

    /** A secret that counts once its first code is confirmed. @throws AppError request.conflict when one counts already */
    async begin(accountId: string, username: string) {
      const secret = codes.newSecret();
      const sealed = codes.seal(secret);
      const kept = await db
        .insert(accountTotp)
        .values({ accountId, secret: sealed })
        .onConflictDoUpdate({
          target: accountTotp.accountId,
          set: { secret: sealed, lastStep: 0 },
          setWhere: eq(accountTotp.lastStep, 0),
        })
        .returning({ accountId: accountTotp.accountId });
      if (kept.length === 0) {
        throw new AppError("request.conflict", { message: "已开启两步验证" });
      }
      return { secret, uri: codes.uri(secret, username) };
    },

    /** @returns the recovery codes, which nobody can read again */
    async confirm(actor: Actor, code: string): Promise<string[]> {
      const { accountId } = actor;
      const [row] = await db
        .select({ secret: accountTotp.secret, at: accountTotp.confirmedAt })
        .from(accountTotp)
        .where(ownRow(accountId));
      if (row === undefined || row.at !== null) throw new AppError("request.conflict");
      const good = await slowdown.run(accountId, () =>
        Promise.resolve(codes.stepOf(codes.open(row.secret), code, clock.now()) !== null),
      );
      const step = codes.stepOf(codes.open(row.secret), code, clock.now());
      if (!good || step === null) throw wrong();
      return db.transaction(async (tx) => {
        const done = await tx
          .update(accountTotp)
          .set({ confirmedAt: new Date(clock.now()), lastStep: step })
          .where(
            and(
              ownRow(accountId),
              eq(accountTotp.secret, row.secret),
              lt(accountTotp.lastStep, step),
            ),
          )
          .returning({ accountId: accountTotp.accountId });
        if (done.length === 0) throw new AppError("request.conflict");
        await record(tx, actor, "create");
        return renew(tx, accountId);
      });
    },

    async renewRecovery(actor: Actor, code: string): Promise<string[]> {
      await demand(actor.accountId, code);
      return db.transaction(async (tx) => {
        await record(tx, actor, "update");
        return renew(tx, actor.accountId);
      });
    },

    async end(actor: Actor, code: string): Promise<void> {
      await demand(actor.accountId, code);
      await db.transaction(async (tx) => {
        await remove(tx, actor.accountId);
        await record(tx, actor, "delete");
      });
    },

    remove,
  };
}
