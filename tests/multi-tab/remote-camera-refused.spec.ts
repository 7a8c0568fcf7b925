/**
 * Refusals of a control of another's camera, in browsers: busy, forbidden, off, unknown, and no answer (docs/conferences.md#remote-camera).
 */
import type { Page } from "@playwright/test";
import type { CameraControl } from "../../src/shared/protocol/confr-camera.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinFromLobby,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { loggedIn } from "../support/people.ts";
import { startRelay } from "../support/relay.ts";

/** @returns result and errorType of a control; "done" for none */
const control = (page: Page, wanted: CameraControl): Promise<string> =>
  page.evaluate(async (given) => {
    const { state, commands } = globalThis.consoleCore;
    const streams = Object.values(state.conference.streams);
    const { id } = streams.find(({ memId, type }) => memId === "lina" && type === 0)!;
    try {
      await commands.conference.controlCamera({ streamId: id, control: given });
      return "done";
    } catch (error) {
      const { details = {} } = error as { details?: Record<string, unknown> };
      return `${String(details["result"])} ${String(details["errorType"])}`;
    }
  }, wanted);

type WithLight = typeof globalThis & { slowLight(slow: boolean): void };
/** The camera of this page has a light. */
const withLight = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { getCapabilities, applyConstraints } = MediaStreamTrack.prototype;
    let isSlow = false;
    const waiting: (() => void)[] = [];
    (globalThis as WithLight).slowLight = (slow) => {
      isSlow = slow;
      if (!slow) for (const run of waiting.splice(0)) run();
    };
    MediaStreamTrack.prototype.getCapabilities = function () {
      return { ...getCapabilities.call(this), torch: true } as never;
    };
    MediaStreamTrack.prototype.applyConstraints = function (constraints = {}) {
      const [first = {}] = constraints.advanced ?? [];
      if (!("torch" in first)) return applyConstraints.call(this, constraints);
      return new Promise<void>((resolve) => (isSlow ? waiting.push(resolve) : resolve()));
    };
  });
/** Lets the light need as long as the test wants, until it is no longer slow. */
const slowLight = (page: Page, slow: boolean): Promise<void> =>
  page.evaluate((now) => (globalThis as WithLight).slowLight(now), slow);

test("A camera is refused with -402, -403, -405, -408 and -507, each with its errorType, and nobody is thrown out", async ({
  browser,
  people,
  server,
}) => {
  const at = { path: CONFERENCE_PAGE };
  const relay = await startRelay(server.url);
  const host = (await people.loggedIn("admin", at)).pages[0]!;
  const third = (await people.loggedIn("ops", at)).pages[0]!;
  const lina = await loggedIn(browser, relay.url, "lina", at);
  const guest = lina.pages[0]!;
  await createConference(host, "摄像头的拒绝");
  await joinFromLobby(guest, "摄像头的拒绝");
  await joinFromLobby(third, "摄像头的拒绝");
  await expectPictures(host, ["lina", "ops"]);
  await expectPictures(third, ["lina", "admin"]);

  // Chromium's fake camera has no light.
  expect(await control(host, { kind: "torch" })).toBe("-507 torch_remote_fail");

  // While the device of another's request works, it is busy.
  await withLight(guest);
  await slowLight(guest, true);
  const first = control(host, { kind: "torch" });
  await expect.poll(() => control(third, { kind: "freeze" })).toBe("-403 freeze_remote_fail");
  expect(await control(third, { kind: "capture" })).toBe("-403 capture_remote_fail");
  await slowLight(guest, false);
  expect(await first).toBe("done");
  expect(await control(third, { kind: "freeze" })).toBe("done");
  expect(await control(third, { kind: "freeze" })).toBe("done");

  // What waits when the person forbids it is rejected; what the device does already is answered.
  await guest.getByRole("button", { name: "设备与快捷键" }).click();
  const allowed = guest.getByRole("switch", { name: "允许他人控制我的摄像头" });
  // Open before, as the device has 8 s.
  await expect(allowed).toBeVisible();
  await slowLight(guest, true);
  const begun = control(host, { kind: "torch", on: false });
  await expect.poll(() => control(third, { kind: "freeze" })).toBe("-403 freeze_remote_fail");
  const waiting = control(host, { kind: "freeze" });
  expect(await control(third, { kind: "freeze" })).toBe("-403 freeze_remote_fail");
  await allowed.click();
  await expect.poll(async () => (await slice(guest)).local.cameraControl).toBe(false);
  // One member's requests are answered in their order.
  await slowLight(guest, false);
  expect(await begun).toBe("done");
  expect(await waiting).toBe("-402 freeze_remote_fail");
  await allowed.click();
  await guest.keyboard.press("Escape");
  await expect.poll(() => control(host, { kind: "freeze" })).toBe("done");
  expect(await control(host, { kind: "freeze", on: false })).toBe("done");

  // A camera that is off.
  await guest.evaluate(() =>
    globalThis.consoleCore.commands.conference.setLocal({ videoOff: true }),
  );
  await expect
    .poll(
      async () =>
        Object.values((await slice(host)).streams).find(({ memId }) => memId === "lina")?.voff,
    )
    .toBe(1);
  expect(await control(host, { kind: "freeze" })).toBe("-405 freeze_remote_fail");
  await guest.evaluate(() =>
    globalThis.consoleCore.commands.conference.setLocal({ videoOff: false, publish: true }),
  );
  await expectPictures(host, ["lina", "ops"]);

  // No answer within 10 s: the network of the other side is lost.
  relay.cut("silent");
  // It may arrive late, and changes nothing.
  expect(await control(host, { kind: "freeze", on: false })).toBe("-408 freeze_remote_fail");
  relay.mend();
  await expect.poll(async () => (await slice(guest)).status).toBe("joined");
  await expectPictures(host, ["lina", "ops"]);

  for (const page of [host, guest, third]) expect((await slice(page)).status).toBe("joined");
  await lina.close();
  await relay.close();
});
