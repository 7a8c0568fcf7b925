/** How a login ends: refused refreshes, 401 answers, the question to log in again, and the logout. */
import { expect, test } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import { employeeListCall } from "../../../shared/protocol/rest/index.ts";
import { errorOfAnswer } from "../http/transport.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import { codeOf, setUp } from "./session.harness.ts";
import { createTokens } from "./tokens.ts";

/** Logs in and lets the access token expire. */
async function withEndedToken(over?: Parameters<typeof setUp>[0]) {
  const kit = setUp(over);
  await kit.login();
  await kit.loadInfo();
  kit.env.clock.advance(3_600_000);
  return kit;
}
const list = (kit: ReturnType<typeof setUp>): Promise<string> =>
  codeOf(kit.sessionModule.http.call(employeeListCall));

test("A refused refresh drops the tokens and asks in one tab, while the pages and the person stay", async () => {
  const kit = await withEndedToken();
  kit.platform.state.refusesRefresh = true;
  const codes = await Promise.all(Array.from({ length: 5 }, () => list(kit)));
  expect(codes).toEqual(Array.from({ length: 5 }, () => "auth.required"));
  expect(kit.platform.count("auth.refresh")).toBe(1);
  await settle();
  expect([...kit.env.kv.data.keys()]).toEqual([]);
  expect(kit.slice()).toMatchObject({
    status: "authenticated",
    name: "张伟s1",
    expired: { tabId: "t1", dismissed: false },
  });
  expect(kit.users.at(-1)).toMatchObject({ accountId: "a1" });
});

test.each([
  ["status 200 with code 1", () => ({ code: 1, msg: "refresh token 无效" })],
  ["status 200 with code 401", () => ({ code: 401, msg: "" })],
  [
    "status 401 without one of our codes",
    () => {
      throw errorOfAnswer("auth.refresh", 401, "Unauthorized");
    },
  ],
  [
    "status 400",
    () => {
      throw errorOfAnswer("auth.refresh", 400, { error: "invalid_grant" });
    },
  ],
])("A refresh that is refused by %s ends the login", async (_, answer) => {
  const kit = await withEndedToken();
  kit.platform.state.instead.set("auth.refresh", answer);
  expect(await list(kit)).toBe("auth.required");
  expect(kit.slice().expired).toEqual({ tabId: "t1", dismissed: false });
  // A further request does not ask the platform again.
  expect(await list(kit)).toBe("auth.required");
  expect(kit.platform.count("auth.refresh")).toBe(1);
});

test.each([
  [500, "server.internal"],
  [502, "server.unavailable"],
  [429, "request.rate-limited"],
])("A refresh answered with status %i is not a refusal", async (status, code) => {
  const kit = await withEndedToken();
  kit.platform.state.instead.set("auth.refresh", () => {
    throw errorOfAnswer("auth.refresh", status, "");
  });
  expect(await list(kit)).toBe(code);
  expect(kit.slice()).toMatchObject({ status: "authenticated", expired: null });
  kit.platform.state.instead.clear();
  expect(await list(kit)).toBe("ok");
});

test("A refresh has no timeout of its own, and is sent again at once when the network is back", async () => {
  const kit = await withEndedToken();
  // The first answer is lost.
  kit.platform.state.instead.set("auth.refresh", () => {
    kit.platform.state.instead.clear();
    return new Promise(() => {});
  });
  const asked = list(kit);
  await settle(100);
  expect(kit.platform.count("auth.refresh")).toBe(1);
  expect(kit.platform.state.asked.at(-1)?.timeout).toBeUndefined();
  kit.env.online.set(false);
  kit.env.online.set(true);
  expect(await asked).toBe("ok");
  expect(kit.platform.count("auth.refresh")).toBe(2);
});

test("A refusal before anything is shown leads to the login page without a question", async () => {
  const kit = setUp();
  await kit.login();
  kit.platform.state.refusesRefresh = true;
  kit.env.clock.advance(3_600_000);
  expect(await codeOf(kit.loadInfo())).toBe("auth.required");
  expect(kit.slice()).toMatchObject({ status: "anonymous", left: "expired", expired: null });
});

test("An account that is refused while pages are shown is asked, and the pages stay", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  kit.platform.state.refusesAccount = true;
  expect(await codeOf(kit.loadInfo())).toBe("auth.info-failed");
  expect(kit.slice()).toMatchObject({
    status: "authenticated",
    expired: { tabId: "t1", dismissed: false },
  });
});

