/** Two people with ten tabs each: one set of sockets per person, a ring in every tab, one call. */
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  expectMovingPicture,
  hangUpButton,
  shownSeconds,
  waitForOwner,
} from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";

test("Two people with ten tabs each use one socket of each kind, and a call rings in all tabs", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 10 });
  const li = await people.loggedIn("lina", { tabs: 10 });
  await expect.poll(() => server.metric("chat_sockets")).toBe(2);
  await expect.poll(() => server.metric("signalling_sockets")).toBeLessThanOrEqual(2);
  await expect.poll(() => server.metric("quality_sockets")).toBeLessThanOrEqual(2);

  const caller = zhang.pages[0]!;
  await dial(caller, "李娜");
  for (const page of li.pages) await expect(answerButton(page)).toBeVisible();
  for (const page of zhang.pages) await expect(hangUpButton(page)).toBeVisible();

  // Answer in a tab that is not in front.
  await li.pages[0]!.bringToFront();
  await answerButton(li.pages[6]!).click();
  for (const page of [...zhang.pages, ...li.pages]) {
    await expect.poll(() => callStatus(page)).toBe("chat");
  }
  for (const page of li.pages) await expect(answerButton(page)).toHaveCount(0);

  const zhangOwner = await waitForOwner(zhang.pages);
  const liOwner = await waitForOwner(li.pages);
  await expectMedia(zhangOwner);
  await expectMedia(liOwner);
  await expectMovingPicture(zhangOwner);
  await expectMovingPicture(liOwner);

  await expect.poll(() => server.metric("chat_sockets")).toBe(2);
  await expect.poll(() => server.metric("signalling_sockets")).toBe(2);
  await expect.poll(() => server.metric("quality_sockets")).toBe(2);

  await expect.poll(() => shownSeconds(zhangOwner)).toBeGreaterThan(2);
  const seconds = await Promise.all([...zhang.pages, ...li.pages].map(shownSeconds));
  expect(Math.max(...seconds) - Math.min(...seconds)).toBeLessThanOrEqual(1);
  // All tabs of a person have the same start time. The shown seconds differ only by the time of reading.
  const starts = await Promise.all(
    zhang.pages.map((page) => page.evaluate(() => globalThis.consoleCore.state.call.startedAt)),
  );
  expect(new Set(starts).size).toBe(1);
  const ids = await Promise.all([...zhang.pages, ...li.pages].map(callId));
  expect(new Set(ids).size).toBe(1);

  await hangUpButton(zhang.pages[3]!).first().click();
  for (const page of [...zhang.pages, ...li.pages]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
  }
  await expect.poll(() => server.metric("signalling_sockets")).toBe(0);
  await expect.poll(() => server.metric("quality_sockets")).toBe(0);

  // Ten of the tabs close. They leave no trace, and the sockets stay.
  for (const page of [...zhang.pages.slice(5), ...li.pages.slice(5)]) await page.close();
  const left = zhang.pages[0]!;
  await expect
    .poll(() => left.evaluate(() => Object.keys(globalThis.consoleCore.state.tabs.byId).length))
    .toBe(5);
  await expect.poll(() => server.metric("chat_sockets")).toBe(2);

  // The last tabs close too. The core lingers and then closes its sockets.
  for (const page of li.pages.slice(0, 5)) await page.close();
  await expect.poll(() => server.metric("chat_sockets"), { timeout: 60_000 }).toBe(1);
});
