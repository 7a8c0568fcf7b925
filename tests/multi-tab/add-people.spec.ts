/** A call of two becomes a group call: three people, no gap for the two, and one record after the other. */
import type { Page } from "@playwright/test";
import { expectPairs } from "../support/conference.ts";
import { answerButton, callStatus, dial, expectMedia, hangUpButton } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { answer, chatOpen, choose, groupCall, inCall, ringing } from "../support/group-call.ts";

// Records of other tests must not stand in the list.
test.use({ serverEnv: { TEST_SERVER: "add people" } });

/** What had come by way of the conference at the moment when the page closed the connection of the call of two. */
interface Moved {
  /** Frames that the other people's tiles had shown. */
  readonly frames: number;
  /** Other people's sounds of which packets had come. */
  readonly sounds: number;
}
type Watching = typeof globalThis & { moved?: Moved };

/** Counts when the connections that are open now are closed. */
const watchMove = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const peers = globalThis.peerConnections ?? [];
    const old = peers.filter(({ connectionState }) => connectionState === "connected");
    for (const pc of old) {
      const close = pc.close.bind(pc);
      pc.close = () => {
        const sounds = peers
          .filter((one) => !old.includes(one) && one.connectionState === "connected")
          .flatMap((one) => one.getReceivers())
          .filter(({ track }) => track.kind === "audio")
          .filter((receiver) => receiver.getSynchronizationSources().length > 0);
        const shown = [...document.querySelectorAll("video")].filter(
          (video) =>
            video.closest(".gcall .conference-tile") !== null && video.dataset["self"] !== "true",
        );
        const frames = shown.map((video) => video.getVideoPlaybackQuality().totalVideoFrames);
        (globalThis as Watching).moved ??= {
          frames: frames.reduce((sum, one) => sum + one, 0),
          sounds: sounds.length,
        };
        close();
      };
    }
  });
const moved = (page: Page): Promise<Moved | null> =>
  page.evaluate(() => (globalThis as Watching).moved ?? null);

test("Somebody is added to a call of two: the two have sound and picture by way of the conference before the call closes", async ({
  people,
}) => {
  const all = await Promise.all(["zhangwei", "lina", "admin"].map((name) => people.loggedIn(name)));
  const [zhang, li, admin] = all.map((who) => who.pages[0]!) as [Page, Page, Page];
  await chatOpen([zhang, li, admin]);
  await dial(zhang, "李娜");
  await answerButton(li).click();
  for (const page of [zhang, li]) {
    await expect.poll(() => callStatus(page)).toBe("chat");
    await expectMedia(page);
    await watchMove(page);
  }

  await zhang.getByRole("button", { name: "添加成员" }).click();
  await choose(zhang, ["管理员"], "呼叫");
  for (const page of [zhang, li]) {
    await expect.poll(() => callStatus(page)).toBe("idle");
    await inCall(page);
  }
  await expect(ringing(admin)).toContainText("张伟邀请您加入通话");
  await expect(li.getByText("张伟添加了成员，已转为群通话")).toBeVisible();
  await answer(admin);
  await expectPairs(zhang, ["admin", "lina"]);
  await expectPairs(li, ["admin", "zhangwei"]);
  await expectPairs(admin, ["lina", "zhangwei"]);
  for (const page of [zhang, li]) {
    const seen = await moved(page);
    expect(seen?.frames).toBeGreaterThan(0);
    expect(seen?.sounds).toBe(1);
  }
  const ids = await Promise.all(
    [zhang, li, admin].map(async (page) => (await groupCall(page)).info?.callId),
  );
  expect(new Set(ids).size).toBe(1);

  for (const page of [zhang, li, admin]) await hangUpButton(page).click();
  for (const page of [zhang, li, admin]) {
    await expect.poll(async () => (await groupCall(page)).status).toBe("idle");
  }
  await zhang.goto("/im/calls");
  // One record of the group call follows that of the call of two.
  const rows = zhang.getByRole("table").getByRole("row").filter({ hasText: "视频" });
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("呼出 · 群通话 · 视频");
  await expect(rows.last()).toContainText("呼出 · 视频");
  for (const row of await rows.all()) await expect(row).toContainText("已接通");
});
