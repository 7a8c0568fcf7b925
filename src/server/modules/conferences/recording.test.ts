/** Recordings by members: who may, what it needs, and what the others see. */
import { expect, it } from "vitest";
import { OP } from "../../../shared/protocol/signalling.ts";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import { createStage, type Member } from "./conference.harness.ts";
import { setRoles } from "./roles.ts";

const record = (member: Member, rtcId: string, flag: 0 | 1) =>
  member.ask({ op: OP.record, rtcId, flag });

async function two() {
  const stage = createStage();
  const admin = await stage.enter("admin");
  const bob = await stage.enter("bob");
  await bob.publish("r1");
  admin.news();
  return { stage, admin, bob };
}
const marks = (frames: readonly Record<string, unknown>[]): unknown[] =>
  frames
    .filter(({ op }) => op === OP.memberChanged)
    .map(({ mem }) => (mem as { recording?: number }).recording !== undefined);

it("A recording that goes on to another connection keeps its mark, and ends with the membership", async () => {
  const { stage, admin, bob } = await two();
  await record(bob, "r1", 1);
  // The client published again: first the new connection is recorded, then the old one no longer.
  await bob.ask({ op: OP.terminate, rtcId: "r1" });
  await bob.publish("r2");
  expect(await record(bob, "r2", 1)).toMatchObject({ result: 0 });
  expect(await record(bob, "r1", 0)).toMatchObject({ result: 0 });
  expect(marks(admin.news())).toEqual([true]);
  await bob.ask({ op: OP.leave });
  await stage.enter("bob");
  expect(stage.conference().sessions.get("bob")?.member.recording).toBeUndefined();
});

it("Who becomes audience records no longer", async () => {
  const { stage, admin, bob } = await two();
  await record(bob, "r1", 1);
  setRoles(stage.conference(), ["bob"], 1, true);
  expect(marks(admin.news())).toContain(false);
  expect(await record(bob, "r1", 1)).toMatchObject({ result: -405 });
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "record.flag: Flag 1 begins a recording and flag 0 ends it, and all members see it, late ones too":
    async () => {
      const { stage, admin, bob } = await two();
      expect(await record(bob, "r1", 1)).toMatchObject({ op: OP.response, result: 0 });
      expect(marks(admin.news())).toEqual([true]);
      const late = await stage.enter("late");
      expect(late.answer["mems"]).toContainEqual(
        expect.objectContaining({ id: "bob", recording: expect.any(Number) }),
      );
      // Again: nothing changes.
      await record(bob, "r1", 1);
      expect(marks(admin.news())).toEqual([]);
      expect(await record(bob, "r1", 0)).toMatchObject({ result: 0 });
      expect(marks(admin.news())).toEqual([false]);
      expect(await record(bob, "r1", 0)).toMatchObject({ result: 0 });
      expect(marks(admin.news())).toEqual([]);
    },

  "record.connected: A recording needs a connection of the own, and no role below talker":
    async () => {
      const { admin, bob } = await two();
      expect(await record(bob, "unknown", 1)).toMatchObject({ result: -507 });
      expect(await record(admin, "r1", 1)).toMatchObject({ result: -507 });
      const live = createStage({ type: 12 });
      const carl = await live.enter("carl");
      expect(await record(carl, "r1", 1)).toMatchObject({ result: -405 });
      expect(marks(admin.news())).toEqual([]);
    },
});
