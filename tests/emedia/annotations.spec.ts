/** The unmodified package easemob-emedia in a conference where others draw over its picture. */
import { CONFERENCE_PAGE, expectPairs, joinById, slice } from "../support/conference.ts";
import { expect, test } from "./fixtures.ts";

test("A client that knows no annotations keeps its picture and stays while its picture is drawn over", async ({
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
  const { streams } = await slice(page);
  const streamId = Object.values(streams).find(({ memId }) => memId === "lina")?.id ?? "";
  await page.evaluate(async (id) => {
    for (let index = 0; index < 60; index += 1) {
      await globalThis.consoleCore.commands.conference.annotate({
        streamId: id,
        changes: [
          {
            t: "add",
            id: `m${index}`,
            tool: "line",
            colour: "#ff3b30",
            size: 60,
            points: [index * 100, 0, 10_000, index * 100],
          },
        ],
      });
    }
  }, streamId);
  const painted = () =>
    page
      .locator(`.conference-tile[data-stream="${streamId}"] .conference-marks`)
      .evaluate((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const pixels = (canvas as HTMLCanvasElement)
          .getContext("2d")
          ?.getImageData(0, 0, width, height);
        return pixels?.data.some((value) => value !== 0) ?? false;
      });
  await expect.poll(painted).toBe(true);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  expect(await lina.events("exit")).toEqual([]);
  expect(await lina.events("message")).toEqual([]);
});
