/**
 * Makes every call with inputs generated from its schemas and with mutations of them, as a caller with permission. No request
 * may end in a 500, no answer may reveal internals, and a refused request must change nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { type Cast, ID_FIELD, type Input, inputOf, populate, startCast, thingsOf } from "./cast.ts";
import { type Json, mutate, pick, seededRandom } from "../../src/shared/mutate.harness.ts";
import { repeated, seedOf } from "../support/seed.ts";

const CALLS: readonly RestCall[] = Object.values(restCalls);
const GENERATED = repeated(40, 120);
const MUTATED = repeated(15, 90);
const INSIDE =
  /node_modules|\.ts:\d+|\n\s+at |postgres|drizzle|sqlstate|syntax error|argon2|select |insert into|violates|console_tenant/i;

/** Calls whose valid inputs cannot be generated from the schema alone, and why. */
const UNREACHED: Readonly<Record<string, string>> = {
  "groupCall.start": "the people must be colleagues of the caller",
  "groupCall.invite": "needs a group call that goes on",
  "avatars.read": "needs the name of a picture that somebody has",
  "avatars.set": "the file is a text, and pictures alone are taken",
  "licences.send": "the file is a text, and pictures alone are taken",
  "licences.read": "needs an application with a picture",
  "alertSilences.create": "the end must lie within the next 30 days",
  "demo.remove": "the body must repeat the name of the company",
  "push.subscribe": "the address must be one of a known push service",
  "registration.create": "needs the code of an SMS; a wrong code is reported as a wrong field",
  "twoFactor.confirm": "needs the code of an authenticator",
  "twoFactor.recovery": "needs the code of an authenticator",
  "twoFactor.end": "needs the code of an authenticator",
  "twoFactor.reset": "needs an employee who has a second factor",
};

/** Refusals that write all the same, with the reason. */
const WRITING_REFUSALS: Readonly<Record<string, string>> = {
  "im.groupUserAdd": "409: the person is invited and no member before they consent",
};

