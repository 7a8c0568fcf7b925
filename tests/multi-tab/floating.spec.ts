/** A call floats above other programs, and its picture returns when the floating window is closed. */
import type { Page } from "@playwright/test";
import { answerButton, callStatus, dial, expectMedia } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { answer, chatOpen, choose, inCall as inGroupCall } from "../support/group-call.ts";
import type { Person } from "../support/people.ts";

declare global {
  // Frames that each element of the floating window has shown, counted by this test.
  var framesOfFloating: Map<HTMLVideoElement, number> | undefined;
}

/**
 * How many frames the floating window was seen to show; null without such a window. Each speaker of a group call has an element, so the
 * frames of all elements count.
 */
const floatingFrames = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const { documentPictureInPicture: opened } = globalThis as {
      documentPictureInPicture?: { readonly window: Window | null };
    };
    const floating = opened?.window ?? null;
    if (floating === null) return null;
    const seen = (globalThis.framesOfFloating ??= new Map());
    const video = floating.document.querySelector("video");
    if (video !== null) seen.set(video, video.getVideoPlaybackQuality().totalVideoFrames);
    return [...seen.values()].reduce((sum, frames) => sum + frames, 0);
  });

/** Two people in a video call. `lack` takes away what a browser may lack, before the caller's page starts. */
async function inCall(
  people: { loggedIn(name: string): Promise<Person> },
  lack?: () => void,
): Promise<Page> {
  const [zhang, li] = await Promise.all(["zhangwei", "lina"].map((name) => people.loggedIn(name)));
  const [a, b] = [zhang!.pages[0]!, li!.pages[0]!];
  if (lack !== undefined) {
    await a.addInitScript(lack);
    await a.reload();
    await expect(a.getByRole("button", { name: "发起群通话" })).toBeVisible();
  }
  await chatOpen([a, b]);
  await dial(a, "李娜");
  await answerButton(b).click();
  await expect.poll(() => callStatus(a)).toBe("chat");
  await expectMedia(a);
  return a;
}
const button = (page: Page) => page.getByRole("button", { name: "画中画", exact: true });

test("The picture moves into the floating window and returns when that is closed", async ({
  people,
}) => {
  const a = await inCall(people);
  await button(a).click();
  await expect(a.getByText("画面在画中画窗口中")).toBeVisible();
  await expect.poll(() => floatingFrames(a)).toBeGreaterThan(5);
  await expect(a.locator(".call-video-remote")).toHaveCount(0);

  await a.getByRole("button", { name: "退出画中画" }).first().click();
  await expect.poll(() => floatingFrames(a)).toBeNull();
  await expect(a.locator(".call-video-remote")).toBeVisible();
  await expect
    .poll(() =>
      a.evaluate(
        () =>
          document.querySelector<HTMLVideoElement>(".call-video-remote")?.getVideoPlaybackQuality()
            .totalVideoFrames ?? 0,
      ),
    )
    .toBeGreaterThan(5);
});

test("A browser that floats only videos floats the other side's", async ({ people }) => {
  const a = await inCall(people, () => {
    Reflect.deleteProperty(globalThis, "documentPictureInPicture");
  });
  const floats = (): Promise<string> =>
    a.evaluate(() => document.pictureInPictureElement?.className ?? "");
  await button(a).click();
  await expect.poll(floats).toContain("call-video-remote");
  await a.getByRole("button", { name: "退出画中画" }).click();
  await expect.poll(floats).toBe("");
  await expect(button(a)).toBeVisible();
});

test("A browser that floats nothing shows no button", async ({ people }) => {
  const a = await inCall(people, () => {
    Reflect.deleteProperty(globalThis, "documentPictureInPicture");
    Object.defineProperty(document, "pictureInPictureEnabled", { value: false });
  });
  await expect(a.getByRole("button", { name: "最小化" })).toBeVisible();
  await expect(button(a)).toHaveCount(0);
});

test("The floating window stays when the call becomes a group call, and shows the speaker", async ({
  people,
}) => {
  const admin = await people.loggedIn("admin");
  const a = await inCall(people);
  await button(a).click();
  await expect.poll(() => floatingFrames(a)).toBeGreaterThan(5);
  await a.getByRole("button", { name: "添加成员" }).click();
  await choose(a, ["管理员"], "呼叫");
  await inGroupCall(a);
  await answer(admin.pages[0]!);
  await expect(a.getByText("画面在画中画窗口中")).toBeVisible();
  const before = (await floatingFrames(a)) ?? 0;
  await expect.poll(() => floatingFrames(a), { intervals: [100] }).toBeGreaterThan(before + 5);
  await a.getByRole("button", { name: "退出画中画" }).first().click();
  await expect(a.locator(".gcall .conference-tile")).toHaveCount(3);
});
