import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CONFR_REST, confrErrorSchema } from "../../../shared/protocol/rest/confr.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { type TestHost, until } from "../../host.harness.ts";
import { TICKET_TTL } from "../tickets/tickets.ts";
import { call, everything, join, meeting, rowOf, startHost, ticket } from "./host.harness.ts";
import type { FakeNode } from "./node.fake.ts";
import { createRoleTokens } from "./role-tokens.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";

const P = "easemob";
const op = OP;
let host: TestHost & { readonly node: FakeNode };
beforeAll(async () => {
  host = await startHost();
}, 60_000);
afterEach(() => host.reset());
afterAll(() => host.close());

type Wanted = readonly [method: string, path: string, body: Record<string, unknown>];
/** Every call of an admin, as the platform's SDK makes it: nothing but the role token says who calls. */
const calls = (roleToken: string, confrId?: string): readonly Wanted[] => {
  const named = confrId === undefined ? { roleToken } : { roleToken, confrId };
  return [
    ["POST", CONFR_REST.changeRoles(P), { ...named, uids: ["lina"], role: 7 }],
    ["POST", CONFR_REST.degrade(P), { roleToken, uids: ["lina"], role: 1 }],
    ["POST", CONFR_REST.kick(P), { ...named, uids: ["lina"] }],
    ["POST", CONFR_REST.disband(P), named],
    ["POST", CONFR_REST.attrs(P), { roleToken, cstate: { muteAll: true } }],
    ["POST", CONFR_REST.liveCfg(P), { ...named, liveCfg: {} }],
    ["POST", CONFR_REST.liveLayout(P), { ...named, liveId: "l", regions: [] }],
    ["DELETE", CONFR_REST.deleteLive(P), { ...named, liveId: "l" }],
  ];
};
const [ROLES, DEGRADE, KICK, DISBAND, ATTRS] = [0, 1, 2, 3, 4];
const LIVE = [5, 6, 7];

/** Makes one of the calls without a login. */
async function run(
  index: number,
  roleToken: string,
  more: Record<string, unknown> = {},
  confrId?: string,
) {
  const [method, path, body] = calls(roleToken, confrId)[index] ?? ["", "", {}];
  const answer = await call(host, null, path, { ...body, ...more }, { method });
  expect(answer.status).toBe(200);
  return confrErrorSchema.strict().parse(answer.body);
}

