/**
 * Who may make which call: a table written by hand is tested against every call and every kind of caller. The ids of another company are in
 * foreign-things.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RestCall, restCalls } from "../../src/shared/protocol/rest/index.ts";
import { CALLERS, type Caller, type Cast, startCast } from "./cast.ts";
import { readMatrix } from "./matrix.ts";

const MATRIX = readMatrix();
const CALLS: readonly RestCall[] = Object.values(restCalls);
const BEARER = CALLS.filter((call) => call.auth === "bearer");

/** The result that the table requires for a caller. */
function expected(call: RestCall, caller: Caller): "answered" | 401 | 403 {
  if (call.auth !== "bearer") return "answered";
  // An offline logout reaches the server late and must still end its session.
  if (caller === "expired token" && call === restCalls.logout) return "answered";
  if (caller === "no token" || caller === "expired token") return 401;
  // The caller names company A in the header without being a member of it.
  if (caller === "another company's admin") return 403;
  const columns: readonly Caller[] = ["guest", "staff", "company admin", "operations"];
  // Permissions in another company do not count here.
  const column = columns.indexOf(caller === "staff here, admin elsewhere" ? "staff" : caller);
  return MATRIX[call.id]?.[column] === "+" ? "answered" : 403;
}

describe("The authorisation matrix", () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await startCast();
  }, 60_000);
  afterAll(() => cast.close());

  it("has a row for every call with a token, and no row for a missing call", () => {
    const ids = BEARER.map((call) => call.id);
    expect(Object.keys(MATRIX).sort()).toEqual(ids.sort());
    for (const row of Object.values(MATRIX)) expect(row).toMatch(/^[+-]{4}$/);
  });

  it("Every call declares its access", () => {
    expect(BEARER.filter((call) => call.access === undefined).map((call) => call.id)).toEqual([]);
  });

  it.each(CALLERS)("The calls answer this caller as the matrix says: %s", async (caller) => {
    const wrong: string[] = [];
    for (const call of CALLS) {
      const want = expected(call, caller);
      // The input is empty, so that an answer changes as little as possible. Access is checked before the input.
      const { status, text } = await cast.ask(call, {}, caller, { company: cast.a });
      const got = status === 401 || status === 403 ? status : "answered";
      const refusal = status === 401 ? "auth." : "auth.forbidden";
      const refused = want === "answered" || text.includes(`"error":"${refusal}`);
      if (
        call.auth === "bearer"
          ? got !== want || !refused
          : /auth\.(required|expired|forbidden)/.test(text)
      ) {
        wrong.push(`${call.id}: ${status} ${text.slice(0, 120)}, expected ${want}`);
      }
      if (status >= 500) wrong.push(`${call.id}: ${status}`);
      if (call.path.endsWith("/logout")) await cast.renew();
    }
    expect(wrong).toEqual([]);
  });

  it("An administrator of one company has in another company only the permissions of its staff, and vice versa", async () => {
    const asked: string[] = [];
    for (const call of BEARER) {
      const [, staff, admin] = MATRIX[call.id] ?? "";
      if (staff !== "-" || admin !== "+") continue;
      asked.push(call.id);
      const caller = "staff here, admin elsewhere";
      const here = await cast.ask(call, {}, caller, { company: cast.a });
      const there = await cast.ask(call, {}, caller, { company: cast.b });
      expect([call.id, here.status, there.status === 403]).toEqual([call.id, 403, false]);
    }
    expect(asked.length).toBeGreaterThan(30);
    const info = async (company: string | null) =>
      JSON.parse(
        (await cast.ask(restCalls.account, {}, "staff here, admin elsewhere", { company })).text,
      ) as { data: { permissions: string[] } };
    expect((await info(cast.a)).data.permissions).toEqual([]);
    expect((await info(cast.b)).data.permissions).toEqual(["*:*:*"]);
    expect((await info(null)).data.permissions).toEqual([]);
  });

  it("Colleagues are shown to those with a role in the requested company, whatever the header says", async () => {
    const list = (caller: Caller, supplierId: string, company: string | null) =>
      cast.ask(restCalls.employees, { query: { supplierId } }, caller, { company });
    expect((await list("guest", cast.a, cast.a)).status).toBe(403);
    expect((await list("guest", cast.a, null)).status).toBe(403);
    expect((await list("staff", cast.a, null)).status).toBe(200);
    expect((await list("staff", cast.b, cast.a)).status).toBe(403);
  });

  it("Calls about a company are refused without its header", async () => {
    const needing = BEARER.filter(
      (call) => call.access?.company === "required" || call.access?.permissions !== undefined,
    );
    expect(needing.length).toBeGreaterThan(5);
    for (const call of needing) {
      const { status, text } = await cast.ask(call, {}, "company admin", { company: null });
      expect([call.id, status, text.includes("supplier-id")]).toEqual([call.id, 400, true]);
    }
  });
});
