/** A call of two becomes a group call: what the two hear of each other meanwhile, sample by sample. */
import type { Page } from "@playwright/test";
import { answerButton, callStatus, dial, expectMedia, hangUpButton } from "../support/calls.ts";
import { expectPictures } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { answer, chatOpen, choose, inCall } from "../support/group-call.ts";
import { allowSilence, humming, readSilence, watchSilence } from "../support/silence.ts";

/** ms. */
const LONGEST_SILENCE = 60;

test.use({ serverEnv: { TEST_SERVER: "silence" } });

test("While a third person is added, the two of a call hear each other without a silence of more than 60 ms", async ({
  people,
}) => {
  const initScript = `(${humming.toString()})()`;
  const all = await Promise.all(
    ["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name, { initScript })),
  );
  const [zhang, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  for (const { context, pages } of all) {
    await allowSilence(context);
    await pages[0]!.reload();
  }
  await chatOpen([zhang, li, admin]);
  await dial(zhang, "李娜");
  await answerButton(li).click();
  for (const page of [zhang, li]) {
    await expect.poll(() => callStatus(page)).toBe("chat");
    await expectMedia(page);
    await watchSilence(page);
  }
  for (const page of [zhang, li]) {
    await expect.poll(async () => (await readSilence(page)).heard).toBeGreaterThan(1000);
  }

  const before = new Map<Page, number>();
  for (const page of [zhang, li]) before.set(page, (await readSilence(page)).longest);

  await zhang.getByRole("button", { name: "添加成员" }).click();
  await choose(zhang, ["管理员"], "呼叫");
  for (const page of [zhang, li]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
    await inCall(page);
    // The tone comes by way of the media node now.
    const { heard } = await readSilence(page);
    await expect.poll(async () => (await readSilence(page)).heard).toBeGreaterThan(heard + 2000);
  }
  for (const page of [zhang, li]) {
    const { longest, at, heard } = await readSilence(page);
    console.log(
      `      longest silence ${longest} ms, at ${at} of ${heard} ms; before the move ${before.get(page)} ms`,
    );
    expect(longest).toBeLessThanOrEqual(LONGEST_SILENCE);
  }
  await answer(admin);
  await expectPictures(zhang, ["admin", "lina"]);

  // The measurement hears a silence.
  await zhang.getByRole("button", { name: "静音", exact: true }).click();
  await admin.getByRole("button", { name: "静音", exact: true }).click();
  await expect.poll(async () => (await readSilence(li)).longest).toBeGreaterThan(500);
  for (const page of [zhang, li, admin]) await hangUpButton(page).click();
});
