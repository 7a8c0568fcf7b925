/** Group calls of three people: rings, answers, leaving and joining again; and with three tabs each, whose owner tab is killed. */
import type { Page } from "@playwright/test";
import { expectPairs, expectPictures } from "../support/conference.ts";
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import {
  answer,
  callOwner,
  callPeople,
  chatOpen,
  choose,
  groupCall,
  inCall,
  ringing,
  rung,
} from "../support/group-call.ts";

// Conferences of other tests must not stand in the list.
test.use({ serverEnv: { TEST_SERVER: "group calls" } });

const GROUP = "三人值班群";
const row = (page: Page) => page.getByRole("listitem").filter({ hasText: GROUP });
const banner = (page: Page) => page.getByRole("region", { name: "群通话", exact: true });

test("A group calls: one answers, one refuses and joins by the banner; leaving, joining again, and the end", async ({
  people,
  server,
}) => {
  const all = await Promise.all(["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name)));
  const [zhang, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  await chatOpen([zhang, li, admin]);
  await zhang.getByRole("button", { name: "发起群聊" }).click();
  const made = zhang.getByRole("dialog", { name: "发起群聊" });
  await made.getByRole("textbox", { name: "群名称" }).fill(GROUP);
  for (const name of ["李娜", "管理员"]) {
    await made.getByRole("textbox", { name: "搜索姓名" }).fill(name);
    await made.locator("label").filter({ hasText: name }).click();
  }
  await made.getByRole("button", { name: "完成" }).click();
  for (const page of [zhang, li, admin]) {
    await row(page).getByRole("button").first().click();
    await expect(page.getByRole("heading", { name: GROUP })).toBeVisible();
  }

  // The group calls.
  await zhang.getByRole("button", { name: "视频通话" }).click();
  await choose(zhang, ["李娜", "管理员"], "发起视频通话");
  await inCall(zhang);
  for (const page of [li, admin]) {
    await expect(ringing(page)).toContainText("张伟邀请您加入通话");
    await expect(ringing(page)).toContainText(`群组：${GROUP}`);
  }
  await expect.poll(() => rung(zhang)).toEqual({ lina: "ringing", admin: "ringing" });
  const { callId, channel } = (await groupCall(zhang)).info!;
  await admin.getByRole("button", { name: "拒绝" }).click();
  await expect.poll(() => rung(zhang)).toEqual({ lina: "ringing", admin: "refused" });
  await answer(li);
  await expect.poll(() => rung(zhang)).toEqual({ admin: "refused" });
  await expect.poll(() => rung(li)).toEqual({ admin: "refused" });
  await expectPairs(zhang, ["lina"]);
  await expectPairs(li, ["zhangwei"]);

  // The person who refused joins by the group's banner.
  await expect(banner(admin)).toContainText("张伟 发起的通话正在进行，2 人在通话中");
  await banner(admin).getByRole("button", { name: "加入通话" }).click();
  await inCall(admin);
  await expectPairs(zhang, ["admin", "lina"]);
  await expectPairs(li, ["admin", "zhangwei"]);
  await expectPairs(admin, ["lina", "zhangwei"]);
  await expect.poll(() => rung(zhang)).toEqual({});
  await expect.poll(async () => (await groupCall(admin)).info).toMatchObject({ callId, channel });

  // Minimised, the page is usable and the call goes on.
  await li.getByRole("button", { name: "最小化" }).click();
  const pill = li.getByRole("region", { name: `群通话：${GROUP}` });
  await expect(pill).toContainText("3 人在通话中");
  await li.getByRole("textbox", { name: "输入消息" }).fill("通话中");
  await pill.getByRole("button", { name: "还原窗口" }).click();
  await inCall(li);

  // Leaving and joining again while it goes on.
  await li.getByRole("button", { name: "挂断" }).click();
  await expect(banner(li)).toContainText("2 人在通话中");
  await expect.poll(() => server.metric("conference_members")).toBe(2);
  await banner(li).getByRole("button", { name: "加入通话" }).click();
  await inCall(li);
  await expect.poll(async () => (await groupCall(li)).info).toMatchObject({ callId, channel });
  await expectPictures(admin, ["lina", "zhangwei"]);

  // It ends with the last person.
  for (const page of [zhang, admin]) await page.getByRole("button", { name: "挂断" }).click();
  await expect(banner(zhang)).toContainText("1 人在通话中");
  await li.getByRole("button", { name: "挂断" }).click();
  for (const page of [zhang, li, admin]) await expect(banner(page)).toBeHidden();
  await expect.poll(() => server.metric("conference_members")).toBe(0);
  await zhang
    .getByRole("menuitem", { name: "会议" })
    .or(zhang.getByRole("link", { name: "会议" }))
    .first()
    .click();
  await expect(zhang.getByText("现在没有可加入的会议")).toBeVisible();
  await expect(zhang.getByText("已离开会议")).toBeHidden();
});

test("Three people with three tabs each: all tabs ring, all see all, and a killed owner tab leaves the same call", async ({
  people,
}) => {
  test.setTimeout(280_000);
  const [zhang, li, admin] = await Promise.all(
    ["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name, { tabs: 3 })),
  );
  const everyone = [zhang!, li!, admin!];
  await chatOpen(everyone.flatMap(({ pages }) => pages));
  await callPeople(zhang!.pages[0]!, ["李娜", "管理员"]);
  for (const { pages } of [li!, admin!]) {
    for (const page of pages) await expect(ringing(page)).toContainText("张伟邀请您加入通话");
  }
  await answer(li!.pages[1]!);
  await answer(admin!.pages[2]!);
  for (const { pages } of [li!, admin!]) {
    for (const page of pages) await expect(ringing(page)).toBeHidden();
  }
  const names = everyone.map(({ name }) => name);
  const seen = async (): Promise<void> => {
    for (const who of everyone) {
      const page = await callOwner(who);
      const others = names.filter((name) => name !== who.name).toSorted();
      await expectPairs(page, others);
    }
  };
  await seen();
  const { callId } = (await groupCall(zhang!.pages[0]!)).info!;
  // Tabs without the media show the call as a pill.
  await expect(li!.pages[0]!.getByRole("button", { name: "还原窗口" })).toBeVisible();

  const killed = await callOwner(li!);
  expect(killed).toBe(li!.pages[1]);
  await crash(killed);
  const rest = li!.pages.filter((page) => page !== killed);
  await expect
    .poll(async () => {
      const owners = await Promise.all(
        rest.map((page) =>
          page.evaluate(() => {
            const { owner } = globalThis.consoleCore.state.conference;
            return owner?.tabId === globalThis.consoleCore.tabId && owner.ready;
          }),
        ),
      );
      return owners.filter(Boolean).length;
    })
    .toBe(1);
  for (const page of rest) {
    const restore = page.getByRole("button", { name: "还原窗口" });
    if (await restore.isVisible()) await restore.click();
  }
  const next = await callOwner({ ...li!, pages: rest });
  await expectPairs(next, ["admin", "zhangwei"]);
  await expectPairs(zhang!.pages[0]!, ["admin", "lina"]);
  for (const { pages } of everyone) {
    for (const page of pages.filter((one) => one !== killed)) {
      await expect.poll(async () => (await groupCall(page)).info?.callId).toBe(callId);
    }
  }
  for (const who of [zhang!, admin!]) {
    await (await callOwner(who)).getByRole("button", { name: "挂断" }).click();
  }
  await next.getByRole("button", { name: "挂断" }).click();
  for (const page of [zhang!.pages[2]!, rest[0]!, admin!.pages[0]!]) {
    await expect.poll(async () => (await groupCall(page)).status).toBe("idle");
  }
});
