/** Annotations on the server: rights, limits, the rate, who receives them, and when they are forgotten. */
import { describe, expect, it } from "vitest";
import { MARK_LIMITS, type MarkChange } from "../../../shared/domain/annotations.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { GATHER_MS } from "./annotations.ts";
import { createStage, type Member } from "./conference.harness.ts";
import { setRoles } from "./roles.ts";

const NEW = { acptOps: [OP.message, OP.annotate] };
const OLD = { acptOps: [1002, 1003] };
let ids = 0;
const line = (id = `m${(ids += 1)}`): MarkChange => ({
  t: "add",
  id,
  tool: "line",
  colour: "#ff3b30",
  size: 60,
  points: [0, 0, 10_000, 10_000],
});
const pen = (id: string, count = 1): MarkChange =>
  ({
    ...line(id),
    t: "add",
    tool: "pen",
    points: Array.from({ length: 2 * count }, () => 1),
  }) as MarkChange;
const draw = (member: Member, streamId: unknown, ...changes: MarkChange[]) =>
  member.ask({ op: OP.annotate, streamId, changes });
const eventsOf = (member: Pick<Member, "frames">) =>
  member.frames.filter((frame) => frame.op === OP.annotate);

/** admin owns the conference, bob publishes, carol looks on; all know annotations. old does not. */
async function four() {
  const stage = createStage();
  const admin = await stage.enter("admin", NEW);
  const bob = await stage.enter("bob", NEW);
  const carol = await stage.enter("carol", NEW);
  const old = await stage.enter("old", OLD);
  const { streamId } = await bob.publish("r1");
  return { stage, admin, bob, carol, old, streamId };
}
const marksOf = (stage: ReturnType<typeof createStage>, streamId: unknown): string[] => [
  ...(stage.conference().annotations.boards.get(String(streamId))?.board.marks.keys() ?? []),
];

export const checks = rowChecks({
  "draw.over: Members draw over a stream; all that know annotations receive it, others get nothing and stay":
    async () => {
      const { stage, admin, bob, carol, old, streamId } = await four();
      const before = old.frames.length;
      expect(await draw(carol, streamId, line("a"))).toMatchObject({ result: 0, seq: 1 });
      stage.clock.advance(GATHER_MS);
      const event = {
        op: OP.annotate,
        streamId,
        seq: 1,
        changes: [{ t: "add", id: "a", by: "carol" }],
      };
      for (const member of [admin, bob, carol]) expect(eventsOf(member)).toMatchObject([event]);
      expect(old.frames).toHaveLength(before);
      expect(old.closed).toBeNull();
      // A client that does not know them may not be disturbed, but may draw if it likes.
      expect(await draw(old, streamId, line("b"))).toMatchObject({ result: 0, seq: 2 });
      expect(old.frames).toHaveLength(before + 1);
    },
  "draw.late: A member that comes later, or comes back, gets the marks of all streams":
    async () => {
      const { stage, admin, bob, carol, streamId } = await four();
      await draw(carol, streamId, pen("a"), line("b"));
      await draw(carol, streamId, { t: "extend", id: "a", from: 1, points: [2, 2] });
      const late = await stage.enter("late", NEW);
      const board = {
        streamId,
        seq: 3,
        locked: false,
        marks: [
          { id: "a", by: "carol", points: [1, 1, 2, 2] },
          { id: "b", by: "carol" },
        ],
      };
      expect(late.answer["annotations"]).toMatchObject([board]);
      expect((await stage.enter("late2", OLD)).answer["annotations"]).toBeUndefined();
      bob.cut();
      await draw(carol, streamId, line("c"));
      const back = await stage.enter("bob", { ...NEW, sessId: bob.sessId });
      expect(back.answer).toMatchObject({ resumed: true, annotations: [{ seq: 4 }] });
      // A copy has them for who asks.
      expect((await admin.ask({ op: OP.copy }))["annotations"]).toBeUndefined();
      expect((await admin.ask({ op: OP.copy, annotations: true }))["annotations"]).toMatchObject([
        { streamId, seq: 4 },
      ]);
    },
  "draw.roles: Admins and speakers draw, the audience does not; each erases the own marks alone":
    async () => {
      const { stage, bob, carol, streamId } = await four();
      await draw(carol, streamId, line("a"));
      await draw(bob, streamId, line("b"));
      expect(await draw(carol, streamId, { t: "erase", ids: ["b"] })).toMatchObject({
        result: -405,
      });
      expect(await draw(carol, streamId, line("b"))).toMatchObject({ result: -405 });
      expect(
        await draw(bob, streamId, { t: "extend", id: "a", from: 2, points: [1, 1] }),
      ).toMatchObject({
        result: -405,
      });
      expect(await draw(carol, streamId, { t: "erase", ids: ["a", "gone"] })).toMatchObject({
        result: 0,
      });
      setRoles(stage.conference(), ["carol"], 1, true);
      expect(await draw(carol, streamId, line())).toMatchObject({ result: -405 });
      expect(marksOf(stage, streamId)).toEqual(["b"]);
      expect(await draw(bob, "none", line())).toMatchObject({ result: -507 });
    },
  "draw.clear: The stream's owner and admins clear all and forbid drawing; others may not":
    async () => {
      const { stage, admin, bob, carol, streamId } = await four();
      await draw(carol, streamId, line("a"));
      for (const change of [{ t: "clear" }, { t: "lock", on: true }] as const) {
        expect(await draw(carol, streamId, change)).toMatchObject({ result: -405 });
      }
      expect(await draw(bob, streamId, { t: "lock", on: true })).toMatchObject({ result: 0 });
      expect(await draw(carol, streamId, line("b"))).toMatchObject({ result: -405 });
      // What one drew oneself goes all the same; owner and admin still draw.
      expect(await draw(carol, streamId, { t: "erase", ids: ["a"] })).toMatchObject({ result: 0 });
      expect(await draw(bob, streamId, line("c"))).toMatchObject({ result: 0 });
      expect(await draw(admin, streamId, line("d"))).toMatchObject({ result: 0 });
      expect(await draw(admin, streamId, { t: "clear" }, { t: "lock", on: false })).toMatchObject({
        result: 0,
      });
      expect(await draw(carol, streamId, line("e"))).toMatchObject({ result: 0 });
      expect(marksOf(stage, streamId)).toEqual(["e"]);
    },
  "draw.rate: A person sends at most 30 messages within any second, on all devices together":
    async () => {
      const { stage, bob, carol, streamId } = await four();
      const second = await stage.enter("carol", { ...NEW, resource: "phone" });
      const answers = [];
      for (let index = 0; index < 40; index += 1) {
        answers.push(await draw(index % 2 === 0 ? carol : second, streamId, line()));
      }
      expect(answers.filter(({ result }) => result === 0)).toHaveLength(MARK_LIMITS.perSecond);
      expect(answers.at(-1)).toMatchObject({ result: -405, msg: "标注过于频繁", wait: 1000 });
      // Others are not concerned.
      expect(await draw(bob, streamId, line())).toMatchObject({ result: 0 });
      stage.clock.advance(999);
      expect(await draw(carol, streamId, line())).toMatchObject({ result: -405, wait: 1 });
      stage.clock.advance(1);
      expect(await draw(carol, streamId, line())).toMatchObject({ result: 0 });
    },
  "draw.ends: The marks go with their stream, whichever way it ends": async () => {
    const { stage, bob, carol, streamId } = await four();
    const { annotations } = stage.conference();
    await draw(carol, streamId, line());
    await bob.ask({ op: OP.terminate, rtcId: "r1", endReason: 0 });
    stage.clock.advance(60_000);
    expect(stage.conference().streams.size).toBe(0);
    expect([annotations.boards.size, annotations.bytes]).toEqual([0, 0]);
    const again = await bob.publish("r2");
    await draw(carol, again["streamId"], line());
    expect(annotations.boards.size).toBe(1);
    await bob.ask({ op: OP.leave });
    expect([annotations.boards.size, annotations.bytes]).toEqual([0, 0]);
  },
});

