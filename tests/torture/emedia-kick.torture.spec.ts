/** A member whom an admin kicks is gone from every list at once, whichever client the member and the others have. */
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  memberNames,
} from "../support/conference.ts";
import { expect, test } from "../emedia/fixtures.ts";
import { rounds } from "../support/seed.ts";

const ROUNDS = rounds(20);
/** Most ms from the admin's click until no list has the member. */
const GONE = 5_000;

test(`A kicked member is gone from every list within ${GONE / 1000} s, ${ROUNDS} times`, async ({
  people,
  sdk,
}) => {
  test.setTimeout(120_000 + ROUNDS * 60_000);
  const admin = await people.loggedIn("admin", { path: CONFERENCE_PAGE });
  const page = admin.pages[0]!;
  const confrId = await createConference(page, "移出演练");
  const ops = await sdk("ops", { client: "library" });
  await ops.join(confrId);
  await ops.publish();
  await page.getByRole("button", { name: "成员" }).click();
  const lina = await sdk("lina");
  const listed = async () => ({
    console: await memberNames(page),
    // What people read.
    panel: await page.getByRole("button", { name: "对lina的操作" }).count(),
    tile: await page.locator('.conference-tile[data-member="lina"]').count(),
    library: await ops.members(),
  });
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await lina.join(confrId);
    await lina.publish();
    // In odd rounds the member goes while its streams are still being subscribed to.
    if (round % 2 === 0) await expectPictures(page, ["lina", "ops"]);
    await page.getByRole("button", { name: "对lina的操作" }).click();
    await page.getByRole("menuitem", { name: "移出会议" }).click();
    const at = Date.now();
    await page.getByRole("button", { name: "确定" }).click();
    await expect
      .poll(listed, { timeout: GONE, intervals: [50] })
      .toEqual({ console: ["admin", "ops"], panel: 0, tile: 0, library: ["admin"] });
    waits.push(Date.now() - at);
    await expect.poll(() => lina.events("exit")).toHaveLength(round + 1);
    // The package may try to come back until it closes its session, half a second later.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    expect(await listed()).toEqual({
      console: ["admin", "ops"],
      panel: 0,
      tile: 0,
      library: ["admin"],
    });
  }
  waits.sort((x, y) => x - y);
  console.log(
    `      gone from all lists after p50 ${waits[waits.length >> 1]} ms, at most ${waits.at(-1)} ms, ${ROUNDS} times`,
  );
});
