/** One member controls another's camera, as the core of the one who does it: every check of §5 and every result of §8. */
import { expect } from "vitest";
import {
  CAMERA_OPS,
  type CameraControl,
  REQUEST_KINDS,
} from "../../../shared/protocol/confr-camera.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { CONFERENCE_CONFIG } from "./config.ts";
import { at, errorOf, joined } from "./conferences.harness.ts";

const T1 = at("t1");
const ALL = [1003, ...CAMERA_OPS];

/** b publishes a camera that arrives here. */
async function watching(acptOps: number[] = ALL) {
  const one = await joined();
  const { world, conferences } = one;
  world.server.enter("b");
  world.server.change("b", { acptOps });
  world.server.publish("b", "s-b");
  await world.run(500);
  const begin = (control: CameraControl, streamId = "s-b") => {
    let became: unknown = "waits";
    const work = conferences.handlers.controlCamera({ streamId, control }, T1);
    work.then(
      (value) => (became = value),
      (error: unknown) => (became = error),
    );
    return { work, became: () => became };
  };
  const asked = () =>
    world.server.requestsOfOp(1002).map((frame) => {
      const { memId, arg } = frame as { memId: string; arg: string };
      return { memId, ...(JSON.parse(arg) as object) };
    });
  /** b answers the request that came n-th. */
  const answer = async (n: number, result: number, arg: object = {}): Promise<void> => {
    const { tsxId } = world.server.requestsOfOp(1002)[n]!;
    const { sessId } = world.server;
    const frame = { op: 1001, tsxId, sessId, memId: "b", result, arg: JSON.stringify(arg) };
    world.server.socket?.receive(frame);
    await world.run(50);
  };
  const camera = () => {
    const { torch, freezeFrame, zoom } = world.slice.streams["s-b"]!;
    return { torch, freezeFrame, zoom };
  };
  return { ...one, begin, asked, answer, camera };
}
const PIC = "data:image/jpeg;base64,/9j/4AAQ";

/** @returns what the command became after b answered with this result */
async function refused(control: CameraControl, result: number) {
  const { world, begin, answer } = await watching();
  const { became } = begin(control);
  await world.run(50);
  await answer(0, result);
  const { code, details } = became() as { code: string; details: Record<string, unknown> };
  return { code, result: details["result"], error: details["error"], type: details["errorType"] };
}