describe("The calls of admins", () => {
  it.each(["with", "without"])(
    "need the role token alone, %s the conference's id, and are announced inside",
    async (named) => {
      const { confrId, roleToken, admin, lina } = await meeting(host);
      const id = named === "with" ? confrId : undefined;
      expect(await run(ROLES, roleToken, {}, id)).toEqual({ error: 0 });
      const raised = await lina.waitForFrame({ op: op.role, role: 7 });
      expect(await admin.waitForFrame({ op: op.admins })).toMatchObject({
        memIds: ["zhangwei", "lina"],
      });
      // lina is an admin now, with her own token.
      const linasToken = String(raised["roleToken"]);
      const attrs = { cattrs: [{ key: "k", val: "v" }], cstate: { muteAll: true } };
      expect(await run(ATTRS, linasToken, attrs, id)).toEqual({ error: 0 });
      expect(await admin.waitForFrame({ op: op.attributes })).toMatchObject({
        cattrs: [{ key: "k", val: "v", op: "UPDATE" }],
        cstate: { muteAll: true },
      });
      expect(await run(DEGRADE, roleToken, { role: 3 })).toEqual({ error: 0 });
      await lina.waitForFrame({ op: op.role, role: 3 });
      // The token dies with the role.
      expect(await run(ATTRS, linasToken, attrs)).toMatchObject({ error: -405 });
      expect(await run(KICK, roleToken, {}, id)).toEqual({ error: 0 });
      expect(await lina.waitForFrame({ op: op.memberExited })).toMatchObject({ reason: 12 });
      expect(await lina.closed()).toBe(4403);
      const cattrs = [{ key: "k", val: "v" }];
      const kept = { roles: { lina: 3 }, cattrs, muteAll: true, muted: [] };
      await until("the persistent state is stored", async () =>
        isDeepStrictEqual((await rowOf(host, confrId))["state"], kept),
      );
      for (const index of LIVE) {
        const answer = await run(index, roleToken, {}, id);
        expect(answer).toMatchObject({ error: -405 });
        expect(answer.errorMessage).toMatch(/直播混流/);
      }
      expect(await run(DISBAND, roleToken, {}, id)).toEqual({ error: 0 });
      await admin.waitForFrame({ op: op.closeConference, reason: 11 });
      await until(
        "the end is stored",
        async () => (await rowOf(host, confrId))["end_reason"] === 11,
      );
      expect(await run(ATTRS, roleToken)).toMatchObject({ error: -506 });
    },
  );

  it("name members bare or with the app key, and the role as a number or as a text", async () => {
    const { roleToken, lina } = await meeting(host);
    const names = ["hyzh#console_lina", "hyzh#console_lina@easemob.com", "lina"];
    const roles = [7, "3", 7] as const;
    for (const [i, uid] of names.entries()) {
      const wanted = { uids: [uid], role: roles[i] };
      expect(await run(ROLES, roleToken, wanted), uid).toEqual({ error: 0 });
      await lina.waitForFrame({ op: op.role, role: Number(roles[i]) });
    }
    // A name with the app key of another application matches no member.
    const foreign = { uids: ["other#console_lina"], role: 3 };
    expect(await run(ROLES, roleToken, foreign)).toMatchObject({ error: -507 });
  });

  it("are refused once the login has ended, the token is twelve hours old, or the person has left the company", async () => {
    const { roleToken, made } = await meeting(host);
    const ownToken = made.roleToken ?? "";
    for (const token of [roleToken, ownToken])
      expect(await run(ATTRS, token)).toEqual({ error: 0 });
    host.directory.endSession("session-zhangwei");
    for (const token of [roleToken, ownToken]) {
      expect(await run(ATTRS, token)).toMatchObject({ error: -405 });
      expect(await run(DISBAND, token)).toMatchObject({ error: -405 });
    }
    host.directory.reset();
    expect(await run(ATTRS, ownToken)).toEqual({ error: 0 });
    host.directory.move("zhangwei", "1", "2");
    expect(await run(ATTRS, ownToken)).toMatchObject({ error: -405 });
    host.directory.move("zhangwei", "2", "1");
    expect(await run(ATTRS, ownToken)).toEqual({ error: 0 });
    host.clock.advance(TICKET_TTL * 1000);
    expect(await run(ATTRS, ownToken)).toMatchObject({ error: -405 });
  });

  it("on an empty conference are limited to ending it, by its creator", async () => {
    const made = await ticket(host, "zhangwei", {}, "1");
    const confrId = made.confrId ?? "";
    const roleToken = made.roleToken ?? "";
    for (const index of calls(roleToken).keys()) {
      if (index !== DISBAND) expect((await run(index, roleToken)).error).toBeLessThan(0);
    }
    expect(await run(DISBAND, roleToken)).toEqual({ error: 0 });
    expect((await join(host, made.ticket)).answer).toMatchObject({ result: -506 });
    await until("the end is stored", async () => (await rowOf(host, confrId))["end_reason"] === 11);
    expect(await run(DISBAND, roleToken)).toMatchObject({ error: -506 });
  });

  it("take the whole conference as its id, as the platform's SDK sends it to end one", async () => {
    const made = await ticket(host, "zhangwei", {}, "1");
    const other = await ticket(host, "zhangwei", {}, "1");
    const roleToken = made.roleToken ?? "";
    expect(await run(DISBAND, roleToken, { confrId: other })).toMatchObject({ error: -405 });
    expect(await run(DISBAND, roleToken, { confrId: {} })).toMatchObject({ error: -9527 });
    expect(await run(DISBAND, roleToken, { confrId: made })).toEqual({ error: 0 });
  });

  it("are slowed down for an account that sends too many, whatever its tokens", async () => {
    const { roleToken, made } = await meeting(host);
    const errors = new Set<string>();
    for (let i = 0; i < 70; i += 1) {
      const token = i % 2 === 0 ? roleToken : (made.roleToken ?? "");
      const answer = await run(ATTRS, token, { cstate: { muteAll: i % 2 === 0 } });
      errors.add(answer.errorMessage ?? "ok");
    }
    expect([...errors]).toEqual(["ok", "操作过于频繁，请稍后再试"]);
    host.clock.advance(1000);
    expect(await run(ATTRS, roleToken)).toEqual({ error: 0 });
  });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "role.enforced, admin.role-server, event.refused-server: The calls of admins are refused with any other token, and a refusal changes nothing":
    async () => {
      const { confrId, roleToken, admin, lina } = await meeting(host);
      const stranger = await meeting(host);
      const [body = "", tail = ""] = roleToken.split(".");
      const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<
        string,
        unknown
      >;
      const secret = host.deps.config.APP_SECRET;
      const zhangwei = { confrId, memName: "zhangwei", loginSession: "session-zhangwei" };
      const key = createHmac("sha256", secret).update("conference-role").digest();
      /** Signed with the right key: only what it says is wrong. */
      const signed = (change: Record<string, unknown>): string => {
        const text = Buffer.from(JSON.stringify({ ...claims, ...change })).toString("base64url");
        return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
      };
      const forged = Buffer.from(JSON.stringify({ ...claims, memName: "lina" })).toString(
        "base64url",
      );
      const frames = [admin.frames.length, lina.frames.length];
      const before = await everything(host);
      const wrong: Record<string, string> = {
        "of a speaker": lina.roleToken,
        "with other claims": `${forged}.${tail}`,
        "with another signature": createRoleTokens("y".repeat(40), host.clock).sign({
          ...zhangwei,
          role: 7,
        }),
        "that is damaged": `${roleToken}x`,
        "that is none": "x",
        "that is a login token": "token-zhangwei",
        "that has expired": signed({ exp: host.clock.now() / 1000 - 1 }),
        "that was signed for a speaker as an admin": signed({
          memName: "lina",
          sid: "session-lina",
        }),
        "of another's login": signed({ sid: "session-lina" }),
        "of an unknown login": signed({ sid: "session-nobody" }),
        "of a conference that does not exist": signed({ confrId: "200000000" }),
        "of somebody of another company": signed({ memName: "wangfang", sid: "session-wangfang" }),
      };
      for (const [what, token] of Object.entries(wrong)) {
        for (const [method, path, request] of calls(token)) {
          const answer = await call(host, null, path, request, { method });
          expect(answer, `${path} with a token ${what}`).toMatchObject({
            status: 200,
            body: { error: -405 },
          });
          // Another's login adds nothing.
          const own = await call(host, "zhangwei", path, request, { method });
          expect(own.body.error, `${path} with a token ${what} and a login`).toBe(-405);
        }
        host.clock.advance(10_000);
      }
      // A right token opens its own conference alone.
      for (const index of calls(roleToken).keys()) {
        const foreign = { confrId: stranger.confrId };
        expect(await run(index, roleToken, foreign)).toMatchObject({ error: -405 });
      }
      // An invalid request is answered with an error and changes nothing.
      for (const [method, path, request] of calls(roleToken, confrId)) {
        for (const odd of [
          { ...request, roleToken: undefined },
          { ...request, roleToken: 1 },
          [],
          "{",
        ]) {
          const answer = await call(host, null, path, odd, { method });
          expect(answer.body.error, `${path} ${JSON.stringify(odd)}`).toBe(-9527);
        }
      }
      expect([admin.frames.length, lina.frames.length]).toEqual(frames);
      expect(await everything(host)).toEqual(before);
      expect(await run(ATTRS, signed({}))).toEqual({ error: 0 });
    },
});
