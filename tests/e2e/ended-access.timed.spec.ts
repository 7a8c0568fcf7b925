/**
 * How long it takes until a person is out, or sees it, in three tabs, after an administrator disables the account, another device ends the
 * login, or a role is taken away (docs/session.md#end-of-access). Dismissals and locked companies have files of their own.
 */
import type { Page } from "@playwright/test";
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { expect, test } from "../support/fixtures.ts";
import { logIn } from "../support/people.ts";
import { callerOf } from "../support/rest-caller.ts";
import { timeLimit } from "../support/time-limits.ts";

test.use({ serverEnv: { TEST_SERVER: "ended access" } });

const TIMES = 5;
/** ms after the request that ends it. */
const LIMIT = 2000;
const LIST = "system:config:list";

/** Ends something, and waits until each page shows it. @returns ms from the request until the last page did */
async function untilShown(
  pages: readonly Page[],
  text: string | RegExp,
  end: () => Promise<{ status: number }>,
): Promise<number> {
  const begun = Date.now();
  const shown = pages.map(async (page) => {
    await page.getByText(text).first().waitFor();
    return Date.now() - begun;
  });
  expect((await end()).status).toBe(200);
  return Math.max(...(await Promise.all(shown)));
}

function judge(what: string, times: readonly number[]): void {
  console.log(`      ${what}: ${times.toSorted((a, b) => a - b).join(" ")} ms`);
  expect(Math.max(...times), what).toBeLessThan(timeLimit(LIMIT));
}

/** Logs in in one tab; the others follow. */
async function comeBack(pages: readonly Page[], name: string): Promise<void> {
  await logIn(pages[0]!, name);
  for (const page of pages) await expect(page).not.toHaveURL(/\/login/);
}

test(`An account that is disabled ${TIMES} times is out of three tabs within 2 s`, async ({
  people,
  server,
}) => {
  people.expectComplaints(/40[139]|WebSocket/);
  const ask = await callerOf(server.url, "admin");
  const ops = await people.loggedIn("ops", { tabs: 3, path: "/dashboard" });
  const employeeId = await ops.pages[0]!.evaluate(
    () => globalThis.consoleCore.state.session.employees[0]?.id ?? "",
  );
  const path = restCalls.accountState.path.replace("{id}", employeeId);
  const enable = (enabled: boolean) => ask("PUT", path, { enabled });
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    times.push(await untilShown(ops.pages, /您的账号已停用，登录已结束/, () => enable(false)));
    expect((await enable(true)).status).toBe(200);
    await comeBack(ops.pages, "ops");
  }
  judge("disabled", times);
});

test(`A login that another device ends ${TIMES} times is out of three tabs within 2 s`, async ({
  people,
  server,
}) => {
  people.expectComplaints(/40[139]|WebSocket/);
  const away = await people.loggedIn("zhangwei", { tabs: 3, path: "/dashboard" });
  const ask = await callerOf(server.url, "zhangwei");
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    // The first is the one that was active last.
    const { data } = await ask("GET", restCalls.ownSessions.path);
    const browser = (data as { records: { id: string; current: boolean }[] }).records.find(
      ({ current }) => !current,
    );
    const end = () =>
      ask("DELETE", restCalls.endOwnSession.path.replace("{id}", browser?.id ?? "none"));
    times.push(await untilShown(away.pages, /您在此设备的登录已被结束/, end));
    await comeBack(away.pages, "zhangwei");
  }
  judge("ended by another device", times);
});

test(`A role that is taken away ${TIMES} times is gone from three tabs within 2 s`, async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const lina = await people.loggedIn("lina", { tabs: 3, path: "/dashboard" });
  const accountId = await lina.pages[0]!.evaluate(
    () => globalThis.consoleCore.state.session.accountId,
  );
  const made = await ask("POST", restCalls.roleCreate.path, { name: "参数员" });
  const { id: roleId, version } = made.data as { id: string; version: number };
  const right = { id: roleId, version, permissions: [LIST] };
  expect((await ask("PUT", restCalls.roleUpdate.path, right)).status).toBe(200);
  const tree = (await ask("GET", restCalls.menuTree.path)).data as {
    id: string;
    code: string;
    childMenu: { id: string; uri: string }[];
  }[];
  const system = tree.find(({ code }) => code === "system");
  const entry = system?.childMenu.find(({ uri }) => uri === "/system/config");
  const menus = [{ menuId: system?.id }, { menuId: entry?.id }];
  expect(
    (await ask("POST", `${restCalls.saveRoleMenus.path}?roleId=${roleId}`, menus)).status,
  ).toBe(200);
  const those = { roleId, accountIds: [accountId] };
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    expect((await ask("PUT", restCalls.roleAssign.path, those)).status).toBe(200);
    for (const page of lina.pages) {
      await expect(
        page.getByRole("navigation", { name: "主菜单" }).getByText("参数配置"),
      ).toBeVisible();
      await page.goto("/system/config");
      await expect(page.getByRole("row").filter({ hasText: "值班电话" })).toBeVisible();
    }
    const take = () => ask("PUT", restCalls.roleTake.path, those);
    times.push(await untilShown(lina.pages, "您现在没有“参数配置”的权限", take));
  }
  judge("role taken away", times);
});
