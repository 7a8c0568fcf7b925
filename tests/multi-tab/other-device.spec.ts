/** A call goes on on another device of a person (docs/calls.md#to-another-device): another browser profile with the same account. */
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  expectMovingPicture,
  hangUpButton,
  ownerOf,
} from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { readGap, watchGap } from "../support/gap.ts";

test("A person goes on on another device: its pictures flow, the first one reads so, and the other side keeps its call", async ({
  people,
}) => {
  const desk = (await people.loggedIn("zhangwei")).pages[0]!;
  const other = (await people.loggedIn("lina")).pages[0]!;
  await dial(desk, "李娜");
  await answerButton(other).click();
  await expectMedia(desk);
  await expectMedia(other);
  const id = await callId(other);

  const phone = (await people.loggedIn("zhangwei")).pages[0]!;
  const bar = phone.getByRole("status", { name: "通话正在另一台设备上进行" });
  await expect(bar).toContainText("李娜");
  await other.bringToFront();
  await watchGap(other);
  await bar.getByRole("button", { name: "在此设备继续" }).click();

  await expect.poll(() => callStatus(phone)).toBe("chat");
  await expectMedia(phone);
  await expectMovingPicture(phone);
  await expect(bar).toBeHidden();
  await expect(desk.getByText("通话已转到您的另一台设备。").first()).toBeVisible();
  await expect.poll(() => callStatus(desk)).toBe("idle");
  await expect.poll(() => ownerOf([desk])).toBeNull();
  await expectMovingPicture(other);
  const gap = await readGap(other);
  expect(gap.black).toBe(0);
  expect([await callId(phone), await callId(other)]).toEqual([id, id]);
  // The way back is offered there, until the person closes the bar.
  await expect(desk.getByRole("button", { name: "在此设备继续" })).toBeVisible();
  await desk.getByRole("button", { name: "不再显示此通话" }).click();
  await expect(desk.getByRole("button", { name: "在此设备继续" })).toBeHidden();

  await hangUpButton(phone).first().click();
  for (const page of [phone, other]) await expect.poll(() => callStatus(page)).toBe("idle");
});
