/** Sets a new password: with the old password and a login, or with mobile number and SMS code without one. */
import { and, eq, isNull } from "drizzle-orm";
import { maskPhone } from "../../../shared/domain/format.ts";
import { AppError } from "../../../shared/errors.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { accounts } from "../../base/database/schema/base.ts";
import { accountMobiles } from "../../base/database/schema/registration.ts";
import { createKeptFailures } from "../../base/limits/kept-failures.ts";
import { createThrottle } from "../../base/limits/throttle.ts";
import type { Principal } from "../../base/module.ts";
import type { Guess } from "../sms/index.ts";
import type { RegistrationDeps } from "./deps.ts";
import { takenOf } from "./taken.ts";

/** After FAILURES wrong old passwords within WINDOW ms, an account must wait. */
const WINDOW = 15 * 60_000;
const FAILURES = 10;

/** A code to the account's own mobile. */
type OwnProof = Omit<Guess, "mobile">;

export type Reset = ReturnType<typeof createReset>;

/** What is wrong with the code of the earlier mobile, at its field. A limit stays as it is. */
function atOldCode(error?: unknown): never {
  if (error instanceof AppError && error.code !== "request.invalid") throw error;
  throw wrongField("oldCode", "验证码不正确或已过期", "The code is wrong or has expired");
}

const wrongField = (field: string, message: string, en: string): AppError =>
  new AppError("request.invalid", { message, details: { fields: { [field]: message }, en } });

