/** A person's own data, password and logins (docs/session.md#profile). They belong to the account, not to a company. */
import { maskPhone } from "../../../shared/domain/format.ts";
import { and, count, desc, eq, gt, isNull } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import {
  endOwnSessionCall,
  ownSessionsCall,
  profileCall,
  profileCodeCall,
  profileMobileCall,
  profilePasswordCall,
  profileUnlockCall,
  profileUpdateCall,
} from "../../../shared/protocol/rest/profile.ts";
import { auditPlatform } from "../../base/audit/index.ts";
import { changes } from "../../base/database/common.ts";
import { accounts, sessions } from "../../base/database/schema/base.ts";
import { accountMobiles } from "../../base/database/schema/registration.ts";
import { route } from "../../base/http/route.ts";
import type { Principal, ServerDeps, ServerModule } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";
import type { Reset } from "../registration/reset.ts";
import type { SmsCodes } from "../sms/index.ts";
import { SMS_LIMITS } from "../sms/limits.ts";

export interface ProfileDeps extends ServerDeps {
  readonly access: Pick<Access, "endLogin">;
  readonly reset: Pick<Reset, "byOldPassword" | "byOwnCode" | "changeMobile" | "ownMobile">;
  readonly codes: Pick<SmsCodes, "send">;
  /** @throws AppError auth.invalid-credentials at this field, auth.locked */
  readonly checkOwnPassword: (
    principal: Principal,
    password: string,
    field: string,
  ) => Promise<void>;
}

const masked = (mobile: string | null): string => (mobile === null ? "" : maskPhone(mobile));

export function createProfileModule(deps: ProfileDeps): ServerModule {
  const { db, clock, config } = deps;

  const profileOf = async (accountId: string) => {
    const [row] = await db
      .select({
        id: accounts.id,
        username: accounts.username,
        nickname: accounts.nickname,
        avatar: accounts.avatar,
        introduction: accounts.introduction,
        mobile: accountMobiles.mobile,
        createdAt: accounts.createdAt,
      })
      .from(accounts)
      .leftJoin(accountMobiles, eq(accountMobiles.accountId, accounts.id))
      .where(eq(accounts.id, accountId));
    if (row === undefined) throw new AppError("request.not-found");
    const { createdAt, mobile, ...rest } = row;
    return { ...rest, mobile: masked(mobile), createTime: createdAt.toISOString() };
  };

  return {
    name: "profile",
    routes(app) {
      route(app, profileCall, deps, ({ principal }) => profileOf(principal.accountId));

      route(app, profileUpdateCall, deps, async ({ body, principal }) => {
        const { accountId } = principal;
        await db.transaction(async (tx) => {
          const [was] = await tx
            .select({ nickname: accounts.nickname, introduction: accounts.introduction })
            .from(accounts)
            .where(eq(accounts.id, accountId))
            .for("update");
          const change = was === undefined ? null : changes(was, body);
          if (change === null) return;
          await tx.update(accounts).set(change.after).where(eq(accounts.id, accountId));
          await auditPlatform(tx, principal, {
            action: "update",
            entity: "account",
            entityId: accountId,
            ...change,
          });
        });
        return profileOf(accountId);
      });

      route(app, profilePasswordCall, deps, async ({ body, principal, c }) => {
        const { oldPassword, smsCode = "", requestKey, newPassword } = body;
        if (oldPassword === undefined) {
          const proof = { smsCode, requestKey, address: c.var.client.key };
          await deps.reset.byOwnCode(principal, proof, newPassword);
        } else await deps.reset.byOldPassword(principal, oldPassword, newPassword);
        return null;
      });

      route(app, profileCodeCall, deps, async ({ principal, c }) => {
        const mobile = await deps.reset.ownMobile(principal.accountId);
        const { requestKey } = await deps.codes.send(mobile, { address: c.var.client.key });
        return { expiresIn: SMS_LIMITS.lifetime, retryAfter: SMS_LIMITS.between, requestKey };
      });

      route(app, profileMobileCall, deps, async ({ body, principal, c }) => {
        const { password, oldCode, oldRequestKey, ...proof } = body;
        const address = c.var.client.key;
        await deps.checkOwnPassword(principal, password, "password");
        await deps.reset.changeMobile(
          principal,
          { ...proof, address },
          oldCode === undefined
            ? undefined
            : { smsCode: oldCode, requestKey: oldRequestKey, address },
        );
        return null;
      });

      route(app, profileUnlockCall, deps, async ({ body, principal }) => {
        await deps.checkOwnPassword(principal, body.password, "password");
        return null;
      });

      route(app, ownSessionsCall, deps, async ({ query, principal }) => {
        const { cursor, limit, searchCount } = query;
        const now = clock.now();
        const where = and(
          eq(sessions.accountId, principal.accountId),
          isNull(sessions.revokedAt),
          gt(sessions.expiresAt, new Date(now)),
        );
        const rows = await db
          .select()
          .from(sessions)
          .where(where)
          .orderBy(desc(sessions.refreshedAt), sessions.id)
          .limit(limit)
          .offset((cursor - 1) * limit);
        const [counted] = searchCount
          ? await db.select({ total: count() }).from(sessions).where(where)
          : [];
        const records = rows.map((row) => ({
          id: row.id,
          systemName: row.systemName,
          address: row.address,
          userAgent: row.userAgent,
          createTime: row.createdAt.toISOString(),
          activeTime: row.refreshedAt.toISOString(),
          active: row.refreshedAt.getTime() + config.ACCESS_TOKEN_TTL * 1000 > now,
          current: row.id === principal.sessionId,
        }));
        return { records, total: counted?.total ?? 0, cursor, limit };
      });

      route(app, endOwnSessionCall, deps, async ({ params, principal }) => {
        if (params.id === principal.sessionId) {
          throw new AppError("request.conflict", { message: "不能在此结束当前登录，请使用退出" });
        }
        const login = { sessionId: params.id, accountId: principal.accountId };
        if (!(await deps.access.endLogin(login, "signed-out"))) {
          throw new AppError("request.not-found");
        }
        return null;
      });
    },
  };
}
