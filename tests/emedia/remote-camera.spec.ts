/** The unmodified package easemob-emedia controls the console's camera, and the console the package's. */
import type { Page } from "@playwright/test";
import type { CameraControl } from "../../src/shared/protocol/confr-camera.ts";
import { CONFERENCE_PAGE, expectPairs, joinById, slice } from "../support/conference.ts";
import { expect, test } from "./fixtures.ts";

/** The methods of the package's service, whose callbacks come in two orders. */
interface SdkCamera {
  zoomRemote(id: string, multiples: number, fail: Callback, success: Callback): void;
  torchRemote(id: string, torch: boolean, success: Callback, fail: Callback): void;
  freezeFrameRemote(id: string, success: Callback, fail: Callback): void;
  capturePictureRemote(id: string, base64: boolean, success: Callback, fail: Callback): void;
}
type Callback = (value?: { message(): string } | string | boolean | number) => void;

/** @returns "ok" with what the callback got, or "fail" with the code */
const control = (
  page: Page,
  confrId: string,
  streamId: string,
  what: "zoom" | "torch" | "freeze" | "capture" | "keep",
): Promise<string> =>
  page.evaluate(
    ([id, stream, kind]) =>
      new Promise<string>((resolve) => {
        const service = emedia.mgr._services[id] as unknown as SdkCamera;
        const success: Callback = (value) => resolve(`ok ${String(value).slice(0, 16)}`);
        const fail: Callback = (event) => {
          const text = (event as { message(): string }).message();
          resolve(`fail ${/failed = (-?\d+)/.exec(text)?.[1] ?? text}`);
        };
        if (kind === "zoom") service.zoomRemote(stream, 2, fail, success);
        else if (kind === "torch") service.torchRemote(stream, true, success, fail);
        else if (kind === "freeze") service.freezeFrameRemote(stream, success, fail);
        else service.capturePictureRemote(stream, kind === "capture", success, fail);
      }),
    [confrId, streamId, what] as const,
  );

const consoleControls = (page: Page, wanted: CameraControl): Promise<string> =>
  page.evaluate(async (given) => {
    const { state, commands } = globalThis.consoleCore;
    const streams = Object.values(state.conference.streams);
    const { id = "" } = streams.find(({ located }) => !located) ?? {};
    try {
      const done = await commands.conference.controlCamera({ streamId: id, control: given });
      return `ok ${done.picture?.slice(0, 22) ?? ""}`;
    } catch (error) {
      const { details = {} } = error as { details?: Record<string, unknown> };
      return `fail ${String(details["result"])}`;
    }
  }, wanted);

test("The package zooms, freezes and takes a picture with the console's camera, and the console takes one with the package's", async ({
  people,
  sdk,
}) => {
  const lina = await sdk("lina");
  const ops = await people.loggedIn("ops", { path: CONFERENCE_PAGE });
  const page = ops.pages[0]!;
  const confrId = await lina.host();
  await joinById(page, confrId);
  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  const own = async () => {
    const found = Object.values((await slice(page)).streams).find(({ located }) => located)!;
    return { id: found.id, freezeFrame: found.freezeFrame, zoom: found.zoom };
  };
  const { id } = await own();

  // The package as sender.
  expect(await control(lina.page, confrId, id, "zoom")).toBe("ok undefined");
  expect(await control(lina.page, confrId, id, "freeze")).toBe("ok true");
  expect(await own()).toEqual({ id, freezeFrame: true, zoom: 2 });
  expect(await control(lina.page, confrId, id, "capture")).toBe("ok data:image/jpeg;");
  expect(await control(lina.page, confrId, id, "freeze")).toBe("ok false");
  // The fake camera has no light, and a picture that would stay here is not taken.
  expect(await control(lina.page, confrId, id, "torch")).toBe("fail -507");
  expect(await control(lina.page, confrId, id, "keep")).toBe("fail -507");
  await page.evaluate(() =>
    globalThis.consoleCore.commands.conference.allowCameraControl({ on: false }),
  );
  await expect.poll(async () => (await own()).zoom).toBe(1);

  // The package as receiver: without an element it does not support a capture, and nothing else at all.
  expect(await consoleControls(page, { kind: "capture" })).toBe("fail -507");
  expect(await consoleControls(page, { kind: "zoom", by: 2 })).toBe("fail -507");
  await lina.page.evaluate(async (given) => {
    const video = document.createElement("video");
    video.muted = true;
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
    await video.play();
    emedia.mgr._services[given]!.getHTMLVideo = () => video;
  }, confrId);
  expect(await consoleControls(page, { kind: "capture" })).toBe("ok data:image/png;base64,");

  await lina.expectMedia("ops");
  await expectPairs(page, ["lina"]);
  expect(await lina.events("exit")).toEqual([]);
});
