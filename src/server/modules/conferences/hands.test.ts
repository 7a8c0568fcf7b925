/** Raised hands: who may lower them, their order, and what lowers them. */
import { describe, expect, it } from "vitest";
import { OP2 } from "../../../shared/protocol/confr-codes.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { createStage, type Member, type Stage } from "./conference.harness.ts";
import { setRoles } from "./roles.ts";

const hand = (member: Member, up: boolean, memIds?: string[]) =>
  member.ask({ op: OP.hand, up, ...(memIds === undefined ? {} : { memIds }) });

/** Members with raised hands, first raised first. */
const handsOf = (stage: Stage): string[] =>
  [...stage.conference().sessions.values()]
    .filter(({ member }) => member.hand !== undefined)
    .sort((a, b) => (a.member.hand ?? 0) - (b.member.hand ?? 0))
    .map(({ member }) => member.memId);

async function three() {
  const stage = createStage();
  const admin = await stage.enter("admin");
  const bob = await stage.enter("bob");
  const carol = await stage.enter("carol");
  return { stage, admin, bob, carol };
}

describe("A raised hand", () => {
  it("is announced once to all (310), keeps its place, and is part of what a later member gets", async () => {
    const { stage, admin, bob, carol } = await three();
    admin.news();
    await hand(carol, true);
    await hand(bob, true);
    // Raised again at the same moment: nothing changes.
    await hand(carol, true);
    expect(handsOf(stage)).toEqual(["carol", "bob"]);
    expect(admin.news()).toMatchObject([
      { op: OP.memberChanged, mem: { id: "carol", hand: expect.any(Number) } },
      { op: OP.memberChanged, mem: { id: "bob", hand: expect.any(Number) } },
    ]);
    const late = await stage.enter("late");
    expect(late.answer["mems"]).toContainEqual(
      expect.objectContaining({ id: "carol", hand: expect.any(Number) }),
    );
    // Lowered and raised again, it is the last.
    await hand(carol, false);
    await hand(carol, true);
    expect(handsOf(stage)).toEqual(["bob", "carol"]);
  });

  it("is lowered by an admin, one or all, and by no other member", async () => {
    const { stage, admin, bob, carol } = await three();
    for (const member of [admin, bob, carol]) await hand(member, true);
    expect(await hand(bob, false, ["carol"])).toMatchObject({ result: -405 });
    expect(await hand(admin, true, ["carol"])).toMatchObject({ result: -405 });
    await hand(admin, false, ["bob", "gone"]);
    expect(handsOf(stage)).toEqual(["admin", "carol"]);
    await hand(admin, false, ["admin", "carol"]);
    expect(handsOf(stage)).toEqual([]);
  });

  it("goes down when it got what it asked for, a role or the sound, and with the end of the membership", async () => {
    const { stage, admin, bob, carol } = await three();
    const unmute = (op2: number) =>
      admin.ask({ op: OP.controlRequest, memId: "bob", arg: JSON.stringify({ op2 }) });
    await hand(bob, true);
    await hand(carol, true);
    await unmute(OP2.mute);
    setRoles(stage.conference(), ["carol"], 1, true);
    expect(handsOf(stage)).toEqual(["bob", "carol"]);
    await unmute(OP2.unmute);
    setRoles(stage.conference(), ["carol"], 3, false);
    expect(handsOf(stage)).toEqual([]);
    await hand(carol, true);
    await carol.ask({ op: OP.leave });
    await stage.enter("carol");
    expect(handsOf(stage)).toEqual([]);
  });
});