it("The people of a group call draw over each other's pictures, and nothing is left when it ends", async () => {
  const stage = createStage({ groupCall: true });
  const bob = await stage.enter("bob", NEW);
  const carol = await stage.enter("carol", NEW);
  const { streamId } = await bob.publish("r1");
  expect(await draw(carol, streamId, line("a"))).toMatchObject({ result: 0 });
  expect(await draw(bob, streamId, line("b"))).toMatchObject({ result: 0 });
  const conference = stage.conference();
  expect(marksOf(stage, streamId)).toEqual(["a", "b"]);
  await carol.ask({ op: OP.leave });
  expect(marksOf(stage, streamId)).toEqual(["a", "b"]);
  await bob.ask({ op: OP.leave });
  stage.clock.advance(GATHER_MS);
  expect([conference.ended, conference.annotations.boards.size]).toEqual([true, 0]);
});

describe("The limits of annotations", () => {
  it("refuse a mark too many, a stroke too long and a stream too full, and change nothing then", async () => {
    const { stage, carol, bob, streamId } = await four();
    const soon = (): void => void stage.clock.advance(GATHER_MS);
    for (let done = 0; done < MARK_LIMITS.marks; done += 50) {
      soon();
      const some = Array.from({ length: 50 }, () => line());
      expect(await draw(carol, streamId, ...some)).toMatchObject({ result: 0 });
    }
    soon();
    expect(await draw(bob, streamId, line("many"))).toMatchObject({ result: -405 });
    expect(marksOf(stage, streamId)).toHaveLength(MARK_LIMITS.marks);
    await draw(bob, streamId, { t: "clear" });
    expect(stage.conference().annotations.bytes).toBe(0);

    await draw(carol, streamId, pen("long", MARK_LIMITS.changePoints));
    const piece = (from: number): MarkChange => ({
      t: "extend",
      id: "long",
      from,
      points: Array.from({ length: 2 * MARK_LIMITS.changePoints }, () => 1),
    });
    for (const from of [500, 1000, 1500]) {
      soon();
      expect(await draw(carol, streamId, piece(from))).toMatchObject({ result: 0 });
    }
    soon();
    expect(await draw(carol, streamId, piece(2000))).toMatchObject({ result: -405 });

    let full: Record<string, unknown> = {};
    for (let index = 0; index < 60 && full["result"] !== -405; index += 1) {
      soon();
      full = await draw(bob, streamId, pen(`big${index}`, MARK_LIMITS.changePoints));
    }
    expect(full).toMatchObject({ msg: "该画面的标注已满，请先清除" });
    expect(stage.conference().annotations.bytes).toBeLessThanOrEqual(MARK_LIMITS.streamBytes);
  });

  it("send each member at most one message in 34 ms over a stream, however many draw, in one order", async () => {
    const { stage, admin, bob, carol, streamId } = await four();
    for (let round = 0; round < 25; round += 1) {
      for (const member of [admin, bob, carol]) await draw(member, streamId, line());
      stage.clock.advance(GATHER_MS);
    }
    const events = eventsOf(bob);
    // The first went at once.
    expect(events.length).toBeLessThanOrEqual(26);
    expect(events.at(-1)).toMatchObject({ seq: 75 });
    for (const member of [admin, carol]) {
      expect(eventsOf(member).map(({ changes }) => changes)).toEqual(
        events.map(({ changes }) => changes),
      );
    }
  });
});
