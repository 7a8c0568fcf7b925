/** How long it takes until a menu that a role gains or loses shows or goes in the open tabs of its people (docs/session.md#changed-rights). */
import { restCalls } from "../../src/shared/protocol/rest/index.ts";
import { expect, test } from "../support/fixtures.ts";
import { callerOf, records } from "../support/rest-caller.ts";
import { timeLimit } from "../support/time-limits.ts";

const TIMES = 20;
/** ms after the answer of the call. */
const LIMIT = 2000;
const TITLE = "运行监控";

interface Menu {
  readonly id: string;
  readonly name: string;
  readonly childMenu: readonly Menu[];
}
const flat = (menus: readonly Menu[]): readonly Menu[] =>
  menus.flatMap((menu) => [menu, ...flat(menu.childMenu)]);

test(`A menu that a role gains and loses ${TIMES} times by saveRoleMenuBatch shows and goes within 2 s in three tabs`, async ({
  people,
  server,
}) => {
  const ask = await callerOf(server.url, "admin");
  const wei = await people.loggedIn("zhangwei", { tabs: 3, path: "/im/people" });
  const links = wei.pages.map((page) =>
    page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name: TITLE }),
  );
  for (const page of wei.pages) {
    await page.waitForFunction(() => globalThis.consoleCore.state.chat.connection === "open");
  }
  const accountId = await wei.pages[0]!.evaluate(
    () => globalThis.consoleCore.state.session.accountId,
  );
  const tree = (await ask("GET", restCalls.menuTree.path)).data as readonly Menu[];
  const menuId = flat(tree).find(({ name }) => name === TITLE)?.id;
  expect(menuId).toBeDefined();
  const made = await ask("POST", restCalls.roleCreate.path, { name: "值班监控" });
  const { id: roleId } = made.data as { id: string };
  expect(
    (await ask("PUT", restCalls.roleAssign.path, { roleId, accountIds: [accountId] })).status,
  ).toBe(200);
  const [role] = records<{ id: string; name: string }>(
    await ask("GET", `${restCalls.roleList.path}?keyword=${encodeURIComponent("值班监控")}`),
  );
  expect(role?.id).toBe(roleId);

  const times: number[] = [];
  const save = async (menus: readonly object[], shown: number): Promise<void> => {
    const saved = await ask("POST", `${restCalls.saveRoleMenus.path}?roleId=${roleId}`, menus);
    const answered = Date.now();
    expect(saved.status).toBe(200);
    await Promise.all(links.map((link) => expect(link).toHaveCount(shown)));
    times.push(Date.now() - answered);
  };
  for (let n = 0; n < TIMES; n += 1) {
    await save([{ menuId }], 1);
    await save([], 0);
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `      ${times.length} changes: p50 ${sorted[sorted.length >> 1]} ms, at most ${sorted.at(-1)} ms`,
  );
  expect(Math.max(...times)).toBeLessThan(timeLimit(LIMIT));
});
