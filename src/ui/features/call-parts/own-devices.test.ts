import { expect, it } from "vitest";
import { noConference } from "../../../shared/protocol/initial-state.ts";
import { controlsOf, hintsOf, permissionPlace, waysOf } from "./own-devices.ts";

const local = (part: object) => ({
  ...noConference().local,
  publishing: true,
  audioOff: false,
  microphone: "on" as const,
  camera: "on" as const,
  ...part,
});

it("hintsOf names the missing devices and the reason, both in one hint", () => {
  expect(hintsOf(local({}))).toEqual([]);
  expect(hintsOf(local({ microphone: "denied", camera: "denied" }))).toEqual([
    { what: "denied", which: "both" },
  ]);
  expect(hintsOf(local({ microphone: "busy", camera: "missing" }))).toEqual([
    { what: "busy", which: "microphone" },
    { what: "missing", which: "camera" },
  ]);
  // what is not wanted is not missing
  expect(hintsOf(local({ camera: "missing", videoOff: true }))).toEqual([]);
  expect(hintsOf(local({ publishing: false }))).toEqual([{ what: "watching" }]);
});

it("controlsOf tells devices that are off, muted, asked for and open apart", () => {
  const { microphone, camera } = controlsOf(local({ audioMuted: true, camera: "asking" }));
  expect(microphone).toEqual({ on: false, open: true, asking: false, usable: true });
  expect(camera).toEqual({ on: false, open: false, asking: true, usable: true });
  expect(controlsOf(local({ publishing: false })).microphone.open).toBe(false);
});

it("A device that failed keeps its button, unless no click can help", () => {
  const { microphone, camera } = controlsOf(local({ microphone: "busy", camera: "insecure" }));
  expect([microphone, camera]).toEqual([
    { on: false, open: false, asking: false, usable: true },
    { on: false, open: false, asking: false, usable: false },
  ]);
  // What the system silences is open: a click mutes it.
  const silenced = controlsOf(local({ microphone: "system-muted" })).microphone;
  expect(silenced).toMatchObject({ on: true, open: true });
});

it("The ways out of hints are those of their rows", () => {
  const ways = (part: object) => [...waysOf(hintsOf(local(part)))].toSorted();
  expect(ways({ microphone: "denied" })).toEqual(["retry", "settings", "without"]);
  expect(ways({ microphone: "insecure", camera: "insecure" })).toEqual(["without"]);
  expect(ways({ microphone: "insecure", camera: "busy" })).toEqual(["choose", "retry", "without"]);
  expect(ways({ microphone: "asking" })).toEqual([]);
  expect(ways({ publishing: false })).toEqual([]);
});

it("permissionPlace tells Firefox, Chromium and Safari apart", () => {
  const agents = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
  ];
  expect(agents.map(permissionPlace)).toEqual(["firefox", "chromium", "safari"]);
});
