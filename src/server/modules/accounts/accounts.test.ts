import { describe, expect, it } from "vitest";
import { DEMO_PASSWORD } from "../../base/database/seed.ts";
import {
  accountInfoSchema,
  restCalls,
  type TokenGrant,
} from "../../../shared/protocol/rest/index.ts";
import { covers } from "../../covers.harness.ts";
import { platformForTests } from "../../asking.harness.ts";
import { basic } from "../../platform.harness.ts";
import { ADDRESS_FREE, PAIR_FREE } from "../../base/http/login-guard.ts";

const { host } = platformForTests([], {
  env: { ACCESS_TOKEN_TTL: "60", REFRESH_TOKEN_TTL: "600", TRUSTED_PROXIES: "127.0.0.1" },
});

const account = (token?: string) =>
  host.ask("GET", "/uaa/api/account?systemName=x", token === undefined ? {} : { token });
const minutes = (n: number): void => host.clock.advance(n * 60_000);
const ATTACKER = "198.51.100.1";
const OWNER = "198.51.100.2";
const OFFICE = "198.51.100.3";
/** A login from an address that a trusted proxy reports. */
const from = (address: string, username: string, password = DEMO_PASSWORD) =>
  host.ask("POST", "/uaa/login/username", {
    form: { username, password, grant_type: "password" },
    headers: { authorization: basic("sec-web-company-admin"), "x-forwarded-for": address },
  });