export const checks = rowChecks({
  "camera.wire: each control is the request that the platform's library sends": async () => {
    const { world, begin, asked } = await watching();
    const controls: CameraControl[] = [
      { kind: "torch" },
      { kind: "freeze", on: true },
      { kind: "capture" },
      { kind: "zoom", by: 2 },
      { kind: "focus", x: 0.25, y: 0.33333 },
      { kind: "switch" },
    ];
    for (const control of controls) begin(control);
    await world.run(50);
    const head = { memId: "b", op2: 20, streamId: "s-b" };
    expect(asked()).toEqual([
      { ...head, tor: 1 },
      { ...head, frz: 1 },
      { ...head, pic: 1, rspBase64Pic: true },
      { ...head, zoom: 20_000 },
      { ...head, focus: 1, expo: 1, x: 2500, y: 3333 },
      { ...head, cam: 1 },
    ]);
    expect(controls.map(({ kind }) => kind).toSorted()).toEqual([...REQUEST_KINDS].toSorted());
  },

  "camera.state: torch, freezeFrame and zoom are of the stream after a success, and as before after a failure":
    async () => {
      const { begin, answer, camera, world } = await watching();
      begin({ kind: "torch" });
      begin({ kind: "freeze" });
      begin({ kind: "zoom", by: 3 });
      await world.run(50);
      expect(camera()).toEqual({ torch: false, freezeFrame: false, zoom: 1 });
      for (const n of [0, 1, 2]) await answer(n, 0);
      expect(camera()).toEqual({ torch: true, freezeFrame: true, zoom: 3 });
      begin({ kind: "torch" });
      begin({ kind: "freeze" });
      await world.run(50);
      await answer(3, -203);
      await answer(4, 0);
      expect(camera()).toEqual({ torch: true, freezeFrame: false, zoom: 3 });
    },

  "camera.zoom: the zoom is cumulative, also before an answer, and a step below 1 is not sent":
    async () => {
      const { world, begin, asked, answer, camera } = await watching();
      begin({ kind: "zoom", by: 2 });
      begin({ kind: "zoom", by: 1.5 });
      await world.run(50);
      expect(asked()).toMatchObject([{ zoom: 20_000 }, { zoom: 30_000 }]);
      await answer(0, 0);
      // The camera stops at its own limit, and says so.
      await answer(1, 0, { op2: 20, zoom: 25_000 });
      expect(camera().zoom).toBe(2.5);
      const small = begin({ kind: "zoom", by: 0.25 });
      await world.run(50);
      expect(small.became()).toMatchObject({ zoom: 2.5 });
      expect(asked()).toHaveLength(2);
      begin({ kind: "zoom", by: 0.4 });
      await world.run(50);
      expect(asked()[2]).toMatchObject({ zoom: 10_000 });
    },

  "camera.capture: the answer's picture is a data URL, and anything else is a failure":
    async () => {
      for (const [pic, expected] of [
        [PIC, PIC],
        ["/9j/4AAQ", PIC],
        ["iVBORw0KGgoAAA==", "data:image/png;base64,iVBORw0KGgoAAA=="],
        ["data:text/html;base64,AAAA", null],
        ['data:image/png;base64,AA"><script>', null],
        [undefined, null],
      ] as const) {
        const { world, begin, answer } = await watching();
        const { became } = begin({ kind: "capture" });
        await world.run(50);
        await answer(0, 0, pic === undefined ? {} : { pic });
        if (expected !== null) expect(became()).toMatchObject({ picture: expected });
        else expect(became()).toMatchObject({ code: "camera.failed", details: { result: -9527 } });
      }
    },

  "camera.result-402, camera.result-403, camera.result-405, camera.result-507, camera.result-203: each result has its code, and every failure -203":
    async () => {
      const control: CameraControl = { kind: "torch" };
      const type = "torch_remote_fail";
      const failed = (code: string, result: number) => ({ code, result, error: -203, type });
      expect(await refused(control, -402)).toEqual(failed("camera.rejected", -402));
      expect(await refused(control, -403)).toEqual(failed("camera.busy", -403));
      expect(await refused(control, -405)).toEqual(failed("camera.not-allowed", -405));
      expect(await refused(control, -507)).toEqual(failed("camera.unsupported", -507));
      expect(await refused(control, -203)).toEqual(failed("camera.failed", -203));
      expect(await refused(control, -9999)).toEqual(failed("camera.failed", -9999));
    },

  "camera.error-types: each control has the type of the specification": async () => {
    const typeOf = async (control: CameraControl) => (await refused(control, -203)).type;
    expect(await typeOf({ kind: "focus", x: 0.5, y: 0.5 })).toBe("focusexpo_remote_fail");
    expect(await typeOf({ kind: "capture" })).toBe("capture_remote_fail");
    expect(await typeOf({ kind: "zoom", by: 2 })).toBe("capture_remote_fail");
    expect(await typeOf({ kind: "torch" })).toBe("torch_remote_fail");
    expect(await typeOf({ kind: "freeze" })).toBe("freeze_remote_fail");
    expect(await typeOf({ kind: "switch" })).toBe("switch_camera_fail");
  },

  "camera.timeout: a request that nobody answers ends with -408": async () => {
    const { world, begin, answer } = await watching();
    const { became } = begin({ kind: "freeze" });
    await world.run(CONFERENCE_CONFIG.cameraAnswerMillis - 200);
    expect(became()).toBe("waits");
    await world.run(400);
    expect(became()).toMatchObject({ code: "camera.no-answer", details: { result: -408 } });
    await answer(0, 0);
    expect(world.slice.streams["s-b"]?.freezeFrame).toBe(false);
  },

  "camera.acptOps, control.message: only what the member accepts is sent, and only to a member who accepts 1003":
    async () => {
      const outcome = async (acptOps: number[], control: CameraControl) => {
        const { world, begin, asked } = await watching(acptOps);
        const { became } = begin(control);
        await world.run(50);
        const { details } = became() as { details?: { result: number; cause: string } };
        return [details?.result, details?.cause, asked().length];
      };
      const focus: CameraControl = { kind: "focus", x: 0.5, y: 0.5 };
      expect(await outcome([1003, 100202], focus)).toEqual([
        -507,
        "member not accept op 100203, b",
        0,
      ]);
      expect(await outcome([1003], { kind: "torch" })).toEqual([
        -507,
        "member not accept op 100206, b",
        0,
      ]);
      expect(await outcome([100206], { kind: "torch" })).toEqual([
        -507,
        "member not accept op 1003, b",
        0,
      ]);
      expect(await outcome([1003, 100206], { kind: "torch" })).toEqual([undefined, undefined, 1]);
    },

  "camera.member: a member who is not there gets nothing, and one who leaves ends the request":
    async () => {
      const { world, begin, asked } = await watching();
      const waits = begin({ kind: "torch" });
      await world.run(50);
      world.server.sendFrame({ op: 301, memId: "b", reason: 0 });
      await world.run(50);
      expect(waits.became()).toMatchObject({ details: { result: -507 } });
      const gone = begin({ kind: "torch" });
      await world.run(50);
      expect(gone.became()).toMatchObject({ details: { result: -507 } });
      expect(asked()).toHaveLength(1);
    },

  "camera.stream: the stream must be another's camera, subscribed and connected": async () => {
    const { world, conferences, tab, asked } = await watching();
    const torch = (streamId: string) =>
      errorOf(conferences.handlers.controlCamera({ streamId, control: { kind: "torch" } }, T1));
    const bad = "conference.invalid: Bad stream";
    const notSub = "conference.invalid: Not allow control. cause by the stream not sub";
    expect(await torch("nothing")).toBe(bad);
    const own = Object.values(world.slice.streams).find(({ located }) => located)!;
    expect(await torch(own.id)).toBe(bad);
    world.server.publish("b", "screen-b", 1);
    await world.run(200);
    expect(await torch("screen-b")).toBe(bad);
    await conferences.handlers.subscribe({ streamId: "s-b", video: false, audio: true }, T1);
    await world.run(100);
    expect(await torch("s-b")).toBe(notSub);
    tab.auto = false;
    await conferences.handlers.unsubscribe({ streamId: "s-b" }, T1);
    await world.run(100);
    await conferences.handlers.subscribe({ streamId: "s-b", video: true, audio: true }, T1);
    await world.run(100);
    expect(await torch("s-b")).toBe(notSub);
    expect(asked()).toEqual([]);
  },

  "camera.off: a camera that was off is at rest when it is on again": async () => {
    const { world, begin, answer, camera } = await watching();
    begin({ kind: "zoom", by: 2 });
    begin({ kind: "freeze" });
    await world.run(50);
    await answer(0, 0);
    await answer(1, 0);
    expect(camera()).toEqual({ torch: false, freezeFrame: true, zoom: 2 });
    for (const voff of [1, 0]) {
      world.server.sendFrame({ op: 400, streamId: "s-b", memId: "b", voff, aoff: 0 });
      await world.run(50);
    }
    expect(camera()).toEqual({ torch: false, freezeFrame: false, zoom: 1 });
  },
});
