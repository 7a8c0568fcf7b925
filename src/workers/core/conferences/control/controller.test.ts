/** This person controls another's shared screen. */
import { expect } from "vitest";
import { CONTROL_ID_LENGTH } from "../../../../shared/domain/remote-control.ts";
import { rowChecks } from "../../../../shared/row-checks.harness.ts";
import { CONFERENCE_CONFIG } from "../config.ts";
import { errorOf } from "../conferences.harness.ts";
import { T1, watching } from "./control.harness.ts";
import { thin } from "./sender.ts";
import { controlIdOf } from "./wire.ts";

type World = Awaited<ReturnType<typeof watching>>["world"];
const stateOf = (world: World) => world.slice.control.own.state;
const endOf = (world: World) => world.slice.control.ended?.why;

const FAILED = { code: "conference.connection-failed", message: "", retryable: false } as const;

export const checks = rowChecks({
  "control.message, control.id: the request is op 1002 with op2 30, evt 1, streamId, and a cId of 6 characters":
    async () => {
      const { world, ask, sent, answerAsk } = await watching();
      await ask();
      expect(stateOf(world)).toBe("asking");
      const [message] = sent(1);
      expect(message).toMatchObject({ op2: 30, evt: 1, streamId: "scr" });
      expect(message?.cId).toMatch(/^\w{6}$/);
      expect([controlIdOf("a-b"), controlIdOf("0123456789")]).toEqual(["0000ab", "456789"]);
      expect(CONTROL_ID_LENGTH).toBe(6);
      await answerAsk(0);
      expect(world.slice.control.own).toMatchObject({
        state: "controlling",
        of: { memId: "boss", streamId: "scr" },
      });
    },
  "control.results: -402, -403, -405, -507 and unknown results end the request, each in its own words":
    async () => {
      const { world, ask, answerAsk } = await watching();
      const ends: unknown[] = [];
      for (const result of [-402, -403, -405, -507, -1, -408]) {
        await ask();
        await answerAsk(result);
        ends.push([stateOf(world), endOf(world), world.notices.at(-1)]);
      }
      const unable = ["idle", "notAllowed", "boss的屏幕不支持远程控制"];
      expect(ends).toEqual([
        ["idle", "rejected", "boss拒绝了远程控制请求"],
        ["idle", "busy", "boss的屏幕正被他人控制，请稍后再试"],
        unable,
        unable,
        unable,
        ["idle", "late", "boss没有回应，远程控制已结束"],
      ]);
      const logged = world.env.reports.filter((text) => text.includes("unknown result"));
      expect(logged).toEqual(["conferences: control: unknown result -1"]);
    },
  "control.late: without an answer for a minute the request ends as -408 does": async () => {
    const { world, ask } = await watching();
    await ask();
    await world.run(59_000);
    expect(stateOf(world)).toBe("asking");
    await world.run(1_500);
    expect([stateOf(world), endOf(world)]).toEqual(["idle", "late"]);
  },
  "control.not-sub: a stream that is not received, or not connected, cannot be controlled":
    async () => {
      const { conferences, world, tab } = await watching();
      const [rtcId] = [...tab.openConnections].findLast(([, what]) => what === "subscribe") ?? [""];
      tab.auto = false;
      tab.emitConferenceEvent({ t: "failed", rtcId, error: FAILED });
      await world.run(CONFERENCE_CONFIG.iceRestartTimeoutMillis + 100);
      expect(world.slice.streams["scr"]).toMatchObject({ video: true, connection: "rebuilding" });
      const unconnected = conferences.handlers.askControl({ streamId: "scr" }, T1);
      expect(await errorOf(unconnected)).toBe(
        "conference.invalid: Not allow control. cause by the stream not sub",
      );
      await conferences.handlers.unsubscribe({ streamId: "scr" }, T1);
      await world.run(200);
      const refused = conferences.handlers.askControl({ streamId: "scr" }, T1);
      expect(await errorOf(refused)).toBe(
        "conference.invalid: Not allow control. cause by the stream not sub",
      );
      const camera = world.server.publish("boss", "cam", 0);
      await world.run(200);
      const other = conferences.handlers.askControl({ streamId: camera.id }, T1);
      expect(await errorOf(other)).toBe("conference.invalid: Bad stream");
    },
  "control.ops: a member that does not accept 100230 or 1003 is not asked": async () => {
    for (const accepts of [[1003], [100230]]) {
      const { world, ask, sent } = await watching(accepts);
      await ask();
      expect([sent(1), stateOf(world), endOf(world)]).toEqual([[], "idle", "notAllowed"]);
    }
  },
  "control.send, control.sn: input goes in order, numbered from 1, at most one message in 20 ms":
    async () => {
      const { controlling, send, sent, moves } = await watching();
      await controlling();
      await send(moves(1, 2));
      await send([{ oper: 1, btn: 1, x: 3, y: 5 }, ...moves(4, 2)]);
      await send([{ oper: 3, btn: 65, key: "a", code: "KeyA" }]);
      const messages = sent(0);
      expect(messages.map(({ actions }) => actions?.map(({ sn }) => sn))).toEqual([
        [1, 2],
        [3, 4, 5],
        [6],
      ]);
      const { actions = [] } = messages[1] ?? {};
      expect(actions[0]).toMatchObject({ oper: 1, btn: 1, x: 3, y: 5 });
      expect(actions[0]).toHaveProperty("_time");
    },
  "control.window, control.buffer: with ten messages unanswered input waits; of 1000 that wait every second move goes, no button":
    async () => {
      const { controlling, send, sent, moves, answer } = await watching();
      await controlling();
      for (let n = 0; n < 12; n += 1) await send(moves(n, 1));
      expect(sent(0)).toHaveLength(10);
      await send(moves(0, 900));
      await send([{ oper: 1, btn: 4, x: 7, y: 7 }, ...moves(0, 300)]);
      expect(sent(0)).toHaveLength(10);
      await answer(sent(0)[0]?.tsxId, 0, { sn: 1 });
      const waited = sent(0).at(-1)?.actions ?? [];
      expect(waited.length).toBe(500);
      await answer(sent(0)[1]?.tsxId, 0, { sn: 2 });
      const all = [...waited, ...(sent(0).at(-1)?.actions ?? [])];
      expect(all.length).toBeLessThan(700);
      expect(all.filter(({ oper }) => oper === 1)).toMatchObject([{ btn: 4, x: 7 }]);
      expect(all.map(({ sn }) => sn)).toEqual(all.map((_, index) => 11 + index));
    },
  "control.keep-alive: every 10 s the controller sends evt 3, and without an answer for 30 s control ends":
    async () => {
      const { world, controlling, sent, answer } = await watching();
      await controlling();
      for (let n = 0; n < 4; n += 1) {
        await world.run(10_000);
        await answer(sent(3)[n]?.tsxId, 0, { sn: 0 });
      }
      expect([sent(3).length, stateOf(world)]).toEqual([4, "controlling"]);
      await world.run(45_000);
      expect([stateOf(world), endOf(world)]).toEqual(["idle", "late"]);
      expect(sent(2)).toHaveLength(1);
    },
  "control.ended: the controlled side ends it by evt 4, or by -405 to input, as the platform's library does":
    async () => {
      const { world, controlling, sent, send, moves, answer } = await watching();
      await controlling();
      await send(moves(1, 1));
      await answer(sent(0)[0]?.tsxId, -405);
      expect([stateOf(world), endOf(world)]).toEqual(["idle", "stopped"]);
      await send(moves(1, 1));
      expect(sent(0)).toHaveLength(1);
      await controlling();
      const ended = async (cId: string): Promise<void> => {
        const { sessId, socket } = world.server;
        const arg = JSON.stringify({ op2: 30, evt: 4, streamId: "scr", cId });
        socket?.receive({ op: 1002, tsxId: `t-${cId}`, sessId, memId: "boss", arg });
        await world.run(100);
      };
      await ended("wrong1");
      expect(stateOf(world)).toBe("controlling");
      await ended(sent(1).at(-1)?.cId ?? "");
      expect([stateOf(world), endOf(world)]).toEqual(["idle", "stopped"]);
    },
  "control.controller-freed: it ends with the member, the stream, its subscription and the session, and by the own release":
    async () => {
      const ways: Record<string, (one: Awaited<ReturnType<typeof watching>>) => Promise<unknown>> =
        {
          member: async ({ world }) =>
            world.server.sendFrame({ op: 301, memId: "boss", reason: 0 }),
          stream: async ({ world }) =>
            world.server.sendFrame({ op: 303, memId: "boss", pubSId: "scr" }),
          subscription: async ({ conferences, world }) => {
            await conferences.handlers.unsubscribe({ streamId: "scr" }, T1);
            await world.run(10_100);
          },
          session: async ({ world }) => {
            world.server.resumes = false;
            world.server.socket?.end(1006);
            await world.run(4_000);
          },
          release: ({ conferences }) => conferences.handlers.releaseControl({}, T1),
        };
      for (const [name, end] of Object.entries(ways)) {
        const one = await watching();
        await one.controlling();
        await end(one);
        await one.world.run(200);
        const why = name === "release" ? "released" : "gone";
        expect([name, stateOf(one.world), endOf(one.world)]).toEqual([name, "idle", why]);
        expect(one.sent(2)).toHaveLength(name === "release" ? 1 : 0);
      }
    },
  "control.no-stale-input: while the session is lost, input is dropped and not sent later":
    async () => {
      const { world, controlling, send, sent, moves } = await watching();
      await controlling();
      world.unreachable = true;
      world.server.socket?.end(1006);
      await world.run(200);
      await send(moves(1, 3));
      world.unreachable = false;
      await world.run(5_000);
      expect(stateOf(world)).toBe("controlling");
      expect(sent(0)).toEqual([]);
      await send(moves(9, 1));
      expect(sent(0).map(({ actions }) => actions?.map(({ x }) => x))).toEqual([[9]]);
    },
  "control.thin: every second move goes, the last one before a button stays": () => {
    const one = (oper: number, x: number) => ({ input: { oper, x, y: 0, btn: 1 } as never, x });
    const waiting = [one(2, 1), one(2, 2), one(2, 3), one(1, 4), one(2, 5), one(0, 6), one(2, 7)];
    expect(thin(waiting).map(({ x }) => x)).toEqual([2, 3, 4, 5, 6, 7]);
  },
});
