/** The unmodified package easemob-emedia in a conference that is recorded, and announcing a recording of its own (op 500). */
import { CONFERENCE_PAGE, expectPairs, joinById, slice } from "../support/conference.ts";
import { expect, test } from "./fixtures.ts";

interface SdkRecording {
  startRecord(streamId: string, done: (ok: boolean) => void): void;
  stopRecord(streamId: string, done: (ok: boolean) => void): void;
}

test("It keeps its picture and stays while the console records it, and all see what it announces itself", async ({
  people,
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await people.loggedIn("ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  const confrId = await lina.act("create", {});
  const streamId = await lina.publish();
  await joinById(page, confrId);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);

  const bytes = async (): Promise<number> => (await slice(page)).recording?.bytes ?? 0;
  await page.getByRole("button", { name: "录制", exact: true }).click();
  const own = page.getByRole("group", { name: "录制" });
  await expect(own).toContainText("录制中");
  await expect.poll(bytes).toBeGreaterThan(50_000);
  // The package publishes again: the recording goes on with the new stream.
  await lina.act("turn", "Video", streamId, false);
  await lina.act("turn", "Video", streamId, true);
  const before = await bytes();
  await expect.poll(bytes).toBeGreaterThan(before + 50_000);
  await lina.expectMedia("ops");
  await own.getByRole("button", { name: "暂停录制" }).click();
  await own.getByRole("button", { name: "继续录制" }).click();
  const saving = page.waitForEvent("download");
  await own.getByRole("button", { name: "停止并保存" }).click();
  expect((await saving).suggestedFilename()).toMatch(/\.webm$/);

  const record = (flag: "startRecord" | "stopRecord"): Promise<boolean> =>
    lina.page.evaluate(
      ([id, stream, method]) =>
        new Promise<boolean>((resolve) => {
          const service = emedia.mgr._services[id] as unknown as SdkRecording;
          service[method](stream, resolve);
        }),
      [confrId, streamId, flag] as const,
    );
  expect(await record("startRecord")).toBe(true);
  await expect(page.getByRole("status").filter({ hasText: "正在录制" })).toBeVisible();
  expect(await record("stopRecord")).toBe(true);
  await expect(page.getByText("正在录制")).toHaveCount(0);

  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  expect(await lina.events("exit")).toEqual([]);
  expect(await lina.events("message")).toEqual([]);
});