describe("Login", () => {
  it(
    covers(restCalls.login, "success", "a token pair with its times, mirrored in the cookies"),
    async () => {
      const answer = await host.tryLogin(" ZhangWei ");
      expect(answer.status).toBe(200);
      const grant = answer.body.data as TokenGrant;
      expect(grant).toMatchObject({ iat: Math.floor(host.clock.now() / 1000), expires_in: 60 });
      const cookies = answer.headers.getSetCookie();
      expect(cookies).toEqual([
        `ACCESS_TOKEN=${grant.access_token}; Max-Age=60; Path=/; HttpOnly; SameSite=Strict`,
        `expires_in=${grant.iat + 60}; Max-Age=60; Path=/; SameSite=Strict`,
      ]);
      expect((await account(grant.access_token)).body.data).toMatchObject({ nickname: "张伟" });
    },
  );

  it.each([
    ["zhangwei", "wrong"],
    ["nobody", DEMO_PASSWORD],
  ])("refuses %s with %s by the same answer", async (username, password) => {
    const answer = await host.tryLogin(username, password);
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 1, msg: "用户名或密码错误", error: "auth.invalid-credentials" },
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it(covers(restCalls.login, "refused", "unknown client credentials"), async () => {
    const form = { username: "lina", password: DEMO_PASSWORD, grant_type: "password" };
    for (const authorization of ["", "Basic eDp5", "Bearer x"]) {
      const answer = await host.ask("POST", "/uaa/login/username", {
        form,
        headers: { authorization },
      });
      expect(answer.body.error).toBe("auth.invalid-client");
    }
  });

  it("slows down a name at one address only, and by at most 20 s", async () => {
    for (let i = 0; i < PAIR_FREE; i++) {
      expect((await from(ATTACKER, "wangfang", "bad")).body.error).toBe("auth.invalid-credentials");
    }
    let refused = 0;
    let waited = 0;
    for (let i = 0; i < 95; i++) {
      const answer = await from(ATTACKER, "WangFang", "bad");
      if (answer.body.error !== "auth.locked") continue;
      refused += 1;
      expect(answer.status).toBe(429);
      waited = Math.max(waited, Number(answer.headers.get("retry-after")));
      // Attempts that respect the wait make the next wait longer.
      if (i % 5 === 0) host.clock.advance(waited * 1000);
    }
    expect(refused).toBeGreaterThan(70);
    expect(waited).toBe(20);
    // The owner at another address, and other people at the same address, can log in.
    expect((await from(OWNER, "wangfang")).status).toBe(200);
    expect((await from(ATTACKER, "lina")).status).toBe(200);
    // The owner at the attacker's address must wait.
    expect((await from(ATTACKER, "wangfang")).body.error).toBe("auth.locked");
    host.clock.advance(20_000);
    expect((await from(ATTACKER, "wangfang")).status).toBe(200);
  });

  it("slows down an address after fifty failures over many names, but not a pair that logged in there before", async () => {
    expect((await from(OFFICE, "lina")).status).toBe(200);
    for (let i = 0; i < ADDRESS_FREE; i++) {
      expect((await from(OFFICE, `name${i}`, "bad")).body.error).toBe("auth.invalid-credentials");
    }
    const slowed = await from(OFFICE, "zhangwei");
    expect([slowed.status, slowed.body.error]).toEqual([429, "auth.locked"]);
    expect(Number(slowed.headers.get("retry-after"))).toBe(1);
    expect((await from(OFFICE, "lina")).status).toBe(200);
    expect((await from(OWNER, "zhangwei")).status).toBe(200);
    host.clock.advance(1000);
    expect((await from(OFFICE, "zhangwei")).status).toBe(200);
  });
});

describe("Access tokens", () => {
  it("are refused when missing, foreign, of the other kind, or altered", async () => {
    const grant = await host.login("lina");
    const altered = grant.access_token.replace(/.$/, (c) => (c === "A" ? "Q" : "A"));
    const [head, payload] = grant.access_token.split(".");
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
    for (const token of [
      undefined,
      "x",
      grant.refresh_token,
      altered,
      unsigned,
      `${head}.${payload}`,
    ]) {
      const answer = await account(token);
      expect([answer.status, answer.body.error], token).toEqual([401, "auth.required"]);
    }
  });

  it("expire", async () => {
    const { access_token: token } = await host.login("lina");
    host.clock.advance(59_000);
    expect((await account(token)).status).toBe(200);
    host.clock.advance(2_000);
    expect((await account(token)).body.error).toBe("auth.expired");
  });

  it("are never read from the cookie", async () => {
    const { access_token: token } = await host.login("lina");
    const answer = await host.ask("GET", "/uaa/api/account", {
      headers: { cookie: `ACCESS_TOKEN=${token}` },
    });
    expect(answer.body.error).toBe("auth.required");
  });
});

describe("Refresh", () => {
  it(covers(restCalls.refresh, "success", "the old token is used up"), async () => {
    const first = await host.login("lina");
    const second = (await host.refresh(first.refresh_token)).body.data as TokenGrant;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await account(second.access_token)).status).toBe(200);
    const third = await host.refresh(second.refresh_token);
    expect(third.status).toBe(200);
  });

  it("A reused old refresh token ends the whole session and notifies the listeners", async () => {
    const ended: string[] = [];
    const stop = host.platform.directory.onAccessEnd((end) => {
      if (end.of === "login") ended.push(end.accountId);
    });
    const first = await host.login("lina");
    const other = await host.login("lina");
    const second = (await host.refresh(first.refresh_token)).body.data as TokenGrant;
    host.clock.advance(150_001);
    const again = await host.refresh(first.refresh_token);
    expect([again.status, again.body.error]).toEqual([401, "auth.refresh-refused"]);
    expect((await account(second.access_token)).body.error).toBe("auth.expired");
    expect((await host.refresh(second.refresh_token)).body.error).toBe("auth.refresh-refused");
    expect((await host.refresh(other.refresh_token)).status).toBe(200);
    expect(ended).toEqual(["3"]);
    stop();
  });

  it("The token just used is answered again during a grace time with the same successor, because the first answer may be lost", async () => {
    const first = await host.login("lina");
    const lost = (await host.refresh(first.refresh_token)).body.data as TokenGrant;
    // The console gives up after 120 s and asks again.
    host.clock.advance(149_000);
    const again = (await host.refresh(first.refresh_token)).body.data as TokenGrant;
    expect(again.refresh_token).toBe(lost.refresh_token);
    expect(again.iat).toBe(Math.floor(host.clock.now() / 1000));
    expect((await account(again.access_token)).status).toBe(200);
    expect((await host.refresh(again.refresh_token)).status).toBe(200);
  });

  it("Using the grace time does not extend it", async () => {
    const { refresh_token: token } = await host.login("lina");
    await host.refresh(token);
    host.clock.advance(140_000);
    expect((await host.refresh(token)).status).toBe(200);
    host.clock.advance(11_000);
    expect((await host.refresh(token)).body.error).toBe("auth.refresh-refused");
  });

  it("A token older than the one just used ends the session, even within the grace time", async () => {
    const first = await host.login("lina");
    const second = (await host.refresh(first.refresh_token)).body.data as TokenGrant;
    const third = (await host.refresh(second.refresh_token)).body.data as TokenGrant;
    expect((await host.refresh(first.refresh_token)).body.error).toBe("auth.refresh-refused");
    expect((await account(third.access_token)).body.error).toBe("auth.expired");
    expect((await host.refresh(second.refresh_token)).body.error).toBe("auth.refresh-refused");
  });

  it("Two simultaneous refreshes get the same successor", async () => {
    const { refresh_token: token } = await host.login("lina");
    const answers = await Promise.all([host.refresh(token), host.refresh(token)]);
    expect(answers.map((a) => a.status)).toEqual([200, 200]);
    const [one, two] = answers.map((a) => (a.body.data as TokenGrant).refresh_token);
    expect(one).toBe(two);
  });

  it(
    covers(restCalls.refresh, "refused", "expired tokens, access tokens and rubbish"),
    async () => {
      const grant = await host.login("lina");
      for (const token of ["rubbish", grant.access_token]) {
        expect((await host.refresh(token)).body.error).toBe("auth.refresh-refused");
      }
      expect((await account(grant.access_token)).status).toBe(200);
      minutes(11);
      expect((await host.refresh(grant.refresh_token)).body.error).toBe("auth.refresh-refused");
    },
  );
});

