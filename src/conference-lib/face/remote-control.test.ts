/** Control of shared screens in the library's public API. */
import { expect, vi } from "vitest";
import { noControl } from "../../shared/protocol/initial-state.ts";
import type { ControlView } from "../../shared/protocol/remote-control.ts";
import type { ConferenceStreamView } from "../../shared/protocol/state.ts";
import { stream } from "../../shared/protocol/stream.harness.ts";
import { PATIENCE } from "../../shared/patience.harness.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { asTag, FakeTag, faceWorld, member } from "./face.harness.ts";

const screen = (id: string, memId: string, located: boolean): ConferenceStreamView =>
  stream(id, memId, { type: 1, hasAudio: false, audio: false, located });
const BOSS = { streamId: "scr", memId: "m2", nickName: "" };

function inside() {
  const world = faceWorld();
  world.inside({
    streams: { scr: screen("scr", "m2", false), own: screen("own", "m1", true) },
    members: { m1: member("m1"), m2: member("m2") },
  });
  const control = (part: Partial<ControlView>): void =>
    world.set({ control: { ...world.state.control, ...part } });
  const log: string[] = [];
  const note = (name: string) => (): void => void log.push(name);
  const callbacks = {
    onAccept: note("accept"),
    onReject: note("reject"),
    onBusy: note("busy"),
    onRemoteControlTimeout: note("timeout"),
    onNotAllowRemoteControl: note("not allowed"),
    onDisControlled: (_stream: unknown, why: string) => void log.push(`ended: ${why}`),
  };
  let ids = 0;
  const end = (why: NonNullable<ControlView["ended"]>["why"]): void => {
    ids += 1;
    control({ ended: { ...BOSS, id: `e${ids}`, why } });
    control({ own: noControl().own });
  };
  return { ...world, control, callbacks, log, end };
}

export const checks = rowChecks({
  "control.callbacks: each result of a request calls its own callback, once": async () => {
    const { face, control, callbacks, log, end, calls } = inside();
    for (const why of ["rejected", "busy", "late", "notAllowed"] as const) {
      await face.remoteControl("scr", callbacks);
      control({ own: { state: "asking", of: BOSS } });
      end(why);
    }
    expect(calls.filter(([name]) => name === "askControl")).toHaveLength(4);
    expect(log.splice(0)).toEqual(["reject", "busy", "timeout", "not allowed"]);
    await face.remoteControl({ id: "scr" }, callbacks);
    control({ own: { state: "asking", of: BOSS } });
    control({ own: { state: "controlling", of: BOSS } });
    await face.triggerRemoteControl("scr", [{ oper: 2, btn: 0, x: 1, y: 2 }]);
    await face.freeRemoteControl("scr");
    end("released");
    expect(log).toEqual(["accept", "ended: released"]);
    expect(calls.slice(-2)).toEqual([
      ["sendControl", { streamId: "scr", actions: [{ oper: 2, btn: 0, x: 1, y: 2 }] }],
      ["releaseControl", {}],
    ]);
  },
  "control.tag-events: remoteControl and freeRemoteControl on a bound element ask and release":
    async () => {
      const { face, calls, warnings } = inside();
      const tag = new FakeTag();
      face.streamBindVideo("scr", asTag(tag));
      tag.dispatchEvent(new Event("remoteControl"));
      tag.dispatchEvent(new Event("freeRemoteControl"));
      await Promise.resolve();
      expect(calls.map(([name]) => name)).toEqual(["askControl", "releaseControl"]);
      expect(warnings).toEqual([]);
    },
  "control.face-side: onRemoteControl brings accept and reject, onFreeControl the counts; the host executes and stops":
    async () => {
      const { face, control, calls, media } = inside();
      const by = { streamId: "own", memId: "m2", nickName: "" };
      const seen: unknown[] = [];
      face.on("onRemoteControl", async (stream, controller, accept, reject) => {
        seen.push([stream?.id, controller.id]);
        await accept();
        await reject();
      });
      face.on("onFreeControl", (stream, controller, freed) =>
        seen.push([stream?.id, controller?.id, freed]),
      );
      control({ screen: { state: "asked", id: "r1", by, since: 1 } });
      control({ screen: { state: "controlled", id: "r1", by, since: 2 } });
      const counts = { executed: 3, late: 1, missing: 0, bad: 0 };
      control({ screen: noControl().screen, freed: { ...by, id: "r1", why: "stopped", counts } });
      expect(seen).toEqual([
        ["own", "m2"],
        ["own", "m2", { why: "stopped", counts }],
      ]);
      await vi.waitFor(() => expect(calls).toHaveLength(2), PATIENCE);
      await face.stopRemoteControl();
      face.setControlExecutor(null);
      expect(calls).toEqual([
        ["answerControl", { id: "r1", agree: true }],
        ["answerControl", { id: "r1", agree: false }],
        ["stopControl", {}],
      ]);
      expect(media).toEqual([["controlWith", null]]);
    },
});
