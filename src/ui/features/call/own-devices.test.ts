import { expect, it } from "vitest";
import { idleCall } from "../../../shared/protocol/initial-state.ts";
import { cameraOf, microphoneOf } from "./own-devices.ts";

const local = (part: object) => ({
  ...idleCall().local,
  hasAudio: true,
  hasVideo: true,
  microphone: "on" as const,
  camera: "on" as const,
  ...part,
});

it("A device that is on or muted by the person is turned off and on by its button", () => {
  expect(microphoneOf(local({}))).toEqual({ on: true, gone: false, usable: true });
  expect(microphoneOf(local({ audioMuted: true }))).toEqual({
    on: false,
    gone: false,
    usable: true,
  });
  expect(cameraOf(local({ videoOff: true }))).toEqual({ on: false, gone: false, usable: true });
});

it("A device that failed is off, and its button tries again where that may help", () => {
  const busy = local({ microphone: "busy", hasAudio: false, camera: "busy", hasVideo: false });
  expect(microphoneOf(busy)).toEqual({ on: false, gone: true, usable: true });
  expect(cameraOf(busy)).toEqual({ on: false, gone: true, usable: true });
  expect(cameraOf(local({ camera: "insecure", hasVideo: false })).usable).toBe(false);
});

it("Before the devices are open there is nothing to turn off, and what the system silences is open", () => {
  expect(microphoneOf(idleCall().local).usable).toBe(false);
  expect(microphoneOf(local({ microphone: "system-muted" }))).toEqual({
    on: true,
    gone: false,
    usable: true,
  });
});