it(
  covers(restCalls.logout, "success", "ends the session, its tokens and its cookies"),
  async () => {
    const grant = await host.login("lina");
    const answer = await host.ask("POST", "/uaa/logout", { token: grant.access_token });
    expect([answer.status, answer.body.code]).toEqual([200, 0]);
    expect(answer.headers.getSetCookie()).toEqual([
      "ACCESS_TOKEN=; Max-Age=0; Path=/",
      "expires_in=; Max-Age=0; Path=/",
      "supplier_id=; Max-Age=0; Path=/",
    ]);
    expect((await account(grant.access_token)).body.error).toBe("auth.expired");
    expect((await host.refresh(grant.refresh_token)).body.error).toBe("auth.refresh-refused");
  },
);

describe("A late logout", () => {
  const logout = (token: string, cookie?: string) =>
    host.ask("POST", "/uaa/logout", {
      token,
      ...(cookie === undefined ? {} : { headers: { cookie: `ACCESS_TOKEN=${cookie}` } }),
    });

  it("ends its session even if its token has expired", async () => {
    const grant = await host.login("lina");
    minutes(2);
    expect((await account(grant.access_token)).body.error).toBe("auth.expired");
    expect((await logout(grant.access_token)).status).toBe(200);
    expect((await host.refresh(grant.refresh_token)).body.error).toBe("auth.refresh-refused");
    // The first late logout has ended the session.
    expect((await logout(grant.access_token)).body.error).toBe("auth.expired");
    expect((await logout("rubbish")).body.error).toBe("auth.required");
    expect((await logout(grant.refresh_token)).body.error).toBe("auth.required");
  });

  it("leaves the cookies of the next person unchanged", async () => {
    const former = await host.login("lina");
    const next = await host.login("zhangwei");
    const late = await logout(former.access_token, next.access_token);
    expect([late.status, late.headers.getSetCookie()]).toEqual([200, []]);
    const own = await logout(next.access_token, next.access_token);
    expect(own.headers.getSetCookie()).toHaveLength(3);
  });
});

it("Cookies are Secure for a page that was loaded over TLS, whatever the proxy", async () => {
  const form = { username: "lina", password: DEMO_PASSWORD, grant_type: "password" };
  const cookies = async (headers: Record<string, string>): Promise<string[]> =>
    (
      await host.ask("POST", "/uaa/login/username", {
        form,
        headers: { authorization: basic("sec-web-company-admin"), ...headers },
      })
    ).headers.getSetCookie();
  for (const cookie of await cookies({ origin: "https://console.example" })) {
    expect(cookie).toMatch(/; Secure(;|$)/);
  }
  for (const cookie of await cookies({ origin: "http://console.example" })) {
    expect(cookie).not.toContain("Secure");
  }
});

describe("The account", () => {
  const info = async (username: string) =>
    accountInfoSchema.parse((await account((await host.login(username)).access_token)).body.data);

  it(covers(restCalls.account, "success", "roles by company"), async () => {
    const zhangwei = await info("zhangwei");
    expect(zhangwei.roles.map((r) => [r.supplierId, r.roleCode])).toEqual([
      ["1", "staff"],
      ["2", "staff"],
    ]);
    expect(zhangwei.permissions).toEqual([]);
    // Permissions belong to a company: without its header there are none.
    expect((await info("admin")).permissions).toEqual([]);
    const { access_token: token } = await host.login("admin");
    const here = await host.ask("GET", "/uaa/api/account", { token, supplierId: "1" });
    expect(accountInfoSchema.parse(here.body.data).permissions).toEqual(["*:*:*"]);
  });

  it("of a guest has no role", async () => {
    expect((await info("guest")).roles).toEqual([]);
  });
});