describe("Schema-driven fuzzing", () => {
  let cast: Cast;
  let things: string[];

  /**
   * Counts written rows. Attempts of an SMS code or a password are not counted, because a refusal writes them, nor what the server writes by
   * itself: figures, alerts, and tasks, which run when the clock goes on. Rolled-back writes and statements that touch no row do not count.
   */
  async function watchWrites(): Promise<void> {
    const { pool } = cast.platform.platform.database;
    const { rows } = await pool.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'sms%' AND table_name NOT LIKE 'fleet_rollups%' AND table_name NOT IN ('sign_ins', 'failed_guesses', 'tasks', 'task_runs', 'alerts', 'alert_processes')",
    );
    await pool.query(`
      CREATE TABLE fuzz_writes (n bigint NOT NULL);
      INSERT INTO fuzz_writes VALUES (0);
      CREATE FUNCTION fuzz_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN UPDATE fuzz_writes SET n = n + 1; RETURN NULL; END $$;`);
    for (const { name } of rows) {
      await pool.query(
        `CREATE TRIGGER fuzz AFTER INSERT OR UPDATE OR DELETE ON "${name}" FOR EACH ROW EXECUTE FUNCTION fuzz_write()`,
      );
    }
  }
  async function writes(): Promise<string> {
    const { rows } = await cast.platform.platform.database.pool.query<{ n: string }>(
      "SELECT n FROM fuzz_writes",
    );
    return rows[0]?.n ?? "";
  }

  beforeAll(async () => {
    cast = await startCast();
    await populate(cast, CALLS, "company admin", seededRandom(41));
    // A required own field has a key of chance, so no generated employee has a value for it.
    await cast.platform.platform.database.pool.query("UPDATE company_fields SET required = false");
    await cast.renew();
    things = await thingsOf(cast, cast.a);
    await watchWrites();
  }, 180_000);
  afterAll(() => cast.close());

  // Calls that delete come last, so that the others find something.
  const order = [...CALLS].sort(
    (x, y) => Number(x.method === "DELETE") - Number(y.method === "DELETE"),
  );

  it.each(order.map((call) => [call.id, call] as const))(
    "finds no fault in %s",
    async (id, call) => {
      const random = seededRandom(
        seedOf([...id].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 2 ** 31, 7)),
      );
      const known = (field: string): Json | undefined =>
        ID_FIELD.test(field) && random() < 0.6 ? pick(random, things) : undefined;
      const statuses = new Map<number, number>();
      const wrong: string[] = [];
      let reached = 0;
      let before = await writes();

      const one = async (what: string, input: Input, raw?: string): Promise<void> => {
        const { status, text } = await cast.ask(
          call,
          input,
          "company admin",
          raw === undefined ? {} : { raw },
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const seen = `${what} ${JSON.stringify(input).slice(0, 300)} ${raw?.slice(0, 100) ?? ""} -> ${status} ${text.slice(0, 200)}`;
        if (status >= 500) wrong.push(`no clear answer: ${seen}`);
        // A requested file may contain any text.
        if (
          (status >= 400 || call.file !== true) &&
          INSIDE.test(text) &&
          !INSIDE.test(JSON.stringify(input) + (raw ?? ""))
        ) {
          wrong.push(`tells of the inside: ${seen}`);
        }
        if (!text.includes('"error":"request.invalid"')) reached += 1;
        const after = await writes();
        const mayWrite = WRITING_REFUSALS[id]?.startsWith(`${status}:`) === true;
        if (status >= 400 && after !== before && !mayWrite)
          wrong.push(`refused, and yet something was written: ${seen}`);
        before = after;
        if (status === 429) {
          cast.platform.clock.advance(3_600_000);
          // A generated call may have changed the caller's password, or disabled an account. All accounts began with the same.
          await cast.platform.platform.database.pool.query(
            `UPDATE accounts SET disabled_at = NULL,
              password_hash = (SELECT password_hash FROM accounts WHERE username = 'lina')`,
          );
          await cast.renew();
          before = await writes();
        } else if (call.path.endsWith("/logout") && status === 200) {
          // Revive the session. A new login would cost a password hash each time.
          await cast.platform.platform.database.pool.query("UPDATE sessions SET revoked_at = NULL");
          before = await writes();
        }
      };

      for (let i = 0; i < GENERATED; i += 1) await one("generated", inputOf(call, random, known));
      const fromSchema = reached;
      for (let i = 0; i < MUTATED; i += 1) {
        const input = inputOf(call, random, known);
        const place = pick(random, ["params", "query", "body", "body"] as const);
        const text = mutate(random, input[place] ?? {});
        if (place === "body") {
          await one("mutated", input, text);
        } else {
          let value: Json = text;
          try {
            value = JSON.parse(text);
          } catch {
            // The text itself becomes the value of the first field.
          }
          const fields =
            typeof value === "object" && value !== null && !Array.isArray(value)
              ? (value as Record<string, Json>)
              : { [Object.keys(input[place] ?? {})[0] ?? "x"]: value };
          await one("mutated", { ...input, [place]: short(fields) });
        }
      }
      expect(wrong.slice(0, 5)).toEqual([]);
      const total = [...statuses.values()].reduce((sum, n) => sum + n, 0);
      expect(total).toBeGreaterThanOrEqual(GENERATED + MUTATED);
      // The caller has permission, so a refusal concerns a single thing, not the call.
      const barred = (statuses.get(401) ?? 0) + (statuses.get(403) ?? 0);
      if (call.auth === "bearer")
        expect(barred, JSON.stringify([...statuses])).toBeLessThan(total - 10);
      // If no input is accepted, the test proves nothing.
      if (UNREACHED[id] === undefined)
        expect(fromSchema, JSON.stringify([...statuses])).toBeGreaterThan(0);
    },
    60_000,
  );
});

/** Shortens fields so that they fit into the head of a request. */
function short(fields: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      return [key.slice(0, 100), text.slice(0, 2000)];
    }),
  );
}
