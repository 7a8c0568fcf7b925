/** A conference of four, each in a separate browser context: pictures, roles, requests, texts. Deaths are in tests/torture/conference-deaths. */
import {
  createConference,
  expectEqualViews,
  expectPictures,
  four,
  joinById,
  joinFromLobby,
  memberNames,
  others,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { inbound } from "../support/rtc.ts";

test("Four people use pictures, late joining, kick, roles, requests, mute all, attributes, texts and disband", async ({
  people,
  server,
}) => {
  test.setTimeout(300_000);
  const team = await four(people);
  const { admin, lina, ops, zhangwei } = team;
  const all = Object.values(team);
  const [a, l, o, z] = [admin.pages[0]!, lina.pages[0]!, ops.pages[0]!, zhangwei.pages[0]!];
  const confrId = await createConference(a, "周例会");
  await joinFromLobby(l, "周例会");
  await joinFromLobby(o, "周例会");
  await expectPictures(a, ["lina", "ops"]);
  // A late joiner sees the present members.
  await joinFromLobby(z, "周例会");
  for (const person of all) {
    const page = person.pages[0]!;
    await expectPictures(page, others(person.name));
    await expect.poll(async () => (await inbound(page)).openPeers).toBe(4);
  }
  await expectEqualViews(all);
  await expect.poll(() => server.metric("conference_members")).toBe(4);
  await expect.poll(() => server.metric("media_forwarded_streams")).toBe(12);
  // The member's other tab has the state but not the media.
  await expect(lina.pages[1]!.getByRole("button", { name: "在此标签页打开" })).toBeVisible();

  // Leave and come back.
  await o.getByRole("button", { name: "离开会议" }).click();
  await expect.poll(() => memberNames(a)).toEqual(["admin", "lina", "zhangwei"]);
  await joinById(o, confrId);
  await expectPictures(o, others("ops"));

  // A lower role removes the stream; a request restores the permission.
  await a.getByRole("button", { name: "成员" }).click();
  await a.getByRole("button", { name: "对张伟的操作" }).click();
  await a.getByRole("menuitem", { name: "设为观众" }).click();
  await expect
    .poll(async () => {
      const { members, streams } = await slice(l);
      const member = Object.values(members).find((one) => one.memName === "zhangwei");
      return [member?.role, Object.values(streams).some((one) => one.memId === member?.memId)];
    })
    .toEqual([1, false]);
  await expectEqualViews(all);
  const ask = z.getByRole("button", { name: "申请发言" });
  await ask.click();
  await a.getByRole("button", { name: "拒绝" }).click();
  await expect(ask).toBeEnabled();
  await ask.click();
  await a.getByRole("button", { name: "同意" }).click();
  // A role only permits: the person turns both devices on.
  await z.getByRole("button", { name: "打开麦克风" }).click();
  await z.getByRole("button", { name: "打开摄像头" }).click();
  await expectPictures(l, others("lina"));
  await expectEqualViews(all);

  // Mute all excludes admins and is announced once per change.
  await a.getByRole("button", { name: "全员静音", exact: true }).click();
  await a.getByText("允许成员自行解除静音").click();
  await a.getByRole("dialog").getByRole("button", { name: "全员静音" }).click();
  for (const page of [l, o, z]) {
    await expect(page.getByRole("button", { name: "取消静音" })).toBeVisible();
  }
  await expect(a.getByRole("button", { name: "静音", exact: true })).toBeVisible();
  await expectEqualViews(all);
  await a.getByRole("button", { name: "解除全员静音" }).click();
  for (const page of [l, o, z]) {
    await expect(page.getByRole("button", { name: "静音", exact: true })).toBeVisible();
  }

  // Attributes and texts.
  await expect(a.getByText("会议属性")).toHaveCount(0);
  await a.evaluate(() =>
    globalThis.consoleCore.commands.conference.setAttrs({ key: "议题", val: "消防检查" }),
  );
  await expect.poll(async () => (await slice(z)).attrs).toEqual({ 议题: "消防检查" });
  await expectEqualViews(all);
  await l.getByRole("button", { name: "消息", exact: true }).click();
  await l.getByLabel("发送给所有人").fill("大家好 <b>hi</b>");
  await l.keyboard.press("Enter");
  await z.getByRole("button", { name: "消息", exact: true }).click();
  await expect(z.getByRole("log")).toContainText("大家好 <b>hi</b>");

  // Kick.
  await a.getByRole("button", { name: "对李娜的操作" }).click();
  await a.getByRole("menuitem", { name: "移出会议" }).click();
  await a.getByRole("button", { name: "确定" }).click();
  await expect(l.getByText("您已被移出会议“周例会”")).toBeVisible();
  await expect.poll(() => memberNames(z)).toEqual(["admin", "ops", "zhangwei"]);
  await expect.poll(async () => (await inbound(l)).openPeers).toBe(0);

  // Disband.
  await a.getByRole("button", { name: "离开会议" }).click();
  await a.getByRole("button", { name: "为所有人结束" }).click();
  await expect.poll(async () => (await slice(a)).lastExit?.reason, "the admin has left").toBe(11);
  for (const page of [o, z]) await expect(page.getByText("会议“周例会”已结束")).toBeVisible();
  for (const person of all) {
    const { lastExit } = await slice(person.pages[0]!);
    expect([0, 11, 12]).toContain(lastExit?.reason);
    await expect.poll(async () => (await inbound(person.pages[0]!)).openPeers).toBe(0);
  }
  await expect.poll(async () => (await slice(o)).lastExit?.reason).toBe(11);
  await expect.poll(() => server.metric("conference_members")).toBe(0);
  await expect.poll(() => server.metric("media_forwarded_streams")).toBe(0);
});
