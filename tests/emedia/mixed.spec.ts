/** The unmodified package easemob-emedia and the console in one conference. */
import { CONFERENCE_PAGE, expectPairs, joinById } from "../support/conference.ts";
import { expect, OTHER_ORIGIN, test } from "./fixtures.ts";

test("The console joins a conference of a client, is muted there, and sees its screen end", async ({
  people,
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await people.loggedIn("ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  const confrId = await lina.host();
  await joinById(page, confrId);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  await lina.act("mute", "ops", true);
  await expect(page.getByRole("button", { name: "取消静音" })).toBeVisible();
  await lina.act("close");
  await expect(page.locator(".confr-room")).toHaveCount(0);
});

test("A client on another host's page joins by the address of this server alone", async ({
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops", { page: OTHER_ORIGIN });
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.publish();
  await ops.expectMedia("lina");
  await lina.expectMedia("ops");
});