test("A request with a gateway's 401 is retried once with new tokens, and a second 401 asks to log in again", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  kit.platform.state.instead.set("employees.list", () => {
    throw errorOfAnswer("employees.list", 401, "<html>Unauthorized</html>");
  });
  expect(await list(kit)).toBe("auth.required");
  expect(kit.platform.count("auth.refresh")).toBe(1);
  expect(kit.platform.count("employees.list")).toBe(2);
  expect(kit.slice().expired).toEqual({ tabId: "t1", dismissed: false });
  // Tokens from such a refresh are not refreshed again after a further 401.
  expect(await list(kit)).toBe("auth.required");
  expect(kit.platform.count("auth.refresh")).toBe(1);
});

test("A 401 that new tokens resolve asks nothing", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  kit.platform.state.instead.set("employees.list", () => {
    kit.platform.state.instead.clear();
    throw errorOfAnswer("employees.list", 401, {});
  });
  expect(await list(kit)).toBe("ok");
  expect(kit.slice().expired).toBeNull();
});

test("The question appears in the visible tab after the end of a call, and one answer closes it", async () => {
  const kit = await withEndedToken();
  kit.platform.state.refusesRefresh = true;
  kit.state.busy = true;
  await list(kit);
  expect(kit.slice().expired).toEqual({ tabId: null, dismissed: false });
  kit.env.clock.advance(10_000);
  expect(kit.slice().expired?.tabId).toBeNull();
  kit.state.busy = false;
  kit.env.clock.advance(500);
  expect(kit.slice().expired?.tabId).toBe("t1");
  const tab = (tabId: string, visible: boolean) => ({
    tabId,
    visible,
    focusedAt: 0,
    connectedAt: 0,
  });
  kit.setTabs([tab("t2", true), tab("t1", true)]);
  kit.env.clock.advance(500);
  expect(kit.slice().expired?.tabId).toBe("t1");
  kit.setTabs([tab("t2", true), tab("t1", false)]);
  kit.env.clock.advance(500);
  expect(kit.slice().expired?.tabId).toBe("t2");
  kit.setTabs([tab("t3", false)]);
  kit.env.clock.advance(500);
  expect(kit.slice().expired?.tabId).toBe("t3");
  await kit.sessionModule.handlers.answerExpired({ again: true }, kit.context);
  expect(kit.slice()).toMatchObject({ status: "anonymous", left: "expired", expired: null });
  expect(kit.users.at(-1)).toBeNull();
  kit.env.clock.advance(500);
  expect(kit.env.clock.pending).toBe(0);
});

test("A person who stays on the page is not asked again for a minute, and the bar goes when a request is accepted", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const refuse = (): void =>
    void kit.platform.state.instead.set("employees.list", () => {
      throw errorOfAnswer("employees.list", 401, {});
    });
  refuse();
  await list(kit);
  await kit.sessionModule.handlers.answerExpired({ again: false }, kit.context);
  expect(kit.slice()).toMatchObject({
    status: "authenticated",
    expired: { tabId: null, dismissed: true },
  });
  await list(kit);
  expect(kit.slice().expired?.dismissed).toBe(true);
  kit.platform.state.instead.clear();
  expect(await list(kit)).toBe("ok");
  expect(kit.slice().expired).toBeNull();
  refuse();
  await list(kit);
  expect(kit.slice().expired).toBeNull();
  kit.env.clock.advance(60_000);
  await list(kit);
  expect(kit.slice().expired).toEqual({ tabId: "t1", dismissed: false });
});

test("The answer to log in again also ends the session at the platform", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  kit.platform.state.instead.set("employees.list", () => {
    throw errorOfAnswer("employees.list", 401, {});
  });
  await list(kit);
  await kit.sessionModule.handlers.answerExpired({ again: true }, kit.context);
  expect(kit.slice().status).toBe("anonymous");
  expect(kit.platform.count("auth.logout")).toBe(1);
  expect(kit.platform.state.asked.at(-1)?.headers["Authorization"]).toBe("Bearer access2");
});

