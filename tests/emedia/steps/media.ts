/** What a client publishes and subscribes to, and limits. */
import { camerasSent } from "../../support/rtc.ts";
import { expect, test } from "../fixtures.ts";
import { watched } from "./meeting.ts";

const SCREEN = 1;

export function mediaSteps(): void {
  test("A publisher pauses and resumes its sound and its picture", async ({ sdk }) => {
    const { lina, ops, streamId } = await watched(sdk);
    await lina.act("turn", "Audio", streamId, false);
    await ops.expectEvent("flags", { member: "lina", voff: 0, aoff: 1 });
    await ops.expectMedia("lina", { audio: false });
    await lina.act("turn", "Video", streamId, false);
    await ops.expectEvent("flags", { member: "lina", voff: 1, aoff: 1 });
    await lina.act("turn", "Audio", streamId, true);
    await lina.act("turn", "Video", streamId, true);
    await ops.expectMedia("lina");
  });

  test("A subscriber drops the picture, takes it back, and unsubscribes", async ({ sdk }) => {
    const { ops } = await watched(sdk);
    await ops.act("subscribe", "lina", false, true);
    await ops.expectMedia("lina", { video: false });
    await ops.act("subscribe", "lina", true, true);
    await ops.expectMedia("lina");
    await ops.act("unsubscribe", "lina");
    await expect
      .poll(() =>
        ops.page.evaluate(() => peerConnections!.map(({ connectionState }) => connectionState)),
      )
      .not.toContain("connected");
    await ops.act("subscribe", "lina", true, true);
    await ops.expectMedia("lina");
  });

  test("A client shares its screen beside its camera, and stops", async ({ sdk }) => {
    const { lina, ops } = await watched(sdk);
    const screen = await lina.act("share");
    expect(screen).not.toBeNull();
    await ops.expectMedia("lina", { type: SCREEN, audio: false });
    await ops.expectMedia("lina");
    await lina.act("hangUp", String(screen));
    await ops.expectEvent("stream gone", { member: "lina", type: SCREEN });
    await ops.expectMedia("lina");
  });

  test("A publisher changes its camera three times, and the stream goes on", async ({ sdk }) => {
    const { lina, ops, streamId } = await watched(sdk);
    for (const camera of [1, 2, 0]) {
      await lina.act("changeCamera");
      await expect.poll(() => camerasSent(lina.page)).toEqual([`fake_device_${camera}`]);
    }
    await ops.expectMedia("lina");
    expect(await ops.received()).toMatchObject([{ streamId }]);
  });
}
