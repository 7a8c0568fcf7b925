/** Other members control the own camera, as the core of the one whose camera it is. */
import { expect } from "vitest";
import { CAMERA_OPS } from "../../../shared/protocol/confr-camera.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { CONFERENCE_CONFIG } from "./config.ts";
import { at, ENTRY, joined, own } from "./conferences.harness.ts";

const T1 = at("t1");
const PIC = "data:image/jpeg;base64,/9j/4AAQ";
const PERSON = { ...ENTRY, cameraControl: true };

async function controlled(entry: typeof ENTRY & { cameraControl?: boolean } = PERSON) {
  const one = await joined({}, entry);
  const { world, tab } = one;
  for (const name of ["b", "c"]) world.server.enter(name);
  await world.run(100);
  const streamId = own(world)?.id ?? "";
  let asks = 0;
  const ask = async (arg: object, memId = "b"): Promise<string> => {
    asks += 1;
    const tsxId = `q${asks}`;
    const { sessId } = world.server;
    const text = JSON.stringify({ op2: 20, streamId, ...arg });
    world.server.socket?.receive({ op: 1002, tsxId, sessId, memId, arg: text });
    await world.run(50);
    return tsxId;
  };
  /** What was answered to a request; undefined while nothing was. */
  const answered = (tsxId: string) => {
    const found = world.server.requestsOfOp(1001).find((frame) => frame.tsxId === tsxId) as
      | { result: number; memId: string; arg: string }
      | undefined;
    return found && { to: found.memId, result: found.result, arg: JSON.parse(found.arg) as object };
  };
  const orders = () => tab.orders.flatMap((order) => (order.t === "camera" ? [order] : []));
  const done = async (fields: object = {}): Promise<void> => {
    const id = orders().at(-1)?.id ?? "";
    tab.emitConferenceEvent({ t: "camera-done", id, result: 0, ...fields });
    await world.run(50);
  };
  return { ...one, streamId, ask, answered, orders, done };
}

