/** Ten people in one group call on the media node; the owner tabs of three are killed while the others look on. */
import type { Page } from "@playwright/test";
import { launchOptions } from "../support/chromium.ts";
import { startWithColleagues } from "../support/colleagues.ts";
import { expectPairs, pairs } from "../support/conference.ts";
import { crash } from "../support/crash.ts";
import { expect, test as base } from "../support/fixtures.ts";
import {
  answer,
  callOwner,
  callPeople,
  chatOpen,
  groupCall,
  ringing,
} from "../support/group-call.ts";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";

const PEOPLE = 10;
/** Their owner tabs are killed, so they have another tab. */
const KILLED = 3;

const test = base.extend<object, object>({
  server: [
    async ({ browserName: _browser }, use) => {
      const server = await startWithColleagues(PEOPLE);
      await use(server);
      await server.dispose();
    },
    { scope: "worker", timeout: 240_000 },
  ],
});
// Ten cameras are encoded and ninety pictures decoded on one machine.
test.use({ launchOptions: launchOptions(["--use-fake-device-for-media-stream=fps=8"]) });

/** The connections that are open now, which `openStill` counts later. */
const keepConnections = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const open = (globalThis.peerConnections ?? []).filter(
      ({ connectionState }) => connectionState === "connected",
    );
    Object.assign(globalThis, { kept: open });
    return open.length;
  });
const openStill = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      (globalThis as unknown as { kept: RTCPeerConnection[] }).kept.filter(
        ({ connectionState }) => connectionState === "connected",
      ).length,
  );

test("Ten people see each other in one group call; three killed owner tabs come back in it, and the others go on uninterrupted", async ({
  people,
}) => {
  test.setTimeout(600_000);
  const names = Array.from({ length: PEOPLE }, (_, n) => `person${n}`);
  const all = [];
  for (const [n, name] of names.entries()) {
    all.push(await people.loggedIn(name, { tabs: n < KILLED ? 2 : 1 }));
  }
  await chatOpen(all.flatMap(({ pages }) => pages));
  const [caller, ...called] = all;
  await callPeople(
    caller!.pages[0]!,
    called.map((_, n) => `人${n + 1}`),
  );
  for (const { pages } of called) {
    await expect(ringing(pages[0]!)).toContainText("人0邀请你加入通话", {
      timeout: MEDIA_PATIENCE,
    });
    await answer(pages[0]!);
  }
  const others = (name: string): string[] => names.filter((one) => one !== name);
  for (const { name, pages } of all) await expectPairs(pages[0]!, others(name));
  const { callId } = (await groupCall(caller!.pages[0]!)).info!;

  const survivors = all.slice(KILLED);
  const between = survivors.map(({ name }) => name);
  for (const { pages } of survivors) await keepConnections(pages[0]!);
  const before = await Promise.all(survivors.map(({ pages }) => pairs(pages[0]!)));
  for (const who of all.slice(0, KILLED)) await crash(await callOwner(who));

  for (const who of all.slice(0, KILLED)) {
    const rest = { ...who, pages: [who.pages[1]!] };
    const next = await callOwner(rest);
    const restore = next.getByRole("button", { name: "还原窗口" });
    await restore.or(next.locator(".gcall")).first().waitFor();
    if (await restore.isVisible()) await restore.click();
    await expectPairs(next, others(who.name));
    await expect.poll(async () => (await groupCall(next)).info?.callId).toBe(callId);
  }
  for (const [n, { name, pages }] of survivors.entries()) {
    const page = pages[0]!;
    await expectPairs(page, others(name));
    // Own camera, and a connection for each survivor: none was built again, and each has gone on.
    expect(await openStill(page)).toBeGreaterThanOrEqual(between.length);
    const now = await pairs(page);
    for (const other of between.filter((one) => one !== name)) {
      const [was, is] = [before[n], now].map((list) => list?.find((one) => one.member === other));
      expect(is?.frames ?? 0).toBeGreaterThan(was?.frames ?? 0);
    }
    await expect.poll(async () => (await groupCall(page)).info?.callId).toBe(callId);
  }
});
