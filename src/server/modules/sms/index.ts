/**
 * Codes by SMS. They are sent through a sink (on the embedded database the log), limited per mobile number and per address, stored
 * as keyed hashes, and valid once within five minutes.
 */
import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { and, count, desc, eq, gt, isNull, lt, max, min, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Logger } from "pino";
import { AppError } from "../../../shared/errors.ts";
import { sendSmsCall } from "../../../shared/protocol/rest/registration.ts";
import { smsCodes } from "../../base/database/schema/registration.ts";
import { openRoute } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";

export interface SmsSink {
  send(mobile: string, code: string): Promise<void>;
}

export const SMS_LIMITS = {
  /** Seconds for which a code is valid. */
  lifetime: 300,
  /** Seconds between two codes for one mobile number. */
  between: 60,
  /** Codes per mobile number within 24 hours. */
  perMobile: 10,
  /** Codes per address within 24 hours. */
  perAddress: 50,
  /** Attempts after which a code becomes invalid. */
  failures: 5,
} as const;
const DAY_MS = 24 * 60 * 60_000;

/** Writes codes to the log, where the operator reads them: the embedded platform has no SMS provider. */
export const createLogSink = (log: Logger): SmsSink => ({
  send(mobile, code) {
    log.info({ mobile, smsCode: code }, "code by SMS (written here because there is no provider)");
    return Promise.resolve();
  },
});

type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

export interface SmsCodes {
  /**
   * @param address the client's key by which codes are limited
   * @throws AppError request.rate-limited with details.retryAfter (s), server.unavailable when the code could not be sent
   */
  send(mobile: string, address: string): Promise<void>;
  /**
   * Checks the newest code of the mobile number, and counts the attempt.
   *
   * @returns the id of the code, for `use`
   * @throws AppError request.invalid for a wrong, used, expired or too often tried code
   */
  check(mobile: string, code: string): Promise<string>;
  /**
   * Uses up the code within the transaction of the action it authorises.
   *
   * @throws AppError request.invalid when another request used it first
   */
  use(tx: Transaction, id: string): Promise<void>;
}

const wrong = (): AppError =>
  new AppError("request.invalid", {
    message: "验证码不正确或已过期",
    details: { fields: { smsCode: "验证码不正确或已过期" } },
  });

export function createSmsCodes(
  deps: Pick<ServerDeps, "config" | "db" | "clock">,
  sink: SmsSink | null,
): SmsCodes {
  const { config, db, clock } = deps;
  const hashOf = (mobile: string, code: string): string =>
    createHmac("sha256", config.APP_SECRET).update(`sms\n${mobile}\n${code}`).digest("hex");

  /** @throws AppError request.rate-limited */
  async function admit(tx: Transaction, mobile: string, address: string, now: number) {
    const since = gt(smsCodes.sentAt, new Date(now - DAY_MS));
    const refuse = (until: number): AppError =>
      new AppError("request.rate-limited", {
        message: "验证码发送过于频繁，请稍后再试",
        details: { retryAfter: Math.max(1, Math.ceil((until - now) / 1000)) },
      });
    const seen = async (who: ReturnType<typeof eq>) => {
      const [row] = await tx
        .select({ n: count(), last: max(smsCodes.sentAt), first: min(smsCodes.sentAt) })
        .from(smsCodes)
        .where(and(who, since));
      return { n: row?.n ?? 0, last: row?.last?.getTime() ?? 0, first: row?.first?.getTime() ?? 0 };
    };
    const ofMobile = await seen(eq(smsCodes.mobile, mobile));
    const next = ofMobile.last + SMS_LIMITS.between * 1000;
    if (ofMobile.n > 0 && next > now) throw refuse(next);
    if (ofMobile.n >= SMS_LIMITS.perMobile) throw refuse(ofMobile.first + DAY_MS);
    const ofAddress = await seen(eq(smsCodes.address, address));
    if (ofAddress.n >= SMS_LIMITS.perAddress) throw refuse(ofAddress.first + DAY_MS);
  }

  return {
    async send(mobile, address) {
      if (sink === null) {
        throw new AppError("server.unavailable", { message: "短信服务未配置，请联系管理员" });
      }
      const now = clock.now();
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      const id = await db.transaction(async (tx) => {
        // One request at a time over all processes. Otherwise two parallel requests could both pass the limits.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(7213003)`);
        await tx.delete(smsCodes).where(lt(smsCodes.sentAt, new Date(now - DAY_MS)));
        await admit(tx, mobile, address, now);
        const [row] = await tx
          .insert(smsCodes)
          .values({
            mobile,
            address,
            codeHash: hashOf(mobile, code),
            sentAt: new Date(now),
            expiresAt: new Date(now + SMS_LIMITS.lifetime * 1000),
          })
          .returning({ id: smsCodes.id });
        return row?.id ?? "";
      });
      try {
        await sink.send(mobile, code);
      } catch (error) {
        await db.delete(smsCodes).where(eq(smsCodes.id, id));
        throw new AppError("server.unavailable", {
          message: "验证码发送失败，请重试",
          cause: error,
        });
      }
    },

    async check(mobile, code) {
      // Only the newest code counts. Count the attempt before comparing, so that parallel guesses cannot pass the limit.
      const newest = db
        .select({ id: smsCodes.id })
        .from(smsCodes)
        .where(eq(smsCodes.mobile, mobile))
        .orderBy(desc(smsCodes.sentAt), desc(smsCodes.id))
        .limit(1);
      const [row] = await db
        .update(smsCodes)
        .set({ failures: sql`${smsCodes.failures} + 1` })
        .where(
          and(
            eq(smsCodes.id, newest),
            isNull(smsCodes.usedAt),
            gt(smsCodes.expiresAt, new Date(clock.now())),
            lt(smsCodes.failures, SMS_LIMITS.failures),
          ),
        )
        .returning({ id: smsCodes.id, codeHash: smsCodes.codeHash });
      const given = Buffer.from(hashOf(mobile, code));
      const stored = Buffer.from(row?.codeHash ?? hashOf(mobile, "nothing"));
      if (!timingSafeEqual(given, stored) || row === undefined) throw wrong();
      return row.id;
    },

    async use(tx, id) {
      const used = await tx
        .update(smsCodes)
        .set({ usedAt: new Date(clock.now()) })
        .where(and(eq(smsCodes.id, id), isNull(smsCodes.usedAt)))
        .returning({ id: smsCodes.id });
      if (used.length === 0) throw wrong();
    },
  };
}

export function createSmsModule(codes: SmsCodes): ServerModule {
  return {
    name: "sms",
    routes(app) {
      openRoute(app, sendSmsCall, async ({ body, c }) => {
        await codes.send(body.mobile, c.var.client.key);
        return { expiresIn: SMS_LIMITS.lifetime, retryAfter: SMS_LIMITS.between };
      });
    },
  };
}
