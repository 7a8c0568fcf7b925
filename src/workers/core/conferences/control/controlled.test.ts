/** The own shared screen is asked for, controlled and freed. */
import { expect } from "vitest";
import { rowChecks } from "../../../../shared/row-checks.harness.ts";
import { CONFERENCE_CONFIG } from "../config.ts";
import { at, errorOf } from "../conferences.harness.ts";
import { sharing, T1 } from "./control.harness.ts";

const move = (sn: number, x = sn) => ({ x, y: 2, oper: 2, sn, _time: 7 });
const NOT_ALLOWED = -405;

export const checks = rowChecks({
  "control.request, control.accept: a request (evt 1) waits for the person, who agrees by 0":
    async () => {
      const { world, conferences, from, answers, orders, streamId } = await sharing();
      expect(await from("boss", 1)).toBeUndefined();
      const { screen } = world.slice.control;
      expect(screen).toMatchObject({ state: "asked", by: { memId: "boss", nickName: "boss" } });
      expect(orders()).toEqual([]);
      await conferences.handlers.answerControl({ id: screen.id, agree: true }, T1);
      await world.run(100);
      expect(answers()).toMatchObject([{ result: 0, cId: "abcdef" }]);
      expect(world.slice.control.screen.state).toBe("controlled");
      expect(orders()).toEqual([{ t: "control-begin", streamId, memId: "boss", nickName: "boss" }]);
    },
  "control.-402: a refusal of the person is answered by -402": async () => {
    const { world, conferences, from, answers } = await sharing();
    await from("boss", 1);
    const { id } = world.slice.control.screen;
    await conferences.handlers.answerControl({ id, agree: false }, T1);
    await world.run(100);
    expect(answers()).toMatchObject([{ result: -402 }]);
    expect(world.slice.control.screen.state).toBe("free");
  },
  "control.busy, control.-403: a second member is busy while one asks and while one controls":
    async () => {
      const { controlled, from, world } = await sharing();
      await from("boss", 1);
      expect(await from("other", 1)).toMatchObject({ result: -403 });
      await controlled();
      expect(await from("other", 1)).toMatchObject({ result: -403 });
      expect(world.slice.control.screen.by?.memId).toBe("boss");
    },
  "control.other: who agrees to a request while another controls is told": async () => {
    const { controlled, conferences } = await sharing();
    await controlled();
    const late = conferences.handlers.answerControl({ id: "gone", agree: true }, T1);
    expect(await errorOf(late)).toBe("conference.invalid: Other has been controled.");
  },
  "control.-405: a screen in which nothing can execute input, an unknown stream and a bad argument are answered by -405":
    async () => {
      const { from, tab, world, controlled } = await sharing({ able: false });
      expect(await from("boss", 1)).toMatchObject({ result: NOT_ALLOWED });
      tab.emitConferenceEvent({ t: "control-able", able: true });
      await world.run(100);
      expect(await from("boss", 1, { streamId: "s1" })).toMatchObject({ result: NOT_ALLOWED });
      expect(await from("boss", 9)).toMatchObject({ result: NOT_ALLOWED });
      expect(await from("nobody", 1)).toMatchObject({ result: NOT_ALLOWED });
      expect(await from("boss", 0, { actions: [move(1)] })).toMatchObject({ result: NOT_ALLOWED });
      await controlled();
      expect(await from("other", 0, { actions: [move(1)] })).toMatchObject({ result: NOT_ALLOWED });
      expect(await from("boss", 0, { cId: "zzzzzz" })).toMatchObject({ result: NOT_ALLOWED });
    },
  "control.actions: actions go to the tab in the order of sn, once each; what is late or bad is counted, and the answer has sn":
    async () => {
      const { world, from, controlled, orders, conferences } = await sharing();
      await controlled();
      const first = await from("boss", 0, {
        actions: [move(2), move(1), { oper: "x" }, move(20_000)],
      });
      await from("boss", 0, { actions: [move(0.5)] });
      const logged = world.env.reports.filter((text) => text.includes("without a whole sn"));
      expect(logged).toHaveLength(1);
      expect(first).toMatchObject({ result: 0, sn: 20_000 });
      await from("boss", 0, { actions: [move(3), { oper: 3, btn: 65, sn: 20_001, _time: 9 }] });
      const actions = orders().flatMap((order) =>
        order.t === "control-input" ? order.actions : [],
      );
      expect(actions).toEqual([
        { oper: 2, btn: 0, x: 1, y: 2, sn: 1, time: 7 },
        { oper: 2, btn: 0, x: 2, y: 2, sn: 2, time: 7 },
        { oper: 2, btn: 0, x: 10_000, y: 2, sn: 20_000, time: 7 },
        { oper: 3, btn: 65, sn: 20_001, time: 9 },
      ]);
      await conferences.handlers.stopControl({}, T1);
      expect(world.slice.control.freed).toMatchObject({
        why: "stopped",
        counts: { executed: 4, late: 1, bad: 2, missing: 19_997 },
      });
    },
  "control.newer: a newer control object of the same person replaces the older one without another question":
    async () => {
      const { controlled, from, world } = await sharing();
      await controlled("first1");
      expect(await from("boss", 1, { cId: "second" })).toMatchObject({ result: 0, cId: "second" });
      expect(await from("boss", 0, { cId: "first1", actions: [move(9)] })).toMatchObject({
        result: NOT_ALLOWED,
      });
      // The numbers of the new control begin again.
      expect(await from("boss", 0, { cId: "second", actions: [move(1)] })).toMatchObject({
        result: 0,
        sn: 1,
      });
      expect(world.slice.control.screen.state).toBe("controlled");
    },
  "control.release: a release (evt 2) frees the screen, of this control alone": async () => {
    const { controlled, from, world, orders } = await sharing();
    await controlled();
    await from("other", 2);
    await from("boss", 2, { cId: "zzzzzz" });
    expect(world.slice.control.screen.state).toBe("controlled");
    expect(await from("boss", 2)).toMatchObject({ result: 0 });
    expect(world.slice.control.screen.state).toBe("free");
    expect(orders().at(-1)).toEqual({ t: "control-end" });
    expect(world.slice.control.freed?.why).toBe("released");
    // A request is withdrawn in the same way.
    await from("boss", 1);
    await from("boss", 2);
    expect(world.slice.control.screen.state).toBe("free");
  },
  "control.stopped: the person stops it, and the controller learns it by evt 4": async () => {
    const { controlled, conferences, world, sent, streamId, orders, from } = await sharing();
    await controlled();
    await conferences.handlers.stopControl({}, T1);
    await world.run(100);
    expect(sent(4)).toMatchObject([{ streamId, cId: "abcdef" }]);
    expect(orders().at(-1)).toEqual({ t: "control-end" });
    expect(await from("boss", 0, { actions: [move(1)] })).toMatchObject({ result: NOT_ALLOWED });
  },
  "control.freed-leave: it is freed when the controller leaves": async () => {
    const { controlled, world } = await sharing();
    await controlled();
    world.server.sendFrame({ op: 301, memId: "other", reason: 0 });
    await world.run(100);
    expect(world.slice.control.screen.state).toBe("controlled");
    world.server.sendFrame({ op: 301, memId: "boss", reason: 0 });
    await world.run(100);
    expect(world.slice.control).toMatchObject({
      screen: { state: "free" },
      freed: { why: "gone" },
    });
  },
  "control.freed-stream: it is freed when the stream is removed, and when the capture ends":
    async () => {
      const first = await sharing();
      await first.controlled();
      await first.conferences.handlers.unpublish({ streamId: first.streamId }, T1);
      await first.world.run(300);
      expect(first.world.slice.control.screen.state).toBe("free");
      const second = await sharing();
      await second.controlled();
      second.tab.emitConferenceEvent({ t: "control-able", able: false });
      await second.world.run(100);
      expect(second.world.slice.control.screen.state).toBe("free");
      expect(second.sent(4)).toHaveLength(1);
    },
  "control.freed-end: it is freed when the call hangs up, and when the media move to another tab":
    async () => {
      const first = await sharing();
      await first.controlled();
      const left = first.conferences.handlers.exit({ close: false }, T1);
      await first.world.run(1_000);
      await left;
      expect(first.orders().at(-1)).toEqual({ t: "control-end" });
      const second = await sharing();
      await second.controlled();
      second.world.openTab("t2");
      await second.conferences.handlers.bringHere({}, at("t2"));
      await second.world.run(300);
      expect(second.world.slice.control).toMatchObject({
        screen: { state: "free" },
        freed: { why: "gone" },
        able: false,
      });
      expect(second.sent(4)).toHaveLength(1);
    },
  "control.freed-silent, control.timings: without input or keep-alive for 30 s it is freed at the next check of 10 s":
    async () => {
      expect([
        CONFERENCE_CONFIG.ctrlCheckIntervalMillis,
        CONFERENCE_CONFIG.ctrlTimeoutMillis,
      ]).toEqual([10_000, 30_000]);
      const { controlled, world, from } = await sharing();
      await controlled();
      await world.run(25_000);
      // A keep-alive (evt 3) is as good as input.
      expect(await from("boss", 3)).toMatchObject({ result: 0 });
      await world.run(29_000);
      expect(world.slice.control.screen.state).toBe("controlled");
      await world.run(11_500);
      expect(world.slice.control).toMatchObject({
        screen: { state: "free" },
        freed: { why: "late" },
      });
    },
  "control.expire: a request that nobody answers ends after a minute": async () => {
    const { world, from, sent } = await sharing();
    await from("boss", 1);
    await world.run(60_200);
    expect(world.slice.control.screen.state).toBe("free");
    expect(sent(4)).toEqual([]);
  },
});
