/** The tab that carries a call ends in every possible way. The call stays, and the other side sees new frames. */
import type { Page } from "@playwright/test";
import {
  answerButton,
  callId,
  callStatus,
  dial,
  expectMedia,
  expectMovingPicture,
  hangUpButton,
  ownerOf,
  waitForOwner,
} from "../support/calls.ts";
import { crash } from "../support/crash.ts";
import { expect, test } from "../support/fixtures.ts";
import { readGap, watchGap } from "../support/gap.ts";
import type { Person } from "../support/people.ts";
import { timeLimit } from "../support/time-limits.ts";

async function inCall(zhang: Person, li: Person): Promise<{ ownPage: Page; theirs: Page }> {
  await dial(zhang.pages[1]!, "李娜");
  await answerButton(li.pages[0]!).click();
  const ownPage = await waitForOwner(zhang.pages);
  const theirs = await waitForOwner(li.pages);
  await expectMedia(theirs);
  await expectMedia(ownPage);
  return { ownPage, theirs };
}

const others = (who: Person, page: Page): Page[] =>
  who.pages.filter((p) => p !== page && !p.isClosed());

for (const way of ["closed", "reloaded", "killed"] as const) {
  test(`When the owner's tab is ${way}, the call id stays and new frames arrive`, async ({
    people,
  }) => {
    const zhang = await people.loggedIn("zhangwei", { tabs: 4 });
    const li = await people.loggedIn("lina", { tabs: 2 });
    const { ownPage, theirs } = await inCall(zhang, li);
    expect(ownPage).toBe(zhang.pages[1]);
    const id = await callId(theirs);
    if (way === "closed") await ownPage.close();
    if (way === "reloaded") await ownPage.reload();
    if (way === "killed") await crash(ownPage);
    const alive =
      way === "killed" ? others(zhang, ownPage) : zhang.pages.filter((p) => !p.isClosed());
    const next = await waitForOwner(alive);
    await expectMedia(theirs);
    await expectMedia(next);
    await expectMovingPicture(theirs);
    await expect.poll(() => callId(theirs)).toBe(id);
    await expect.poll(() => callId(next)).toBe(id);
    await expect.poll(() => callStatus(next)).toBe("chat");
    await hangUpButton(next).first().click();
    await expect.poll(() => callStatus(theirs)).toBe("idle");
  });
}

test("When the tab that created the worker is killed, no login is needed, the call continues, and all tabs agree", async ({
  people,
  server,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 4 });
  const li = await people.loggedIn("lina", { tabs: 1 });
  const { ownPage, theirs } = await inCall(zhang, li);
  const id = await callId(theirs);
  const creator = zhang.pages[0]!;
  expect(ownPage).not.toBe(creator);
  const logins = await server.metric("http_requests_total", { route: "/uaa/login/username" });
  const epoch = await ownPage.evaluate(() => globalThis.consoleCore.state.worker.coreId);
  const began = await crash(creator);
  const alive = others(zhang, creator);
  for (const page of alive) {
    await expect
      .poll(
        () =>
          page.evaluate(() => {
            const { connection, state } = globalThis.consoleCore;
            return `${connection.state} ${state.session.status} ${state.call.status} ${state.call.info?.callId}`;
          }),
        { intervals: [20] },
      )
      .toBe(`ready authenticated chat ${id}`);
  }
  const consistent = Date.now() - began;
  test.info().annotations.push({ type: "consistent after", description: `${consistent} ms` });
  expect(consistent).toBeLessThan(timeLimit(2000));
  await expect
    .poll(() => ownPage.evaluate(() => globalThis.consoleCore.state.worker.coreId))
    .not.toBe(epoch);
  await expect
    .poll(() => server.metric("http_requests_total", { route: "/uaa/login/username" }))
    .toBe(logins);
  const owner = await waitForOwner(alive);
  await expectMedia(theirs);
  await expectMedia(owner);
  await expect.poll(() => server.metric("chat_sockets")).toBe(2);
});

/** Records, in the page that stays, when each connection decodes its first frame and when it is closed. */
const recordLives = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const lives: { decodes: number | null; closed: number | null }[] = [];
    (globalThis as { connectionLives?: typeof lives }).connectionLives = lives;
    setInterval(() => {
      for (const [at, pc] of (globalThis.peerConnections ?? []).entries()) {
        const life = (lives[at] ??= { decodes: null, closed: null });
        if (pc.connectionState === "closed") life.closed ??= performance.now();
        else if (life.decodes === null) {
          // The answer takes some ms, in which the page has shown the frame and closed the former connection.
          const asked = performance.now();
          void pc.getStats().then((report) => {
            report.forEach((entry: Record<string, unknown>) => {
              const frames = entry["kind"] === "video" ? Number(entry["framesDecoded"] ?? 0) : 0;
              if (frames > 0) life.decodes ??= asked;
            });
          });
        }
      }
    }, 5);
  });

test("A person can move the media to another tab on purpose: the new connection decodes before the former one closes", async ({
  people,
}) => {
  const zhang = await people.loggedIn("zhangwei", { tabs: 3 });
  const li = await people.loggedIn("lina");
  const { ownPage, theirs } = await inCall(zhang, li);
  const target = zhang.pages[2]!;
  const id = await callId(theirs);
  await recordLives(theirs);
  await target.bringToFront();
  await target.getByRole("button", { name: "还原窗口" }).click();
  await theirs.bringToFront();
  await watchGap(theirs);
  await target.getByRole("button", { name: "在此标签页显示" }).click();
  await expect.poll(async () => (await ownerOf(zhang.pages)) === target).toBe(true);
  const gap = await readGap(theirs);
  await expectMedia(theirs);
  await expectMovingPicture(target);
  await expect.poll(() => callId(target)).toBe(id);
  const lives = await theirs.evaluate(
    () =>
      (globalThis as { connectionLives?: { decodes: number | null; closed: number | null }[] })
        .connectionLives ?? [],
  );
  expect(lives).toHaveLength(2);
  const [former, next] = lives;
  expect(next?.decodes).not.toBeNull();
  expect(former?.closed).toBeGreaterThanOrEqual(next?.decodes ?? Infinity);
  await expect
    .poll(() => ownPage.evaluate(() => globalThis.peerConnections?.at(-1)?.connectionState))
    .toBe("closed");
  expect(gap.black).toBe(0);
  test.info().annotations.push({ type: "gap", description: JSON.stringify(gap) });
});
