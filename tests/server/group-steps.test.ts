/**
 * Three people, each with the unmodified SDK and with a core on another device, go through the life of a group. All see each step
 * within a second from its begin, and the gateway, the console's own calls and the cores then say the same.
 */
import { describe, expect, it } from "vitest";
import { groupLife } from "./group-life.ts";

describe("The life of a group", () => {
  const life = groupLife();
  const { act, step, sdk } = life;

  it("Create, invite, accept, decline, apply, approve, kick, leave, transfer, mute, block, dissolve are seen by all within a second", async () => {
    const cast = life.cast();
    await step(
      "create",
      () => life.make("zhangwei", { name: "一号楼", members: ["lina"] }),
      ["owner of 2", "member of 2", ""],
      [["lina", "directJoined"]],
    );
    const two = ["owner of 2", "member of 2", ""] as const;
    const three = ["owner of 3", "member of 3", "member of 3"] as const;

    // An invited person must accept: first declined, then accepted.
    await step(
      "settings",
      () => act("zhangwei", "settings", { inviteConfirm: true, approval: true }),
      two,
      [["lina", "updateInfo"]],
    );
    const invite = (): Promise<void> =>
      step(
        "invite",
        () =>
          cast.call(sdk.zhangwei, "inviteUsersToGroup", { groupId: life.id(), users: ["guest"] }),
        ["owner of 2", "member of 2", "invitation"],
        [["guest", "inviteToJoin"]],
      );
    await invite();
    await step("decline", () => act("guest", "answerInvitation", { accept: false }), two, [
      ["zhangwei", "rejectInvite"],
    ]);
    expect(life.notices("guest").at(-1)).toBe("success: 已拒绝加入群组");
    await invite();
    await step("accept", () => act("guest", "answerInvitation", { accept: true }), three, [
      ["zhangwei", "acceptInvite"],
      ["lina", "memberPresence"],
    ]);

    life.notices("guest");
    await step("remove", () => act("zhangwei", "remove", { userName: "guest" }), two, [
      ["guest", "removeMember"],
      ["lina", "memberAbsence"],
    ]);
    expect(life.notices("guest")).toEqual(["warning: 您已被移出群组“一号楼”"]);

    // An application is declined, then approved.
    for (const accept of [false, true]) {
      await step(
        "apply",
        () => act("guest", "join", { message: "值夜班" }),
        ["owner of 2, application", "member of 2", "applied"],
        [["zhangwei", "requestToJoin"]],
      );
      await step(
        accept ? "approve" : "turn down",
        () => act("zhangwei", "answerApplication", { userName: "guest", accept }),
        accept ? three : two,
        [["guest", accept ? "acceptRequest" : "joinPublicGroupDeclined"]],
      );
      expect(life.notices("guest")).toEqual([
        accept ? "success: 您已加入群组“一号楼”" : "warning: 您加入群组“一号楼”的申请被拒绝",
      ]);
    }

    await step(
      "name an admin",
      () => act("zhangwei", "setAdmin", { userName: "lina", admin: true }),
      ["owner of 3", "admin of 3", "member of 3"],
      [["lina", "setAdmin"]],
    );
    await step(
      "mute",
      () => act("lina", "mute", { userName: "guest", ms: 60_000 }),
      ["owner of 3", "admin of 3", "member of 3, muted"],
      [["guest", "muteMember"]],
    );
    expect(await cast.refusedText(sdk.guest, life.id())).toBe(219);
    await step(
      "end the mute",
      () => act("lina", "mute", { userName: "guest", ms: null }),
      ["owner of 3", "admin of 3", "member of 3"],
      [["guest", "unmuteMember"]],
    );
    await step("mute all", () => act("lina", "muteAll", { muted: true }), [
      "owner of 3, quiet",
      "admin of 3, quiet",
      "member of 3, quiet",
    ]);
    expect(await cast.refusedText(sdk.guest, life.id())).toBe(219);
    await step(
      "announce",
      () => act("lina", "announce", { text: "今晚演练" }),
      [
        "owner of 3, quiet, 今晚演练",
        "admin of 3, quiet, 今晚演练",
        "member of 3, quiet, 今晚演练",
      ],
      [["guest", "updateAnnouncement"]],
    );
    await step(
      "block",
      () => act("lina", "block", { userName: "guest", blocked: true }),
      ["owner of 2, quiet, 今晚演练", "admin of 2, quiet, 今晚演练", ""],
      [["guest", "removeMember"]],
    );
    await act("lina", "block", { userName: "guest", blocked: false });
    await step(
      "transfer",
      () => cast.call(sdk.zhangwei, "changeGroupOwner", { groupId: life.id(), newOwner: "lina" }),
      ["member of 2, quiet, 今晚演练", "owner of 2, quiet, 今晚演练", ""],
      [["lina", "changeOwner"]],
    );
    await step(
      "leave",
      () => act("zhangwei", "leave"),
      ["", "owner of 1, quiet, 今晚演练", ""],
      [["lina", "memberAbsence"]],
    );
    await act("lina", "settings", { inviteConfirm: false });
    await step(
      "add",
      () => act("lina", "invite", { members: ["guest"] }),
      ["", "owner of 2, quiet, 今晚演练", "member of 2, quiet, 今晚演练"],
      [["guest", "directJoined"]],
    );
    life.notices("guest");
    await step("dissolve", () => act("lina", "dissolve"), ["", "", ""], [["guest", "destroy"]]);
    expect(life.notices("guest")).toEqual(["error: 群组“一号楼”已解散"]);
    const sorted = life.times().toSorted((a, b) => a - b);
    console.log(
      `      ${sorted.length} steps: seen by all after p50 ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms, ` +
        `at most ${Math.round(sorted.at(-1) ?? 0)} ms`,
    );
  }, 60_000);
});
