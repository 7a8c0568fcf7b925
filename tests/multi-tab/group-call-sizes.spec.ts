/** A group call of 9 and of 30 people: each is seen in every window. Those without a browser enter without media, as in a call with sound alone. */
import type { Page } from "@playwright/test";
import { hireColleagues } from "../support/colleagues.ts";
import { observe, type Observer } from "../support/conference-observer.ts";
import { expect, test } from "../support/fixtures.ts";
import { chatOpen, groupCall, inCall } from "../support/group-call.ts";
import { expectAccessible, shoot } from "../support/look.ts";

const COLLEAGUES = Array.from({ length: 29 }, (_, n) => `n${n + 1}`);
/** Least width and height of a tile, px. In a smaller one the name covers the face. */
const LEAST = { width: 84, height: 64 };
const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 300, height: 620 },
  { width: 844, height: 390 },
] as const;

test.use({ serverEnv: { TEST_SERVER: "sizes of group calls" }, serverDatabase: "embedded" });

/** The tiles that are too small, and those that a person cannot scroll to. */
const badTiles = (page: Page): Promise<string[]> =>
  page.evaluate((least) => {
    const bad: string[] = [];
    for (const tile of document.querySelectorAll<HTMLElement>(".gcall .conference-tile")) {
      tile.scrollIntoView({ block: "nearest" });
      const { width, height } = tile.getBoundingClientRect();
      // The name stands there.
      const name = tile.querySelector("figcaption")?.getBoundingClientRect() ?? new DOMRect();
      const who = tile.dataset["member"] ?? "";
      if (width < least.width || height < least.height) {
        bad.push(`${who} has ${Math.round(width)} x ${Math.round(height)}`);
      }
      const at = document.elementFromPoint(
        name.x + Math.min(name.width, width) / 2,
        name.y + name.height / 2,
      );
      if (at === null || !tile.contains(at)) bad.push(`the name of ${who} is covered or cut off`);
    }
    return bad;
  }, LEAST);

test("9 and 30 people in a group call: every tile is large enough and can be reached, in each window", async ({
  people,
  server,
}) => {
  await hireColleagues(server, COLLEAGUES);
  const zhang = await people.loggedIn("zhangwei");
  const page = zhang.pages[0]!;
  await chatOpen([page]);
  await page.evaluate(async (names) => {
    const { groupCall: commands } = globalThis.consoleCore.commands;
    await commands.start({ media: "voice", groupId: null, people: names });
  }, COLLEAGUES);
  await inCall(page);
  const confrId = (await groupCall(page)).info!.channel;
  const observers: Observer[] = [];
  try {
    for (const count of [9, 30]) {
      const missing = COLLEAGUES.slice(observers.length, count - 1);
      observers.push(
        ...(await Promise.all(missing.map((name) => observe(server.url, name, confrId, 3)))),
      );
      await expect(page.locator(".gcall .conference-tile")).toHaveCount(count);
      for (const size of WINDOWS) {
        await page.setViewportSize(size);
        await expect
          .poll(() => badTiles(page), `${count} people at ${size.width} x ${size.height}`)
          .toEqual([]);
      }
      // A face lies under them where tiles are small.
      const tools = page.getByRole("group", { name: "画面操作" });
      await page.mouse.move(0, 0);
      await expect(tools).toHaveCSS("opacity", "0");
      await page.locator(".gcall .conference-tile").first().hover();
      await expect(tools).toHaveCSS("opacity", "1");
      await shoot(page, `group-call-${count}`);
      await expectAccessible(page, `a group call of ${count}`, ".gcall");
    }
  } finally {
    for (const observer of observers) observer.close();
  }
});
