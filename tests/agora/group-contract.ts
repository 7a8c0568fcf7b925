/**
 * The contract of a group call with real media, the same on both engines (docs/calls.md#agora-engine): three people, of whom one has two tabs.
 * The media go by the media node, or by the cloud that stands in for Agora's. The finer steps are those of src/rtc-main/contract.test.ts.
 */
import type { Page } from "@playwright/test";
import { agoraUidOf } from "../../src/server/modules/calls/agora-tokens.ts";
import { answerButton, callStatus, dial, expectMedia, waitForOwner } from "../support/calls.ts";
import { expectPictures, slice } from "../support/conference.ts";
import { expect, test as base } from "../support/fixtures.ts";
import {
  answer,
  callOwner,
  callPeople,
  chatOpen,
  choose,
  groupCall,
  inCall,
  ringing,
} from "../support/group-call.ts";
import type { Person } from "../support/people.ts";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";
import { type AgoraCloud, createAgoraCloud } from "./cloud.ts";

export const KEYS = {
  appId: "970ca35de60c44645bbae8a215061b33",
  certificate: "5cfd2fd1755d40ecb72977518be15d3b",
};
export const AGORA_ENV = { AGORA_APP_ID: KEYS.appId, AGORA_APP_CERTIFICATE: KEYS.certificate };

interface ThreePeople {
  /** null: the media node carries the media. */
  readonly cloud: AgoraCloud | null;
  readonly zhang: Person;
  readonly li: Person;
  readonly admin: Person;
}
const NAMES = ["admin", "lina", "zhangwei"] as const;
const others = (name: string): string[] => NAMES.filter((one) => one !== name);
const [ZHANG, LI] = [agoraUidOf("zhangwei"), agoraUidOf("lina")];

/** No tile is wider than 320 CSS px, so each gets the low picture. */
const SMALL_WINDOW = { width: 640, height: 360 };
const LARGE_WINDOW = { width: 1280, height: 800 };
/** Widest picture of the low layer of 640 pixels. */
const LOW = 160;

/** What the page knows of the camera of a member: whether it is off, and the layer that comes. */
const streamOf = (page: Page, memName: string) =>
  slice(page).then(({ members, streams }) => {
    const found = Object.values(streams).find(({ memId }) => members[memId]?.memName === memName);
    return found === undefined
      ? null
      : { muted: found.aoff === 1, dark: found.voff === 1, layer: found.layer };
  });
/** Width of the picture in the tile of a member, px. */
const widthOf = (page: Page, memName: string): Promise<number> =>
  page
    .locator(`.conference-tile[data-member="${memName}"] video`)
    .evaluate((video: HTMLVideoElement) => video.videoWidth);