test("A logout waits for the platform's answer before it clears the session", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  const seen: string[] = [];
  kit.platform.state.instead.set("auth.logout", () => {
    seen.push(kit.slice().status);
    return { code: 0, msg: "", data: null };
  });
  await kit.sessionModule.handlers.logout({}, kit.context);
  expect(seen).toEqual(["authenticated"]);
  expect(kit.slice()).toMatchObject({
    status: "anonymous",
    left: "logout",
    accountId: null,
    menus: [],
  });
  expect(kit.users.at(-1)).toBeNull();
  expect([...kit.env.kv.data.keys()]).toEqual([]);
});

test.each([
  ["status 500", () => errorOfAnswer("auth.logout", 500, { msg: "退出失败" })],
  ["code 1", () => ({ code: 1, msg: "退出失败" })],
])(
  "A logout refused by %s shows the platform's message, and the person stays logged in",
  async (_, answer) => {
    const kit = setUp();
    await kit.login();
    await kit.loadInfo();
    kit.platform.state.instead.set("auth.logout", () => {
      const given = answer();
      if (given instanceof AppError) throw given;
      return given;
    });
    const error = await kit.sessionModule.handlers.logout({}, kit.context).catch((e: unknown) => e);
    expect(error).toMatchObject({ message: "退出失败" });
    expect(kit.slice().status).toBe("authenticated");
    expect(await list(kit)).toBe("ok");
  },
);

test("A logout with an invalid token succeeds without a refresh", async () => {
  const kit = setUp();
  await kit.login();
  kit.platform.expire();
  expect(await codeOf(kit.sessionModule.handlers.logout({}, kit.context))).toBe("ok");
  expect(await codeOf(kit.sessionModule.session.accessToken())).toBe("auth.required");
  expect(kit.platform.count("auth.refresh")).toBe(0);
});

test("An offline logout takes effect at once, and reaches the platform when the network is back", async () => {
  const kit = setUp();
  await kit.login();
  await kit.loadInfo();
  kit.env.online.set(false);
  await kit.sessionModule.handlers.logout({}, kit.context);
  expect(kit.slice()).toMatchObject({ status: "anonymous", left: "logout" });
  expect(kit.platform.count("auth.logout")).toBe(0);
  expect([...kit.env.kv.data.keys()]).toEqual(["session.farewell"]);
  kit.env.online.set(true);
  await settle(100);
  expect(kit.platform.count("auth.logout")).toBe(1);
  expect(kit.platform.state.asked.at(-1)?.headers["Authorization"]).toBe("Bearer access1");
  expect([...kit.env.kv.data.keys()]).toEqual([]);
});

test("The next core repeats a logout that got no answer, also after another login", async () => {
  const first = setUp();
  await first.login();
  first.platform.state.failing = new AppError("server.unavailable");
  await first.sessionModule.handlers.logout({}, first.context);
  expect(first.slice().status).toBe("anonymous");
  first.sessionModule.stop();
  first.platform.state.failing = null;
  const second = setUp(first.env, first.platform);
  await second.sessionModule.restore();
  await second.login();
  await settle(100);
  expect(first.platform.state.asked.filter(({ id }) => id === "auth.logout")).toHaveLength(2);
  expect(
    first.platform.state.asked.findLast(({ id }) => id === "auth.logout")?.headers["Authorization"],
  ).toBe("Bearer access1");
  expect(second.slice().status).toBe("authenticated");
  expect(first.env.kv.data.has("session.farewell")).toBe(false);
});

test("A 401 for a token that was renewed meanwhile is retried without a refresh", async () => {
  const env = createFakeEnv();
  let refreshes = 0;
  const iat = Math.floor(env.clock.now() / 1000);
  const tokens = createTokens({
    env,
    offset: () => 0,
    refresh: () => {
      refreshes += 1;
      const n = `${refreshes}`;
      return Promise.resolve({ access_token: n, refresh_token: n, iat, expires_in: 60 });
    },
    onRefused: () => {},
    onRefreshed: () => {},
    onTokens: () => {},
  });
  await tokens.put({ access_token: "new", refresh_token: "r", iat, expires_in: 60 }, "sec-web-oa");
  const error = new AppError("auth.required");
  expect(await tokens.renewAfter401("old", error)).toBe(true);
  expect(refreshes).toBe(0);
  expect(await tokens.renewAfter401("new", error)).toBe(true);
  expect(refreshes).toBe(1);
  expect(await tokens.renewAfter401("1", error)).toBe(false);
  expect(refreshes).toBe(1);
});
