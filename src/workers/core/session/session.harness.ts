/** A fake platform and a session module for tests of logins, logouts and companies. */
import { AppError } from "../../../shared/errors.ts";
import type { CallContext } from "../../../shared/protocol/core-rpc.ts";
import type { Role } from "../../../shared/protocol/rest/index.ts";
import type { SessionUser, TabInfo } from "../contracts.ts";
import { errorOfAnswer, type WireRequest } from "../http/transport.ts";
import { createStore, initialSlices } from "../store/index.ts";
import { createFakeEnv, settle, type FakeEnv } from "../core.fake.ts";
import { createSession } from "./index.ts";

const COMPANIES = ["s1", "s2"];
const employee = (company: string) => ({
  id: `e-${company}`,
  supplierId: company,
  supplierName: `公司${company}`,
  accountId: "a1",
  name: `张伟${company}`,
  phone: null,
  department: null,
  position: null,
  userName: "zw",
});

/** A platform that issues tokens for an hour and knows one account. */
export function createPlatform(env: FakeEnv) {
  let issued = 0;
  const good = new Set<string>();
  const state = {
    roles: [
      { roleId: "r1", supplierId: "s1" },
      { roleId: "r2", supplierId: "s2" },
    ] as Role[],
    refusesRefresh: false,
    refusesAccount: false,
    failing: null as AppError | null,
    asked: [] as WireRequest[],
    logoutAnswer: null as AppError | null,
    /** Replaces the usual answer, by call id. */
    instead: new Map<string, () => unknown>(),
    /** Permissions by company; without a company the platform returns all of them. */
    permissions: { s1: ["p"], s2: [] } as Record<string, string[]>,
  };
  const grant = () => {
    issued += 1;
    good.add(`access${issued}`);
    return {
      access_token: `access${issued}`,
      refresh_token: `refresh${issued}`,
      iat: Math.floor(env.clock.now() / 1000),
      expires_in: 3_600,
    };
  };
  const ok = (data: unknown) => ({ code: 0, msg: "ok", data });
  const transport = async (request: WireRequest): Promise<unknown> => {
    state.asked.push(request);
    await settle(3);
    if (state.failing !== null) throw state.failing;
    const instead = state.instead.get(request.id);
    if (instead !== undefined) return instead();
    if (request.id === "auth.login") {
      const { password } = request.body as { password: string };
      if (password === "good") return ok(grant());
      throw errorOfAnswer(request.id, 400, {
        msg: "用户名或密码错误",
        error: "auth.invalid-credentials",
      });
    }
    if (request.id === "auth.refresh") {
      const { refresh_token: token } = request.body as { refresh_token: string };
      if (state.refusesRefresh || token !== `refresh${issued}`) {
        throw errorOfAnswer(request.id, 401, { error: "auth.refresh-refused" });
      }
      good.clear();
      return ok(grant());
    }
    const bearer = request.headers["Authorization"]?.slice(7) ?? "";
    if (!good.has(bearer)) throw errorOfAnswer(request.id, 401, { error: "auth.expired" });
    switch (request.id) {
      case "auth.account":
        if (state.refusesAccount) return { code: 1, msg: "no" };
        return ok({
          id: "a1",
          username: "zhangwei",
          nickname: "阿伟",
          avatar: "a.png",
          introduction: "电工",
          roles: state.roles,
          permissions:
            state.permissions[request.headers["supplier-id"] ?? ""] ??
            Object.values(state.permissions).flat(),
        });
      case "employees.memberships":
        return ok({
          records: COMPANIES.toReversed().map(employee),
          total: 2,
          cursor: 1,
          limit: 100,
        });
      case "menus.routers":
        return ok([
          {
            id: `menu-${request.headers["supplier-id"]}`,
            code: "c",
            name: "员工",
            icon: "",
            uri: "employees",
            hidden: false,
            elementProperties: {},
            childMenu: [],
            // a field that no menu entry of the console has
            sort: 3,
          },
        ]);
      case "profile.unlock":
        if ((request.body as { password: string }).password === "good") return ok(null);
        throw errorOfAnswer(request.id, 400, {
          msg: "密码不正确",
          error: "auth.invalid-credentials",
        });
      case "auth.logout":
        if (state.logoutAnswer !== null) throw state.logoutAnswer;
        return ok(null);
      default:
        return ok({ records: [], total: 0, cursor: 1, limit: 20 });
    }
  };
  const count = (id: string): number => state.asked.filter((request) => request.id === id).length;
  return { state, transport, count, expire: () => good.clear() };
}

export function setUp(env = createFakeEnv(), platform = createPlatform(env)) {
  const notices: string[] = [];
  const store = createStore({
    clock: env.clock,
    epoch: "c1",
    newId: env.newId,
    slices: initialSlices({ coreId: "c1", build: "b", now: env.clock.now() }),
  });
  const inner = store.notice;
  store.notice = (notice) => {
    notices.push(notice.text);
    inner(notice);
  };
  let refreshed = 0;
  let changes = 0;
  const state = { busy: false };
  let tabs: TabInfo[] = ["t1", "t2"].map((tabId, i) => ({
    tabId,
    visible: i === 0,
    focusedAt: 2 - i,
    connectedAt: 0,
  }));
  const sessionModule = createSession({
    env,
    store,
    transport: platform.transport,
    offset: () => 0,
    path: () => "/employees",
    language: () => "zh-CN",
    tabs: () => tabs,
    busy: () => state.busy,
    onChanged: () => void (changes += 1),
    stats: { refreshed: () => void (refreshed += 1), error: () => {} },
  });
  const users: (SessionUser | null)[] = [];
  sessionModule.session.onUser((user) => void users.push(user));
  const context: CallContext = { tabId: "t", id: "i" };
  const slice = () => store.get("session");
  const login = async (password = "good") =>
    sessionModule.handlers.login(
      { username: "  zhangwei ", password, systemName: "sec-web-company-admin" },
      context,
    );
  const loadInfo = () => sessionModule.handlers.loadInfo({}, context);
  return {
    env,
    platform,
    notices,
    sessionModule,
    users,
    slice,
    context,
    login,
    loadInfo,
    refreshes: () => refreshed,
    changes: () => changes,
    state,
    setTabs: (next: TabInfo[]) => void (tabs = next),
  };
}
export const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