export const checks = rowChecks({
  "camera.controlled: the owner tab does what was asked, and the member gets its answer":
    async () => {
      const { ask, answered, orders, done } = await controlled();
      const requests = [
        [{ zoom: 25_000 }, { kind: "zoom", zoom: 2.5 }, { zoom: 2.5 }, { op2: 20, zoom: 25_000 }],
        [{ tor: 1 }, { kind: "torch", on: true }, {}, { op2: 20 }],
        [{ frz: 0 }, { kind: "freeze", on: false }, {}, { op2: 20 }],
        [{ pic: 1, rspBase64Pic: true }, { kind: "capture" }, { pic: PIC }, { op2: 20, pic: PIC }],
        [
          { focus: 1, expo: 1, x: 5000, y: 10_000 },
          { kind: "focus", x: 0.5, y: 1, focus: true, expo: true },
          {},
          { op2: 20 },
        ],
        [{ cam: 1 }, { kind: "switch" }, {}, { op2: 20 }],
      ] as const;
      for (const [arg, action, event, answer] of requests) {
        const tsxId = await ask(arg);
        expect(orders().at(-1)?.action).toEqual(action);
        expect(answered(tsxId)).toBeUndefined();
        await done(event);
        expect(answered(tsxId)).toEqual({ to: "b", result: 0, arg: answer });
      }
    },

  "camera.declared: who lets others control the camera declares it, and every member its mutes":
    async () => {
      const opsOf = async (entry: typeof ENTRY & { cameraControl?: boolean }) => {
        const { world } = await joined({}, entry);
        return (world.server.requestsOfOp(200)[0] as unknown as { res: { ops: number[] } }).res.ops;
      };
      expect(await opsOf(ENTRY)).toEqual([1003, 312, 100223, 100224, 100230]);
      const all = await opsOf(PERSON);
      expect(all).toEqual([1003, 312, 100223, 100224, 100230, ...CAMERA_OPS]);
      expect(all).toEqual(
        expect.arrayContaining([100201, 100202, 100203, 100204, 100205, 100206, 100207]),
      );
    },

  "camera.reject: who does not let others control the camera answers -402": async () => {
    const { ask, answered, orders } = await controlled(ENTRY);
    expect(answered(await ask({ tor: 1 }))).toMatchObject({ result: -402 });
    expect(orders()).toEqual([]);
  },

  "camera.consent: the person forbids it inside, which restores the camera and declares its ops again":
    async () => {
      const { world, conferences, ask, answered, orders } = await controlled();
      await conferences.handlers.allowCameraControl({ on: false }, T1);
      await world.run(3_000);
      expect(orders().at(-1)?.action).toEqual({ kind: "restore" });
      expect(world.slice).toMatchObject({ status: "joined", local: { cameraControl: false } });
      const enters = world.server.requestsOfOp(200) as unknown as { res: { ops: number[] } }[];
      expect(enters.map(({ res }) => res.ops.length)).toEqual([5 + CAMERA_OPS.length, 5]);
      expect(answered(await ask({ tor: 1 }))).toMatchObject({ result: -402 });
    },

  "camera.reject-waiting: what waits while the person forbids it is refused, and what the tab does already is answered":
    async () => {
      const { world, conferences, ask, answered, orders, done } = await controlled();
      const first = await ask({ zoom: 20_000 });
      const waits = await ask({ zoom: 30_000 });
      const id = orders()[0]?.id;
      await conferences.handlers.allowCameraControl({ on: false }, T1);
      // Meanwhile the tab restores the camera, and the core enters again to declare that nobody may control it.
      await world.run(1_000);
      await done({ id });
      expect(answered(first)).toMatchObject({ result: 0 });
      expect(answered(waits)).toMatchObject({ result: -402 });
      expect(orders().filter(({ action }) => action.kind === "zoom")).toHaveLength(1);
    },

  "camera.busy: one member at a time, the requests of one in their order": async () => {
    const { ask, answered, orders, done } = await controlled();
    const first = await ask({ zoom: 20_000 });
    const second = await ask({ zoom: 30_000 });
    expect(answered(await ask({ tor: 1 }, "c"))).toMatchObject({ to: "c", result: -403 });
    expect(orders()).toHaveLength(1);
    await done();
    expect(answered(first)).toMatchObject({ result: 0 });
    expect(orders().at(-1)?.action).toEqual({ kind: "zoom", zoom: 3 });
    await done();
    expect(answered(second)).toMatchObject({ result: 0 });
    const third = await ask({ tor: 1 }, "c");
    await done();
    expect(answered(third)).toMatchObject({ result: 0 });
    for (let n = 0; n < 20; n += 1) await ask({ zoom: 20_000 });
    expect(answered(await ask({ zoom: 20_000 }))).toMatchObject({ result: -403 });
  },

  "camera.slow, camera.owner: a tab that does not answer is -408, and one that goes away -403":
    async () => {
      const { world, tab, ask, answered } = await controlled();
      const late = await ask({ frz: 1 });
      await world.run(CONFERENCE_CONFIG.cameraTabMillis + 100);
      expect(answered(late)).toMatchObject({ result: -408 });
      const lost = await ask({ frz: 1 });
      world.openTab("t2");
      world.closeTab(tab);
      await world.run(500);
      expect(answered(lost)).toMatchObject({ result: -403 });
    },

  "camera.device: what the device cannot do, or failed to do, is the tab's result": async () => {
    for (const result of [-507, -203, -405]) {
      const { world, ask, answered, done } = await controlled();
      const tsxId = await ask({ tor: 1 });
      await done({ result });
      expect(answered(tsxId)).toMatchObject({ result });
      expect([world.slice.cameraControlled, world.notices]).toEqual([null, []]);
    }
  },

  "camera.unsupported: what is no request of a camera is -507": async () => {
    const { streamId, ask, answered, orders } = await controlled();
    for (const arg of [
      {},
      { tor: 2 },
      { tor: "1" },
      { zoom: 9_999 },
      { zoom: 1e12 },
      { tor: 1, frz: 1 },
      { focus: 1, expo: 1 },
      { focus: 1, x: -1, y: 0 },
      // The picture would stay here, where nobody keeps it.
      { pic: 1 },
      { pic: 1, rspBase64Pic: false },
      { tor: 1, streamId: "another" },
      { tor: 1, streamId: [streamId] },
    ]) {
      expect(answered(await ask(arg))).toMatchObject({ result: -507 });
    }
    expect(orders()).toEqual([]);
  },

  "camera.closed: a camera that is off is -405": async () => {
    const { world, conferences, ask, answered } = await controlled();
    await conferences.handlers.setLocal({ videoOff: true }, T1);
    await world.run(2_000);
    expect(own(world)?.voff).toBe(1);
    expect(answered(await ask({ tor: 1 }))).toMatchObject({ result: -405 });
  },

  "camera.notice: the person reads who does what, a repeated zoom once in a while": async () => {
    const { world, ask, done } = await controlled();
    for (const arg of [{ frz: 1 }, { zoom: 20_000 }, { zoom: 30_000 }]) {
      await ask(arg);
      await done();
    }
    expect(world.notices).toEqual(["b定格了您的画面", "b调整了您画面的缩放"]);
    expect(world.slice.cameraControlled).toMatchObject({ memId: "b", kind: "zoom" });
    await world.run(CONFERENCE_CONFIG.cameraNoticeMillis);
    await ask({ zoom: 40_000 });
    await done();
    expect(world.notices).toHaveLength(3);
  },

  "camera.own-state: all tabs see what others made of the own camera, and another owner tab repeats it":
    async () => {
      const { world, conferences, tab, orders } = await controlled();
      const made = { torch: true, freezeFrame: true, zoom: 2 };
      tab.emitConferenceEvent({ t: "camera-state", ...made });
      await world.run(50);
      expect(own(world)).toMatchObject(made);
      await conferences.handlers.restoreCamera({}, T1);
      expect(orders()).toMatchObject([{ id: "", action: { kind: "restore" } }]);
      const next = world.openTab("t2");
      world.closeTab(tab);
      await world.run(500);
      expect(next.orders.filter(({ t }) => t === "camera")).toMatchObject([
        { id: "", action: { kind: "zoom", zoom: 2 } },
        { id: "", action: { kind: "torch", on: true } },
        { id: "", action: { kind: "freeze", on: true } },
      ]);
    },
});