export function groupContract(engine: "native" | "agora"): void {
  const test = base.extend<{ three: ThreePeople }>({
    three: async ({ people }, use) => {
      const cloud = engine === "agora" ? createAgoraCloud(KEYS) : null;
      const zhang = await people.loggedIn("zhangwei", { tabs: 2 });
      const li = await people.loggedIn("lina");
      const admin = await people.loggedIn("admin");
      for (const { context } of [zhang, li, admin]) await cloud?.serve(context);
      await use({ cloud, zhang, li, admin });
    },
  });
  test.use({
    serverEnv: { TEST_SERVER: `group ${engine}`, ...(engine === "agora" ? AGORA_ENV : {}) },
  });

  /** 张伟 calls the other two, who answer. */
  async function call({ zhang, li, admin }: ThreePeople) {
    const pages = [zhang, li, admin].map((who) => who.pages[0]!) as [Page, Page, Page];
    await chatOpen(pages);
    await callPeople(pages[0], ["李娜", "管理员"]);
    for (const page of pages.slice(1)) {
      await expect(ringing(page)).toContainText("张伟邀请您加入通话");
      await answer(page);
    }
    await inCall(pages[0]);
    for (const who of [zhang, li, admin]) {
      await expectPictures(await callOwner(who), others(who.name));
    }
    return pages;
  }

  test(`${engine}: three people see and hear each other; mute, camera, sizes of tiles; one leaves and joins again`, async ({
    three,
  }) => {
    test.setTimeout(240_000);
    const { cloud, li } = three;
    const [zhangPage, liPage, adminPage] = await call(three);
    if (cloud !== null) expect(cloud.sizes()).toEqual([3]);
    const share = zhangPage.getByRole("button", { name: "共享屏幕" });
    if (cloud === null) await expect(share).toBeEnabled();
    else {
      await expect(share).toBeDisabled();
      await expect(share).toHaveAccessibleDescription("此通话由声网承载，不能共享屏幕");
    }

    // Muted and dark, for the others too.
    await zhangPage.getByRole("button", { name: "静音", exact: true }).click();
    await zhangPage.getByRole("button", { name: "关闭摄像头" }).click();
    for (const page of [liPage, adminPage]) {
      await expect
        .poll(() => streamOf(page, "zhangwei"))
        .toMatchObject({ muted: true, dark: true });
    }
    await zhangPage.getByRole("button", { name: "取消静音" }).first().click();
    await zhangPage.getByRole("button", { name: "打开摄像头" }).click();
    await expect
      .poll(() => streamOf(liPage, "zhangwei"))
      .toMatchObject({ muted: false, dark: false });
    await expectPictures(liPage, others("lina"));

    // Small tiles get the low picture, large ones the high picture.
    await liPage.setViewportSize(SMALL_WINDOW);
    await expect.poll(() => streamOf(liPage, "zhangwei")).toMatchObject({ layer: "low" });
    await expect
      .poll(() => widthOf(liPage, "zhangwei"), { timeout: MEDIA_PATIENCE })
      .toBeLessThanOrEqual(LOW);
    if (cloud !== null) expect(cloud.layers.get(`${LI} of ${ZHANG}`)).toBe("low");
    await liPage.setViewportSize(LARGE_WINDOW);
    await expect.poll(() => streamOf(liPage, "zhangwei")).toMatchObject({ layer: "high" });
    await expect
      .poll(() => widthOf(liPage, "zhangwei"), { timeout: MEDIA_PATIENCE })
      .toBeGreaterThan(LOW);

    // One leaves, and joins again.
    await liPage.getByRole("button", { name: "挂断" }).click();
    await expectPictures(adminPage, ["zhangwei"]);
    if (cloud !== null) await expect.poll(() => cloud.sizes()).toEqual([2]);
    await li.pages[0]!.getByRole("button", { name: "加入通话" }).click();
    await inCall(liPage);
    await expectPictures(liPage, others("lina"));
    await expectPictures(adminPage, others("admin"));

    for (const page of [zhangPage, liPage, adminPage]) {
      await page.getByRole("button", { name: "挂断" }).click();
      await expect.poll(async () => (await groupCall(page)).status).toBe("idle");
    }
    if (cloud !== null) {
      await expect.poll(() => cloud.sizes()).toEqual([]);
      expect(cloud.refusals).toEqual([]);
    }
  });

  test(`${engine}: when the owner's tab is closed, another carries the media of the same call`, async ({
    three,
  }) => {
    test.setTimeout(240_000);
    const { cloud, zhang } = three;
    const [, liPage, adminPage] = await call(three);
    const { callId } = (await groupCall(liPage)).info!;
    await (await callOwner(zhang)).close();
    const next = await callOwner(zhang);
    const restore = next.getByRole("button", { name: "还原窗口" });
    await expect(restore.or(next.locator(".gcall"))).toBeVisible();
    if (await restore.isVisible()) await restore.click();
    await expectPictures(next, others("zhangwei"));
    await expectPictures(liPage, others("lina"));
    await expectPictures(adminPage, others("admin"));
    await expect.poll(async () => (await groupCall(next)).info?.callId).toBe(callId);
    if (cloud === null) return;
    expect(cloud.log.filter((line) => line === `join ${ZHANG}`)).toHaveLength(2);
    expect(cloud.sizes()).toEqual([3]);

    // Tokens end: first they are announced, then they are over.
    const joins = cloud.log.length;
    await cloud.tokensEnd("expiring");
    const all = NAMES.map(agoraUidOf);
    const sorted = (what: string) => all.map((uid) => `${what} ${uid}`).toSorted();
    await expect.poll(() => cloud.log.slice(joins).toSorted()).toEqual(sorted("renew"));
    await cloud.tokensEnd("expired");
    await expect.poll(() => cloud.log.slice(joins + 3).toSorted()).toEqual(sorted("join"));
    await expectPictures(next, others("zhangwei"));
    await expectPictures(liPage, others("lina"));
    expect(cloud.refusals).toEqual([]);
  });

  test(`${engine}: somebody is added to a call of two, and all three see each other in one channel`, async ({
    three,
  }) => {
    test.setTimeout(240_000);
    const { cloud, zhang, li, admin } = three;
    const [liPage, adminPage] = [li.pages[0]!, admin.pages[0]!];
    await chatOpen([zhang.pages[0]!, liPage, adminPage]);
    await dial(zhang.pages[0]!, "李娜");
    await answerButton(liPage).click();
    const owner = await waitForOwner(zhang.pages);
    for (const page of [owner, liPage]) await expectMedia(page);

    await owner.getByRole("button", { name: "添加成员" }).click();
    await choose(owner, ["管理员"], "呼叫");
    for (const page of [owner, liPage]) {
      await expect.poll(() => callStatus(page)).toBe("idle");
      await inCall(page);
    }
    await expectPictures(owner, ["lina"]);
    await answer(adminPage);
    for (const who of [zhang, li, admin]) {
      await expectPictures(await callOwner(who), others(who.name));
    }
    const ids = await Promise.all(
      [owner, liPage, adminPage].map(async (page) => (await groupCall(page)).info?.callId),
    );
    expect(new Set(ids).size).toBe(1);
    if (cloud === null) return;
    // Nobody has stayed in the channel of the call of two.
    await expect.poll(() => cloud.sizes()).toEqual([3]);
    expect(cloud.refusals).toEqual([]);
  });
}
