/**
 * Codes by SMS. They are sent through a sink (a service, or the page of a demo), limited (limits.ts), stored as keyed hashes, and valid
 * once within five minutes, for the page that asked.
 */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { AppError } from "../../../shared/errors.ts";
import { sendSmsCall, smsStateCall } from "../../../shared/protocol/rest/registration.ts";
import { smsCodes } from "../../base/database/schema/registration.ts";
import type { SmsInvitation } from "../../../shared/domain/sms-text.ts";
import { openRoute } from "../../base/http/route.ts";
import type { ServerDeps, ServerModule } from "../../base/module.ts";
import {
  admitAsker,
  type Asker,
  codeToShare,
  countGuess,
  DAY_MS,
  forgive,
  SMS_LIMITS,
  type Transaction,
} from "./limits.ts";

export interface SmsSink {
  send(mobile: string, code: string): Promise<void>;
  /** Left out: it sends no invitations. */
  readonly invite?: (mobile: string, invitation: SmsInvitation) => Promise<void>;
  /** Tells a number that its account uses it no more. Left out: it tells nobody. */
  readonly mobileGone?: (mobile: string) => Promise<void>;
}

export interface Guess extends Asker {
  readonly mobile: string;
  readonly smsCode: string;
  /** What `send` answered to the page that asked. Without it a code counts that the same address has asked for. */
  readonly requestKey?: string | undefined;
}

export interface SmsCodes {
  /** Whether there is anybody who sends. */
  readonly available: boolean;
  /**
   * @returns the key of this request, which belongs to the page that asked and to nobody else
   * @throws AppError request.rate-limited with details.retryAfter (s), server.unavailable when the code could not be sent
   */
  send(mobile: string, asker: Asker): Promise<{ requestKey: string }>;
  /**
   * Checks the code of the request. A wrong one counts against the request and the address, and against nobody else's request.
   *
   * @returns the id of the code, for `use`
   * @throws AppError request.invalid for a wrong, used, expired or too often tried code; request.rate-limited after too many wrong ones
   */
  check(guess: Guess): Promise<string>;
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
    details: {
      fields: { smsCode: "验证码不正确或已过期" },
      en: "The code is wrong or has expired",
    },
  });

/** What a sender says of its failure, without the code that it may repeat: the log keeps it. */
const withoutCode = (error: unknown, code: string): Error =>
  new Error(String(error instanceof Error ? error.message : error).replaceAll(code, "••••••"));

export function createSmsCodes(
  deps: Pick<ServerDeps, "config" | "db" | "clock">,
  sink: SmsSink | null,
): SmsCodes {
  const { config, db, clock } = deps;
  const hashOf = (mobile: string, code: string): string =>
    createHmac("sha256", config.APP_SECRET).update(`sms\n${mobile}\n${code}`).digest("hex");
  const keyHash = (key: string): string => createHash("sha256").update(key).digest("hex");

  return {
    available: sink !== null,
    async send(mobile, asker) {
      if (sink === null) {
        throw new AppError("server.unavailable", {
          message: "短信服务未配置，请联系管理员",
          details: { en: "No SMS service is configured, ask the administrator" },
        });
      }
      const now = clock.now();
      const code = String(randomInt(1_000_000)).padStart(6, "0");
      const requestKey = randomBytes(24).toString("base64url");
      const { id, shared } = await db.transaction(async (tx) => {
        // One request at a time over all processes. Otherwise two parallel requests could both pass the limits.
        await tx.execute(sql`SELECT pg_advisory_xact_lock(7213003)`);
        await tx.delete(smsCodes).where(lt(smsCodes.sentAt, new Date(now - DAY_MS)));
        await admitAsker(tx, mobile, asker, now);
        const before = await codeToShare(tx, mobile, now);
        const [row] = await tx
          .insert(smsCodes)
          .values({
            mobile,
            address: asker.address,
            companyId: asker.companyId ?? null,
            codeHash: before ?? hashOf(mobile, code),
            shared: before !== null,
            requestHash: keyHash(requestKey),
            sentAt: new Date(now),
            expiresAt: new Date(now + SMS_LIMITS.lifetime * 1000),
          })
          .returning({ id: smsCodes.id });
        return { id: row?.id ?? "", shared: before !== null };
      });
      if (shared) return { requestKey };
      try {
        await sink.send(mobile, code);
      } catch (error) {
        await db.delete(smsCodes).where(eq(smsCodes.id, id));
        if (error instanceof AppError) throw error;
        throw new AppError("server.unavailable", {
          message: "验证码发送失败，请重试",
          cause: withoutCode(error, code),
        });
      }
      return { requestKey };
    },

    async check({ mobile, smsCode, requestKey, address }) {
      const now = clock.now();
      const guess = await countGuess(db, mobile, address, now);
      const keyless = requestKey === undefined || requestKey === "";
      const failures = keyless ? smsCodes.keylessFailures : smsCodes.failures;
      const asked = db
        .select({ id: smsCodes.id })
        .from(smsCodes)
        .where(
          and(
            eq(smsCodes.mobile, mobile),
            keyless ? eq(smsCodes.address, address) : eq(smsCodes.requestHash, keyHash(requestKey)),
          ),
        )
        .orderBy(desc(smsCodes.sentAt), desc(smsCodes.id))
        .limit(1);
      const counted = (by: 1 | -1) => ({
        [keyless ? "keylessFailures" : "failures"]: sql`${failures} + ${by}::int`,
      });
      // Count the attempt before comparing, so that parallel guesses cannot pass the limit.
      const [row] = await db
        .update(smsCodes)
        .set(counted(1))
        .where(
          and(
            eq(smsCodes.id, asked),
            isNull(smsCodes.usedAt),
            gt(smsCodes.expiresAt, new Date(now)),
            lt(failures, SMS_LIMITS.failures),
          ),
        )
        .returning({ id: smsCodes.id, codeHash: smsCodes.codeHash });
      const given = Buffer.from(hashOf(mobile, smsCode));
      const stored = Buffer.from(row?.codeHash ?? hashOf(mobile, "nothing"));
      if (!timingSafeEqual(given, stored) || row === undefined) throw wrong();
      await forgive(db, guess);
      await db.update(smsCodes).set(counted(-1)).where(eq(smsCodes.id, row.id));
      return row.id;
    },

    async use(tx, id) {
      const [code] = await tx
        .select({ mobile: smsCodes.mobile, codeHash: smsCodes.codeHash })
        .from(smsCodes)
        .where(eq(smsCodes.id, id));
      if (code === undefined) throw wrong();
      // For everybody who shares it.
      const used = await tx
        .update(smsCodes)
        .set({ usedAt: new Date(clock.now()) })
        .where(
          and(
            eq(smsCodes.mobile, code.mobile),
            eq(smsCodes.codeHash, code.codeHash),
            isNull(smsCodes.usedAt),
          ),
        )
        .returning({ id: smsCodes.id });
      if (!used.some((row) => row.id === id)) throw wrong();
    },
  };
}

export function createSmsModule(codes: SmsCodes): ServerModule {
  return {
    name: "sms",
    routes(app) {
      openRoute(app, smsStateCall, () => ({ available: codes.available }));
      openRoute(app, sendSmsCall, async ({ body, c }) => {
        const { requestKey } = await codes.send(body.mobile, { address: c.var.client.key });
        return { expiresIn: SMS_LIMITS.lifetime, retryAfter: SMS_LIMITS.between, requestKey };
      });
    },
  };
}
