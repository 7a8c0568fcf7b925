/** Pages whose microphone, camera and screen fail as a test says, with errors of the names that browsers use, and events of real tracks. */
import type { Page } from "@playwright/test";
import {
  type DeviceErrorRow,
  ERROR_NAMES,
  type OwnDevice,
} from "../../src/shared/domain/device-errors.ts";
import type { DeviceCause } from "../../src/shared/domain/device-states.ts";
import type { Person } from "./people.ts";

interface Said {
  readonly name: string;
  readonly message: string;
}
interface Broken {
  /** What the device fails with from now on; null mends it. */
  fail(device: OwnDevice, said: Said | null): void;
  /** The browser takes the open device away. */
  lose(device: OwnDevice): void;
  /** The system silences the open device, or no longer does. */
  silence(device: OwnDevice, on: boolean): void;
  /** How often a device was asked for. */
  asked(): number;
}
declare global {
  // Set by `breakDevices`.
  var brokenDevices: Broken;
}

function breakDevices(): void {
  const failing = new Map<OwnDevice, Said>();
  const open = new Map<OwnDevice, MediaStreamTrack>();
  let asked = 0;
  const opened = (device: OwnDevice): MediaStreamTrack => {
    const track = open.get(device);
    if (track === undefined) throw new Error(`${device} is not open`);
    return track;
  };
  const { mediaDevices } = navigator as Partial<Navigator>;
  // Firefox runs this on its empty first page too, which has no devices.
  if (mediaDevices === undefined) return;
  // By default a track of Firefox hears only the browser's events. Its fourth argument asks for those of scripts too; other browsers
  // ignore it.
  const { addEventListener } = EventTarget.prototype;
  MediaStreamTrack.prototype.addEventListener = function listen(
    this: MediaStreamTrack,
    ...[type, listener, options]: Parameters<typeof addEventListener>
  ): void {
    Reflect.apply(addEventListener, this, [type, listener, options ?? false, true]);
  };
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
  const refuse = async (device: OwnDevice): Promise<void> => {
    const said = failing.get(device);
    if (said === undefined) return;
    // Scripts of Firefox cannot make this error, so the browser is asked for a device that does not exist.
    if (said.name === "OverconstrainedError") {
      const absent = { deviceId: { exact: said.message } };
      await getUserMedia(device === "microphone" ? { audio: absent } : { video: absent });
    }
    throw new DOMException(said.message, said.name);
  };
  mediaDevices.getUserMedia = async (constraints = {}) => {
    asked += 1;
    if (constraints.audio) await refuse("microphone");
    if (constraints.video) await refuse("camera");
    const stream = await getUserMedia(constraints);
    for (const track of stream.getTracks()) {
      open.set(track.kind === "audio" ? "microphone" : "camera", track);
    }
    return stream;
  };
  // Headless browsers have no picker of screens.
  mediaDevices.getDisplayMedia = async () => {
    asked += 1;
    await refuse("screen");
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    setInterval(() => context?.fillRect(0, 0, 9, 9), 100);
    const stream = canvas.captureStream(10);
    const [track] = stream.getVideoTracks();
    if (track !== undefined) open.set("screen", track);
    return stream;
  };
  globalThis.brokenDevices = {
    fail(device, said) {
      if (said === null) failing.delete(device);
      else failing.set(device, said);
    },
    lose(device) {
      const track = opened(device);
      track.stop();
      track.dispatchEvent(new Event("ended"));
    },
    silence(device, on) {
      const track = opened(device);
      Object.defineProperty(track, "muted", { configurable: true, value: on });
      track.dispatchEvent(new Event(on ? "mute" : "unmute"));
    },
    asked: () => asked,
  };
}

/** Applies to pages that this person opens from now on. */
export const withBrokenDevices = (person: {
  readonly context: Person["context"];
}): Promise<unknown> => person.context.addInitScript(breakDevices);

const SYSTEM: Said = { name: "NotAllowedError", message: "Permission denied by system" };
const LOST: Readonly<Partial<Record<DeviceCause, string>>> = {
  revoked: "NotAllowedError",
  unplugged: "NotFoundError",
  failed: "UnknownError",
};
/** What a browser says for this cause. */
function saidFor(cause: DeviceCause): Said {
  if (cause === "system-denied") return SYSTEM;
  const known = Object.entries(ERROR_NAMES).find(([, one]) => one === cause)?.[0];
  const name = known ?? LOST[cause];
  if (name === undefined) throw new Error(`no browser says ${cause}`);
  return { name, message: `for a test: ${cause}` };
}

export const fail = (page: Page, { device, cause }: DeviceErrorRow): Promise<void> =>
  page.evaluate(([which, said]) => globalThis.brokenDevices.fail(which, said), [
    device,
    saidFor(cause),
  ] as const);
export const mend = (page: Page, device: OwnDevice): Promise<void> =>
  page.evaluate((which) => globalThis.brokenDevices.fail(which, null), device);
export const lose = (page: Page, device: OwnDevice): Promise<void> =>
  page.evaluate((which) => globalThis.brokenDevices.lose(which), device);
export const silence = (page: Page, device: OwnDevice, on: boolean): Promise<void> =>
  page.evaluate(([which, now]) => globalThis.brokenDevices.silence(which, now), [
    device,
    on,
  ] as const);
/** Plugs something in, so that devices that failed are tried again without a click. */
export const plug = (page: Page): Promise<unknown> =>
  page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event("devicechange")));
