/**
 * How many codes are sent, and how many wrong ones are compared (docs/server.md#sms). What a person did limits that person: by address
 * first. A mobile number has no total that a stranger could use up for its owner.
 */
import { and, count, desc, eq, gt, isNull, lt, max, min, type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { AppError } from "../../../shared/errors.ts";
import { smsCodes, smsGuesses } from "../../base/database/schema/registration.ts";

export const SMS_LIMITS = {
  /** Seconds for which a code is valid. */
  lifetime: 300,
  /** Seconds between two codes that one address asks for one mobile number. */
  between: 60,
  /** Codes that one address gets for one mobile number within 24 hours. */
  perPair: 10,
  /** Codes that one address gets within 24 hours. */
  perAddress: 50,
  /** Codes that the invitations of one company send within 24 hours. */
  perCompany: 500,
  /** SMS to one mobile number within an hour that come as fast as `between` allows; after them they come every `slow` seconds. */
  fast: 5,
  /** Seconds; shorter than a code lives, so that the number always has a code to give. */
  slow: 240,
  /** Wrong guesses after which a code is dead for the request that guessed. */
  failures: 5,
  /** Wrong codes that one address may send for one mobile number, and for all together, within 24 hours. */
  guessesPerPair: 20,
  guessesPerAddress: 100,
} as const;
/** Limits of SMS with invitations. */
export const INVITE_SMS = {
  /** SMS with invitations that a company sends within 24 hours. */
  perCompany: 200,
  /** Those that one mobile number gets from all companies within 24 hours. */
  perNumber: 5,
  /** Seconds between two of one invitation. */
  between: 60,
} as const;
export const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;

export type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

/** Who asks for a code, or sends one. */
export interface Asker {
  /** The client's key by which limits count. */
  readonly address: string;
  /** Whose invitation it is for. */
  readonly companyId?: string;
}

type Words = readonly [zh: string, en: string];
const OFTEN: Words = [
  "验证码发送过于频繁，请稍后再试",
  "Codes were asked for too often, try again later",
];
const COMPANY: Words = [
  "企业今日发送的验证码已达上限，请联系企业",
  "The company has sent as many codes as it may today, ask it",
];
const WRONG: Words = ["验证码错误次数过多，请稍后再试", "Too many wrong codes, try again later"];

const tooOften = ([message, en]: Words, until: number, now: number): AppError =>
  new AppError("request.rate-limited", {
    message,
    details: { retryAfter: Math.max(1, Math.ceil((until - now) / 1000)), en },
  });

/** @throws AppError request.rate-limited with details.retryAfter (s), by nothing but what the asker and the company have sent */
export async function admitAsker(
  tx: Transaction,
  mobile: string,
  { address, companyId }: Asker,
  now: number,
): Promise<void> {
  const seen = async (who: SQL | undefined) => {
    const [row] = await tx
      .select({ n: count(), last: max(smsCodes.sentAt), first: min(smsCodes.sentAt) })
      .from(smsCodes)
      .where(and(who, gt(smsCodes.sentAt, new Date(now - DAY_MS))));
    return { n: row?.n ?? 0, last: row?.last?.getTime() ?? 0, first: row?.first?.getTime() ?? 0 };
  };
  const pair = await seen(and(eq(smsCodes.mobile, mobile), eq(smsCodes.address, address)));
  const next = pair.last + SMS_LIMITS.between * 1000;
  if (pair.n > 0 && next > now) throw tooOften(OFTEN, next, now);
  if (pair.n >= SMS_LIMITS.perPair) throw tooOften(OFTEN, pair.first + DAY_MS, now);
  const all = await seen(eq(smsCodes.address, address));
  if (all.n >= SMS_LIMITS.perAddress) throw tooOften(OFTEN, all.first + DAY_MS, now);
  if (companyId === undefined) return;
  const ofCompany = await seen(and(eq(smsCodes.companyId, companyId), eq(smsCodes.shared, false)));
  if (ofCompany.n >= SMS_LIMITS.perCompany) {
    throw tooOften(COMPANY, ofCompany.first + DAY_MS, now);
  }
}

/**
 * The code that the number got a moment ago, which a further request shares instead of a further SMS. So strangers who ask for a
 * number neither flood its owner nor keep the owner from a code.
 *
 * @returns null when an SMS may be sent; a code that was used asks for the next one
 */
export async function codeToShare(
  tx: Transaction,
  mobile: string,
  now: number,
): Promise<string | null> {
  const sent = and(eq(smsCodes.mobile, mobile), eq(smsCodes.shared, false));
  const [newest] = await tx
    .select({ codeHash: smsCodes.codeHash, sentAt: smsCodes.sentAt, usedAt: smsCodes.usedAt })
    .from(smsCodes)
    .where(sent)
    .orderBy(desc(smsCodes.sentAt), desc(smsCodes.id))
    .limit(1);
  if (newest === undefined || newest.usedAt !== null) return null;
  const [hour] = await tx
    .select({ n: count() })
    .from(smsCodes)
    .where(and(sent, isNull(smsCodes.usedAt), gt(smsCodes.sentAt, new Date(now - HOUR_MS))));
  const pause = (hour?.n ?? 0) >= SMS_LIMITS.fast ? SMS_LIMITS.slow : SMS_LIMITS.between;
  return newest.sentAt.getTime() + pause * 1000 > now ? newest.codeHash : null;
}

/**
 * Counts a guess before it is compared, so that parallel guesses cannot pass the limit.
 *
 * @returns the id of the guess, for `forgive`
 * @throws AppError request.rate-limited after too many wrong codes from the address
 */
export async function countGuess(
  db: NodePgDatabase,
  mobile: string,
  address: string,
  now: number,
): Promise<string> {
  await db.delete(smsGuesses).where(lt(smsGuesses.guessedAt, new Date(now - DAY_MS)));
  const [guess] = await db
    .insert(smsGuesses)
    .values({ mobile, address, guessedAt: new Date(now) })
    .returning({ id: smsGuesses.id });
  const [seen] = await db
    .select({
      all: count(),
      pair: sql<number>`(count(*) FILTER (WHERE ${smsGuesses.mobile} = ${mobile}))::int`,
      first: min(smsGuesses.guessedAt),
    })
    .from(smsGuesses)
    .where(eq(smsGuesses.address, address));
  const { all, pair, first } = seen ?? { all: 0, pair: 0, first: null };
  const id = guess?.id ?? "";
  if (pair > SMS_LIMITS.guessesPerPair || all > SMS_LIMITS.guessesPerAddress) {
    // What is refused is not kept, so that nobody fills the table.
    await forgive(db, id);
    throw tooOften(WRONG, (first?.getTime() ?? now) + DAY_MS, now);
  }
  return id;
}

/** A right code is no failure. */
export const forgive = (db: NodePgDatabase, guessId: string) =>
  db.delete(smsGuesses).where(eq(smsGuesses.id, guessId));
