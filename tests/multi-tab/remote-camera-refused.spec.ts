/** Refusals of a control of another's camera, in browsers: busy, off, unknown, and no answer; remote-camera.spec.ts has who forbids it, and -402 is in the tests of the core (docs/conferences.md#remote-camera). */
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

/** The camera of this page has a light, which needs as long as the test wants. */
const slowLight = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { getCapabilities, applyConstraints } = MediaStreamTrack.prototype;
    const waiting: (() => void)[] = [];
    Object.assign(globalThis, { lightDone: () => waiting.splice(0).forEach((run) => run()) });
    MediaStreamTrack.prototype.getCapabilities = function () {
      return { ...getCapabilities.call(this), torch: true } as never;
    };
    MediaStreamTrack.prototype.applyConstraints = function (constraints = {}) {
      const [first = {}] = constraints.advanced ?? [];
      if (!("torch" in first)) return applyConstraints.call(this, constraints);
      return new Promise<void>((resolve) => waiting.push(resolve));
    };
  });

test("A camera is refused with -403, -405, -408 and -507, each with its errorType, and nobody is thrown out", async ({
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
  await slowLight(guest);
  const first = control(host, { kind: "torch" });
  await expect.poll(() => control(third, { kind: "freeze" })).toBe("-403 freeze_remote_fail");
  expect(await control(third, { kind: "capture" })).toBe("-403 capture_remote_fail");
  await guest.evaluate(() => (globalThis as unknown as { lightDone(): void }).lightDone());
  expect(await first).toBe("done");
  expect(await control(third, { kind: "freeze" })).toBe("done");
  expect(await control(third, { kind: "freeze" })).toBe("done");

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
