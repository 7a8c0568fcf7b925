/** What the lists of groups, members, files and departments say when they are empty and when they cannot be read. */
import type { Locator } from "@playwright/test";
import { button, MADE, press, reach, test } from "../support/chat-dialogs.ts";
import {
  bookEntry,
  lookAt,
  openList,
  openPanel,
  pressFromStart,
  section,
  WAYS,
} from "../support/chat-look.ts";
import { expect } from "../support/fixtures.ts";
import { tabTo } from "../support/look.ts";
import { loggedIn } from "../support/people.ts";
import { topmost, type Words } from "../support/people-dialogs.ts";

// Nobody else's groups.
test.use({ serverEnv: { TEST_SERVER: "chat lists" } });

for (const [language, how] of WAYS) {
  test(`Lists that are empty say so ${how}`, async ({ chat, browser }) => {
    chat.gateway.treat((path) =>
      path.includes("/dc-im/api/departments") ? { change: withoutRecords } : "pass",
    );
    const who = await loggedIn(browser, chat.gateway.url, "ops");
    const mine = { ...chat, admin: who };
    const at = await openList(mine, language);
    const { page, area, say } = at;
    const shows = async (name: string, where: Locator, ...texts: readonly Words[]) => {
      for (const words of texts) await expect(where.getByText(say(words))).toBeVisible();
      await lookAt(
        at,
        mine,
        `chat-none-${name}`,
        language,
        name === "book" ? ".book" : ".arco-modal",
      );
    };
    const closes = async (opener: Locator): Promise<void> => {
      await page.keyboard.press("Escape");
      await expect(opener).toBeFocused();
    };
    const [create, find, inbox] = [
      button("发起群聊", "New group").target(at),
      button("加入群聊", "Join a group").target(at),
      button("群通知", "Group requests").target(at),
    ];
    await pressFromStart(at, inbox);
    await shows("inbox", topmost(page), [
      "没有待处理的邀请和申请",
      "No invitation or application is waiting",
    ]);
    await closes(inbox);
    await pressFromStart(at, find);
    await page.keyboard.type("zzz");
    await shows("find", topmost(page), ["没有找到公开的群聊", "No public group was found"]);
    await closes(find);
    await pressFromStart(at, create);
    await tabTo(page, topmost(page).getByRole("textbox", { name: say(["搜索姓名", "Search"]) }));
    await page.keyboard.type("zzz");
    await shows("create", topmost(page), ["没有匹配的联系人", "No contact matches"]);
    await press(page, topmost(page).getByRole("button", { name: /^(清除|Clear search and)/ }));
    await expect(topmost(page).getByRole("checkbox").first()).toBeAttached();
    await closes(create);
    await pressFromStart(at, bookEntry(at));
    for (const words of [
      ["新的朋友", "New friends"],
      ["黑名单", "Block list"],
      ["部门", "Departments"],
    ] as const) {
      await press(page, section(at, words));
    }
    await shows(
      "book",
      area.locator(".book"),
      ["没有待处理的好友申请", "No friend request is waiting"],
      ["还没有好友，点击右上角添加", "No friends yet. Add one above"],
      ["黑名单中没有人", "No one is blocked"],
      ["没有部门", "There are no departments"],
    );
    chat.gateway.treat(null);
    await who.close();
  });

  test(`Lists that cannot be read say so and are read again by the keyboard ${how}`, async ({
    chat,
    browser,
  }) => {
    const departments = "/dc-im/api/departments";
    /** The departments, which are read when the page opens, fail until the end. */
    const fails = (...paths: readonly string[]): void =>
      chat.gateway.treat((path) =>
        [departments, ...paths].some((one) => path.includes(one))
          ? { status: 500, body: {} }
          : "pass",
      );
    fails();
    const who = await loggedIn(browser, chat.gateway.url, "lina");
    const mine = { ...chat, admin: who };
    const at = await openList(mine, language);
    const { page, area, say } = at;
    /** The part says what failed; its button reads again. */
    const recovers = async (
      name: string,
      part: string,
      words: Words,
      then: Locator,
      mend: () => void = fails,
    ) => {
      const alert = page
        .locator(part)
        .getByRole("alert")
        .filter({ hasText: say(words) });
      await expect(alert).toBeVisible();
      await lookAt(at, mine, `chat-failed-${name}`, language, part);
      await reach(page, alert.getByRole("button", { name: say(["重试", "Retry"]) }));
      mend();
      await page.keyboard.press("Enter");
      await expect(then).toBeAttached();
      await expect(alert).toHaveCount(0);
    };
    const inDialog = (): Promise<boolean> =>
      topmost(page).evaluate((box) => box.contains(document.activeElement));

    fails("/publicGroups");
    await pressFromStart(at, button("加入群聊", "Join a group").target(at));
    await recovers(
      "find",
      ".arco-modal",
      ["搜索群聊失败", "The groups could not be searched"],
      topmost(page).getByText(MADE.open),
    );
    await expect.poll(inDialog, "the dialog keeps the focus").toBe(true);
    await page.keyboard.press("Escape");

    fails("/friend/hx/page");
    await pressFromStart(at, button("发起群聊", "New group").target(at));
    await recovers(
      "create",
      ".arco-modal",
      ["联系人加载失败", "The contacts could not be loaded"],
      topmost(page).getByRole("checkbox").first(),
    );
    await expect.poll(inDialog, "the dialog keeps the focus").toBe(true);
    await page.keyboard.press("Escape");

    fails("/groupUsers");
    const panel = await openPanel(at);
    await recovers(
      "members",
      ".group-panel",
      ["获取群组成员失败", "The members could not be loaded"],
      panel.getByText("管理员"),
    );
    const search = panel.getByRole("textbox", { name: say(["搜索群成员", "Search members"]) });
    await tabTo(page, search);
    await page.keyboard.type("zzz");
    await expect(panel.getByText(say(["没有匹配的成员", "No member matches"]))).toBeVisible();
    await lookAt(at, mine, "chat-none-members", language, ".group-panel");
    await search.fill("");
    await expect(panel.getByText("管理员")).toBeAttached();

    fails("/share_files");
    await pressFromStart(at, panel.getByRole("button", { name: say(["群文件", "Files"]) }));
    await recovers(
      "files",
      ".arco-modal",
      ["服务暂不可用", "The service is unavailable"],
      topmost(page).getByText(say(["还没有群文件", "No files are shared yet"])),
    );
    await expect.poll(inDialog, "the dialog keeps the focus").toBe(true);
    await page.keyboard.press("Escape");
    await pressFromStart(at, panel.getByRole("button", { name: say(["关闭", "Close"]) }));
    if (language === "en") await pressFromStart(at, area.getByRole("button", { name: "Back" }));

    fails("/dc-im/api/friends");
    await pressFromStart(at, bookEntry(at));
    await page.evaluate(() => {
      globalThis.consoleCore.commands.friend.refresh({}).catch(() => undefined);
    });
    await press(page, section(at, ["部门", "Departments"]));
    await expect(area.locator(".book").getByRole("alert")).toHaveCount(2);
    await recovers(
      "book",
      ".book",
      ["好友列表加载失败", "The friends could not be loaded"],
      area.locator('.book [data-user="admin"]').first(),
    );
    await recovers(
      "departments",
      ".book",
      ["部门加载失败", "The departments could not be loaded"],
      area.locator(".book-department").first(),
      () =>
        chat.gateway.treat((path) =>
          path.includes("departmentId=") ? { change: withoutRecords } : "pass",
        ),
    );
    await press(page, area.locator(".book-department > button").first());
    const none = ["该部门没有可聊天的同事", "No one to chat with in this department"] as const;
    await expect(area.locator(".book").getByText(say(none))).toBeVisible();
    await lookAt(at, mine, "chat-none-department", language, ".book");
    chat.gateway.treat(null);
    await who.close();
  });
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
/** The answer with an empty list, or an empty page, in it. */
function withoutRecords(answer: unknown): unknown {
  if (!isObject(answer) || !("data" in answer)) return answer;
  const { data } = answer;
  if (Array.isArray(data)) return { ...answer, data: [] };
  if (!isObject(data) || !("records" in data)) return answer;
  return { ...answer, data: { ...data, records: [], total: 0 } };
}
