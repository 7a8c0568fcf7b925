/** The library's methods and element events that control another member's camera. */
import { expect } from "vitest";
import { settle } from "../../rtc-main/clock.fake.ts";
import { AppError } from "../../shared/errors.ts";
import { CAMERA_AT_REST } from "../../shared/protocol/confr-camera.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { asTag, FakeTag, faceWorld, member } from "./face.harness.ts";

const PIC = "data:image/jpeg;base64,/9j/AA==";
const members = { m1: member("m1"), m2: member("m2") };
const streams = { s2: stream("s2", "m2") };
const failure = () =>
  new AppError("camera.busy", {
    details: { result: -403, error: -203, errorType: "torch_remote_fail" },
  });

function watching() {
  const world = faceWorld();
  world.inside({ members, streams });
  world.answers.set("controlCamera", { ...CAMERA_AT_REST, picture: null });
  const controls = () =>
    world.calls.flatMap(([name, input]) => (name === "controlCamera" ? [input] : []));
  return { ...world, world, controls };
}
/** A bound element of 400 x 400 px at 0, 0, whose picture has 800 x 400. */
function bound({ world }: ReturnType<typeof watching>) {
  const tag = new FakeTag();
  Object.assign(tag, {
    videoWidth: 800,
    videoHeight: 400,
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 400, height: 400 }),
  });
  world.face.streamBindVideo("s2", asTag(tag));
  return tag;
}
const clickAt = (clientX: number, clientY: number): Event =>
  Object.assign(new Event("click"), { clientX, clientY });
const dispatch = (tag: FakeTag, name: string, detail: object): boolean =>
  tag.dispatchEvent(new CustomEvent(name, { detail }));

export const checks = rowChecks({
  "face.camera: each method is one control, and returns what it made of the camera": async () => {
    const { face, answers, controls } = watching();
    answers.set("controlCamera", { torch: true, freezeFrame: true, zoom: 2, picture: PIC });
    expect(await face.torchRemote("s2")).toBe(true);
    expect(await face.torchRemote({ id: "s2" }, false)).toBe(true);
    expect(await face.zoomRemote("s2", 0.5)).toBe(2);
    expect(await face.freezeFrameRemote("s2")).toBe(true);
    expect(await face.capturePictureRemote("s2")).toBe(PIC);
    await face.changeCameraRemote("s2");
    const request = (control: object) => ({ streamId: "s2", control });
    expect(controls()).toEqual([
      request({ kind: "torch" }),
      request({ kind: "torch", on: false }),
      request({ kind: "zoom", by: 0.5 }),
      request({ kind: "freeze" }),
      request({ kind: "capture" }),
      request({ kind: "switch" }),
    ]);
  },

  "face.camera-fail: a failure rejects with -203 and its errorType, and is announced": async () => {
    const { face, answers, events } = watching();
    const error = failure();
    answers.set("controlCamera", error);
    await expect(face.torchRemote("s2")).rejects.toMatchObject({
      code: "camera.busy",
      details: { result: -403, error: -203, errorType: "torch_remote_fail" },
    });
    expect(events.at(-1)).toEqual(["onRemoteControlFail", "s2", error]);
  },

  "face.focus: a click counts in the picture, and one outside of it is refused": async () => {
    const all = watching();
    const tag = bound(all);
    const { face, controls } = all;
    // The picture is 400 x 200, from 100 to 300.
    await face.focusExpoRemote("s2", asTag(tag), clickAt(100, 150) as MouseEvent);
    expect(controls()).toEqual([{ streamId: "s2", control: { kind: "focus", x: 0.25, y: 0.25 } }]);
    for (const [x, y] of [
      [100, 90],
      [100, 301],
      [0, 200],
    ] as const) {
      await expect(
        face.focusExpoRemote("s2", asTag(tag), clickAt(x, y) as MouseEvent),
      ).rejects.toThrow("the click must lie inside the video");
    }
    expect(controls()).toHaveLength(1);
  },

  "face.focus-click: clicks on an element focus until that is ended": async () => {
    const all = watching();
    const tag = bound(all);
    const { face, controls } = all;
    const outcomes: unknown[] = [];
    const event = face.onFocusExpoRemoteWhenClickVideo(
      asTag(tag),
      undefined,
      (error) => outcomes.push((error as Error).message),
      () => outcomes.push("focused"),
    );
    expect(event).toBe("click");
    tag.dispatchEvent(clickAt(200, 200));
    tag.dispatchEvent(clickAt(200, 0));
    await settle();
    expect(outcomes.toSorted()).toEqual(["focused", "the click must lie inside the video"]);
    face.offEventAtTag(asTag(tag), event);
    tag.dispatchEvent(clickAt(200, 200));
    await settle();
    expect(controls()).toHaveLength(1);
  },

  "face.camera-events: zoomRemote, torchRemote, freezeFrameRemote and capturePictureRemote of an element call success or fail":
    async () => {
      const all = watching();
      const tag = bound(all);
      const { answers, controls, warnings } = all;
      const outcomes: unknown[] = [];
      const success = (value: unknown) => outcomes.push(value);
      const fail = (error: unknown) => outcomes.push((error as AppError).code);
      answers.set("controlCamera", { torch: true, freezeFrame: true, zoom: 3, picture: PIC });
      dispatch(tag, "zoomRemote", { multiples: 3, success });
      dispatch(tag, "torchRemote", { torch: true, success });
      dispatch(tag, "freezeFrameRemote", { success });
      dispatch(tag, "capturePictureRemote", { success });
      await settle();
      expect(outcomes).toEqual([3, true, true, PIC]);
      expect(controls()).toMatchObject([
        { control: { kind: "zoom", by: 3 } },
        { control: { kind: "torch", on: true } },
        { control: { kind: "freeze" } },
        { control: { kind: "capture" } },
      ]);
      answers.set("controlCamera", failure());
      dispatch(tag, "torchRemote", { fail });
      dispatch(tag, "torchRemote", {});
      await settle();
      expect(outcomes.at(-1)).toBe("camera.busy");
      expect(warnings.at(-1)).toContain("torchRemote");
    },

  "face.controlled: a host page learns who controlled the own camera, and what became of a stream":
    async () => {
      const { face, set, events, calls } = watching();
      set({ cameraControlled: { id: "1", memId: "m2", kind: "freeze" } });
      set({ streams: { s2: { ...streams.s2, freezeFrame: true } } });
      const named = events.map(([name]) => name);
      expect(named.slice(-2)).toEqual(["onCameraControlled", "onStreamUpdated"]);
      expect(face.getStream("s2")).toMatchObject({ torch: false, freezeFrame: true, zoom: 1 });
      await face.allowCameraControl(true);
      await face.restoreCamera();
      expect(calls.slice(-2)).toEqual([
        ["allowCameraControl", { on: true }],
        ["restoreCamera", {}],
      ]);
    },
});