export function createReset(deps: RegistrationDeps) {
  const { db, clock, codes, passwords, endLogins, warnMobileGone } = deps;
  const throttle = createThrottle(
    clock,
    { failures: FAILURES, withinMs: WINDOW, forgive: true },
    {
      failures: createKeptFailures({ db, secret: deps.config.APP_SECRET }),
      kind: "own-password",
    },
  );

  /** Whether it is the caller's password. @throws AppError auth.locked after too many wrong ones */
  const isOwn = ({ accountId }: Principal, password: string): Promise<boolean> =>
    throttle.run(accountId, async () => {
      const [row] = await db
        .select({ hash: accounts.passwordHash })
        .from(accounts)
        .where(eq(accounts.id, accountId));
      return passwords.check(row?.hash ?? null, password);
    });

  async function mobileOf(accountId: string): Promise<string | null> {
    const [row] = await db
      .select({ mobile: accountMobiles.mobile })
      .from(accountMobiles)
      .where(eq(accountMobiles.accountId, accountId));
    return row?.mobile ?? null;
  }

  async function ownMobile(accountId: string): Promise<string> {
    const mobile = await mobileOf(accountId);
    if (mobile !== null) return mobile;
    throw new AppError("request.conflict", {
      message: "您还没有验证手机号，请使用原密码",
      details: { en: "You have not verified a mobile. Use your old password" },
    });
  }

  return {
    /** @throws AppError auth.invalid-credentials at this field, auth.locked after too many wrong passwords */
    async checkOwn(principal: Principal, password: string, field: string): Promise<void> {
      if (await isOwn(principal, password)) return;
      throw new AppError("auth.invalid-credentials", {
        message: "密码不正确",
        details: { fields: { [field]: "密码不正确" }, en: "The password is wrong" },
      });
    },

    /**
     * Sets the password and ends the account's other sessions.
     *
     * @throws AppError auth.invalid-credentials for a wrong old password, auth.locked after too many of them
     */
    async byOldPassword(principal: Principal, old: string, wanted: string): Promise<void> {
      const { accountId, sessionId } = principal;
      if (!(await isOwn(principal, old))) {
        throw new AppError("auth.invalid-credentials", {
          message: "原密码不正确",
          details: { fields: { oldPassword: "原密码不正确" }, en: "The old password is wrong" },
        });
      }
      const passwordHash = await passwords.hash(wanted);
      await db.transaction(async (tx) => {
        await tx.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
        await auditPlatform(tx, principal, {
          action: "reset-password",
          entity: "account",
          entityId: accountId,
        });
      });
      await endLogins(accountId, sessionId, "signed-out");
    },

    /** The mobile that the account has proved. @throws AppError request.conflict without one */
    ownMobile,

    /**
     * Sets the password by a code to the account's own mobile, and ends its other sessions.
     *
     * @throws AppError request.conflict without a mobile, request.invalid for a wrong code, request.rate-limited
     */
    async byOwnCode(principal: Principal, proof: OwnProof, wanted: string): Promise<void> {
      const { accountId, sessionId } = principal;
      const mobile = await ownMobile(accountId);
      const code = await codes.check({ ...proof, mobile });
      const passwordHash = await passwords.hash(wanted);
      await db.transaction(async (tx) => {
        await codes.use(tx, code);
        await tx.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
        await auditPlatform(tx, principal, {
          action: "reset-password",
          entity: "account",
          entityId: accountId,
        });
      });
      await endLogins(accountId, sessionId, "signed-out");
    },

    /**
     * Makes a mobile that a code proves the account's own. Another code proves the earlier one, so that a stolen login with its password
     * does not take the account. The caller has proved the password.
     *
     * @param old of the earlier mobile; undefined for an account without one
     * @throws AppError request.invalid for a wrong code, and at `oldCode` without that of the earlier mobile; request.conflict at `mobile`
     *   when another account has it
     */
    async changeMobile(
      { accountId }: Principal,
      guess: Guess,
      old: OwnProof | undefined,
    ): Promise<void> {
      const { mobile } = guess;
      const was = await mobileOf(accountId);
      if (was === mobile) {
        throw wrongField("mobile", "这是您现在的手机号", "This is your mobile now");
      }
      if (was !== null && old === undefined) {
        throw wrongField(
          "oldCode",
          "请填写发送到原手机号的验证码",
          "Enter the code that your old mobile got",
        );
      }
      const used: string[] = [];
      if (was !== null && old !== undefined) {
        used.push(await codes.check({ ...old, mobile: was }).catch(atOldCode));
      }
      used.push(await codes.check(guess));
      try {
        await db.transaction(async (tx) => {
          for (const code of used) await codes.use(tx, code);
          const [now] = await tx
            .select({ mobile: accountMobiles.mobile })
            .from(accountMobiles)
            .where(eq(accountMobiles.accountId, accountId))
            .for("update");
          // Two changes at once: the second has proved a number that is the account's no more.
          if ((now?.mobile ?? null) !== was) throw atOldCode();
          await tx
            .insert(accountMobiles)
            .values({ accountId, mobile })
            .onConflictDoUpdate({ target: accountMobiles.accountId, set: { mobile } });
          await auditPlatform(
            tx,
            { accountId },
            {
              action: "update",
              entity: "account",
              entityId: accountId,
              before: { mobile: was === null ? "" : maskPhone(was) },
              after: { mobile: maskPhone(mobile) },
            },
          );
        });
      } catch (error) {
        throw takenOf(error);
      }
      if (was !== null) await warnMobileGone(was);
    },

    /**
     * Sets the password and ends all sessions of the account.
     *
     * @throws AppError request.invalid, the same for a wrong code and for an unknown mobile number
     */
    async byMobile(guess: Guess, wanted: string): Promise<void> {
      const { mobile } = guess;
      const code = await codes.check(guess);
      const passwordHash = await passwords.hash(wanted);
      const accountId = await db.transaction(async (tx) => {
        await codes.use(tx, code);
        const [row] = await tx
          .select({ id: accounts.id })
          .from(accountMobiles)
          .innerJoin(accounts, eq(accounts.id, accountMobiles.accountId))
          .where(and(eq(accountMobiles.mobile, mobile), isNull(accounts.disabledAt)));
        if (row === undefined) return null;
        await tx.update(accounts).set({ passwordHash }).where(eq(accounts.id, row.id));
        await auditPlatform(
          tx,
          { accountId: row.id },
          { action: "reset-password", entity: "account", entityId: row.id },
        );
        return row.id;
      });
      if (accountId === null) {
        throw new AppError("request.invalid", {
          message: "验证码不正确或已过期",
          details: {
            fields: { smsCode: "验证码不正确或已过期" },
            en: "The code is wrong or has expired",
          },
        });
      }
      await endLogins(accountId, null, "signed-out");
    },
  };
}