describe("Invalid input", () => {
  const fieldsOf = (answer: {
    status: number;
    body: { error?: string | undefined; details?: object };
  }) => [
    answer.status,
    answer.body.error,
    Object.keys((answer.body.details as { fields?: object } | undefined)?.fields ?? {}).sort(),
  ];
  const headers = { authorization: basic("sec-web-company-admin") };

  it(covers([restCalls.login, restCalls.refresh], "invalid"), async () => {
    const login = await host.ask("POST", restCalls.login.path, {
      form: { username: " " },
      headers,
    });
    expect(fieldsOf(login)).toEqual([
      400,
      "request.invalid",
      ["grant_type", "password", "username"],
    ]);
    const form = { refresh_token: "", grant_type: "password" };
    const refresh = await host.ask("POST", restCalls.refresh.path, { form, headers });
    expect(fieldsOf(refresh)).toEqual([400, "request.invalid", ["grant_type", "refresh_token"]]);
  });

  it(covers(restCalls.account, "invalid"), async () => {
    const { access_token: token } = await host.login("lina");
    const path = `${restCalls.account.path}?systemName=${"x".repeat(65)}`;
    expect(fieldsOf(await host.ask("GET", path, { token }))).toEqual([
      400,
      "request.invalid",
      ["systemName"],
    ]);
  });

  it(covers([restCalls.logout, restCalls.account], "refused"), async () => {
    for (const { method, path } of [restCalls.logout, restCalls.account]) {
      expect((await host.ask(method, path)).body.error).toBe("auth.required");
      expect((await host.ask(method, path, { token: "x.y.z" })).status).toBe(401);
    }
    const { access_token: token } = await host.login("lina");
    const foreign = await host.ask("GET", restCalls.account.path, { token, supplierId: "2" });
    expect([foreign.status, foreign.body.error]).toEqual([403, "auth.forbidden"]);
  });
});

describe("The directory", () => {
  it("lets people of one company talk to each other", async () => {
    const { directory } = host.platform;
    expect(await directory.mayTalk("zhangwei", "lina")).toBe(true);
    expect(await directory.mayTalk("zhangwei", "wangfang")).toBe(true);
    expect(await directory.mayTalk("lina", "wangfang")).toBe(false);
    expect(await directory.mayTalk("lina", "lina")).toBe(false);
    expect(await directory.mayTalk("lina", "nobody")).toBe(false);
    expect(await directory.colleagues("lina")).toEqual(["admin", "guest", "ops", "zhangwei"]);
    expect(await directory.personByChatName("lina")).toEqual({
      accountId: "3",
      userName: "lina",
      name: "李娜",
      avatar: "",
    });
    expect(await directory.personByChatName("nobody")).toBeNull();
  });

  it("ignores people who have left, and roles in a company that the person left", async () => {
    const { pool } = host.platform.database;
    const { access_token: token } = await host.login("zhangwei");
    await pool.query(
      "UPDATE employees SET dimission_at = now() WHERE account_id = 2 AND company_id = 2",
    );
    expect(await host.platform.directory.mayTalk("zhangwei", "wangfang")).toBe(false);
    const roles = accountInfoSchema.parse((await account(token)).body.data).roles;
    expect(roles.map((r) => r.supplierId)).toEqual(["1"]);
    const there = await host.ask("GET", "/uaa/api/account", { token, supplierId: "2" });
    expect(there.body.error).toBe("auth.forbidden");
    await pool.query("UPDATE employees SET dimission_at = NULL WHERE account_id = 2");
  });

  it("knows whether a login is still valid", async () => {
    const { directory, database } = host.platform;
    const sessionOf = async (): Promise<[string, string]> => {
      const { access_token: token } = await host.login("lina");
      return [(await directory.authenticate(token)).sessionId, token];
    };
    const [left, token] = await sessionOf();
    const [overdue] = await sessionOf();
    expect([await directory.sessionAlive(left), await directory.sessionAlive("none")]).toEqual([
      true,
      false,
    ]);
    await host.ask("POST", "/uaa/logout", { token });
    expect(await directory.sessionAlive(left)).toBe(false);
    await database.pool.query("UPDATE accounts SET disabled_at = now() WHERE id = 3");
    expect(await directory.sessionAlive(overdue)).toBe(false);
    await database.pool.query("UPDATE accounts SET disabled_at = NULL");
    expect(await directory.sessionAlive(overdue)).toBe(true);
    minutes(10);
    expect(await directory.sessionAlive(overdue)).toBe(false);
  });

  it("refuses a disabled account immediately", async () => {
    const { pool } = host.platform.database;
    const grant = await host.login("ops");
    await pool.query("UPDATE accounts SET disabled_at = now() WHERE username = 'ops'");
    expect((await account(grant.access_token)).body.error).toBe("auth.account-disabled");
    expect((await host.refresh(grant.refresh_token)).body.error).toBe("auth.account-disabled");
    expect((await host.tryLogin("ops")).body.error).toBe("auth.invalid-credentials");
    await pool.query("UPDATE accounts SET disabled_at = NULL");
  });
});
