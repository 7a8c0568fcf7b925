/**
 * The person whom an event of a group concerns reads of it in each tab that they can see: the texts and styles of the
 * specification's group presence (docs/chat.md#group-events).
 */
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { createGroup, expectConnected } from "../support/groups.ts";
import { expectNotice, inGroup } from "../support/group-notices.ts";

const NAME = "夜间巡查";

test("Each event of a group says its text in its style, in every visible tab of the person whom it concerns", async ({
  people,
}) => {
  const zhang = (await people.loggedIn("zhangwei", { tabs: 2 })).pages;
  const li = (await people.loggedIn("lina", { tabs: 2 })).pages;
  await expectConnected([...zhang, ...li]);
  const [owner, member] = [zhang[0]!, li[0]!];
  /** The act is done, and both tabs of the person say so. */
  const says = async (
    pages: readonly Page[],
    style: "success" | "info" | "warning" | "error",
    text: string,
    run: () => Promise<unknown>,
  ): Promise<void> => {
    await run();
    for (const page of pages) await expectNotice(page, style, text);
  };

  let id = "";
  await says(li, "success", `张伟邀请您加入了群组“${NAME}”`, async () => {
    id = await createGroup(owner, NAME, ["lina"]);
  });
  await says(li, "warning", `您已被移出群组“${NAME}”`, () =>
    inGroup(owner, "remove", { groupId: id, userName: "lina" }),
  );
  await inGroup(owner, "settings", { groupId: id, inviteConfirm: true, approval: true });

  const invite = (): Promise<void> =>
    says(li, "info", `张伟邀请您加入群组“${NAME}”，请在群通知中处理`, () =>
      inGroup(owner, "invite", { groupId: id, members: ["lina"] }),
    );
  await invite();
  await says(zhang, "warning", `李娜拒绝了加入群组“${NAME}”的邀请`, () =>
    inGroup(member, "answerInvitation", { groupId: id, accept: false }),
  );
  // The person who declined reads it in the style of a success.
  for (const page of li) await expectNotice(page, "success", "已拒绝加入群组");

  for (const accept of [false, true]) {
    await says(zhang, "info", `李娜申请加入群组“${NAME}”，请在群通知中处理`, () =>
      inGroup(member, "join", { groupId: id, message: "值夜班" }),
    );
    await says(
      li,
      accept ? "success" : "warning",
      accept ? `您已加入群组“${NAME}”` : `您加入群组“${NAME}”的申请被拒绝`,
      () => inGroup(owner, "answerApplication", { groupId: id, userName: "lina", accept }),
    );
  }
  await says(li, "error", `群组“${NAME}”已解散`, () => inGroup(owner, "dissolve", { groupId: id }));
  // What a person did says nothing to themselves.
  for (const page of zhang) {
    await expect(page.locator(".arco-message").filter({ hasText: "已解散" })).toHaveCount(0);
  }
});
