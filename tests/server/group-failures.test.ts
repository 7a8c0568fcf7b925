/**
 * The backend fails while three people change a group: each step is done at the provider or refused with the platform's text, and once
 * the backend is back all see it, and the gateway, the console's own calls and the cores say the same.
 */
import { describe, expect, it } from "vitest";
import { groupLife, type Name, type Views } from "./group-life.ts";

/** Most ms until all see what was done while the backend failed. */
const MENDED = { timeout: 30_000, interval: 20 };

interface Step {
  readonly what: string;
  readonly run: () => Promise<unknown>;
  readonly views: Views;
  /** The text of the refusal. Left out: the act is done. */
  readonly refusal?: string;
  /** A notice that the person gets while the backend fails. */
  readonly notice?: readonly [Name, string];
}

describe("A backend that fails", () => {
  const life = groupLife();
  const { act, sdk } = life;

  /** Does each step while the backend fails, and sees it mended before the next one. */
  const walk = async (steps: readonly Step[]): Promise<void> => {
    for (const { what, run, views, refusal, notice } of steps) {
      const before = life.id() === "" ? null : life.views();
      if (notice !== undefined) life.notices(notice[0]);
      life.fail("all");
      if (refusal === undefined) await run();
      else await expect(run(), what).rejects.toMatchObject({ message: refusal });
      if (before !== null) {
        expect(life.views(), `${what}: nobody guesses what the backend will say`).toEqual(before);
      }
      await expect(act("lina", "members"), what).rejects.toMatchObject({
        code: "server.unavailable",
      });
      if (notice !== undefined) {
        await expect.poll(() => life.notices(notice[0]), { message: what }).toContain(notice[1]);
      }
      life.fail(null);
      await expect.poll(life.views, { message: what, ...MENDED }).toEqual(views);
      await life.expectEqual(what);
    }
  };

  it("is shown with the platform's text, and what it missed is saved later", async () => {
    life.about(await life.cast().make(sdk.zhangwei, ["guest"], { inviteNeedConfirm: true }));
    await expect.poll(life.views).toEqual(["owner of 1", "", "invitation"]);
    life.fail("saving");
    await expect(act("guest", "answerInvitation", { accept: true })).rejects.toMatchObject({
      message: "保存加入群组数据失败",
    });
    const before = life.saved();
    life.fail(null);
    await expect.poll(life.saved, MENDED).toBe(before + 1);
    await expect.poll(life.views).toEqual(["owner of 2", "", "member of 2"]);
    await life.expectEqual("accepted");
    // The invitation is used up: the provider refuses.
    await expect(act("guest", "answerInvitation", { accept: true })).rejects.toMatchObject({
      message: "加入群组失败",
    });
  }, 60_000);

  it("keeps no step from being done at the provider, and all see it once the backend is back", async () => {
    const word = "今晚演练";
    const two = ["owner of 2", "admin of 2", ""] as const;
    const three = ["owner of 3", "admin of 3", "member of 3"] as const;
    await walk([
      {
        what: "a new group",
        run: () => life.make("zhangwei", { name: "二号楼", members: ["lina"] }),
        views: ["owner of 2", "member of 2", ""],
      },
      {
        what: "an announcement",
        run: () => act("zhangwei", "announce", { text: word }),
        views: [`owner of 2, ${word}`, `member of 2, ${word}`, ""],
      },
      {
        what: "no announcement",
        run: () => act("zhangwei", "announce", { text: "" }),
        views: ["owner of 2", "member of 2", ""],
      },
      {
        what: "people added",
        run: () => act("lina", "invite", { members: ["guest"] }),
        views: ["owner of 3", "member of 3", "member of 3"],
      },
      {
        what: "a new admin",
        run: () => act("zhangwei", "setAdmin", { userName: "lina", admin: true }),
        views: three,
      },
      {
        what: "a mute",
        run: () => act("lina", "mute", { userName: "guest", ms: 600_000 }),
        views: ["owner of 3", "admin of 3", "member of 3, muted"],
      },
      {
        what: "its end",
        run: () => act("lina", "mute", { userName: "guest", ms: null }),
        views: three,
      },
      {
        what: "a mute of all",
        run: () => act("lina", "muteAll", { muted: true }),
        views: ["owner of 3, quiet", "admin of 3, quiet", "member of 3, quiet"],
      },
      {
        what: "who may write all the same",
        run: () => act("lina", "allow", { userName: "guest", allowed: true }),
        views: ["owner of 3, quiet", "admin of 3, quiet", "member of 3, quiet, allowed"],
      },
      {
        what: "the end of the mute of all",
        run: () => act("lina", "muteAll", { muted: false }),
        views: ["owner of 3", "admin of 3", "member of 3, allowed"],
      },
      {
        what: "a block",
        run: () => act("lina", "block", { userName: "guest", blocked: true }),
        views: two,
        notice: ["guest", "warning: 您已被移出群组“二号楼”"],
      },
      {
        what: "an entry of who is blocked",
        run: () => act("guest", "join", { message: "" }),
        views: two,
        refusal: "加入群组失败",
      },
      {
        what: "the end of the block",
        run: () => act("lina", "block", { userName: "guest", blocked: false }),
        views: two,
      },
      { what: "an entry", run: () => act("guest", "join", { message: "" }), views: three },
      {
        what: "a removal",
        run: () => act("lina", "remove", { userName: "guest" }),
        views: two,
        notice: ["guest", "warning: 您已被移出群组“二号楼”"],
      },
    ]);

    await act("zhangwei", "settings", { approval: true, inviteConfirm: true });
    const apply: Step = {
      what: "an application",
      run: () => act("guest", "join", { message: "值夜班" }),
      views: ["owner of 2, application", "admin of 2, application", "applied"],
    };
    const invite: Step = {
      what: "an invitation",
      run: () => act("zhangwei", "invite", { members: ["guest"] }),
      views: ["owner of 2", "admin of 2", "invitation"],
    };
    await walk([
      apply,
      {
        what: "an application turned down",
        run: () => act("lina", "answerApplication", { userName: "guest", accept: false }),
        views: two,
        notice: ["guest", "warning: 您加入群组“二号楼”的申请被拒绝"],
      },
      apply,
      {
        what: "an application approved",
        run: () => act("lina", "answerApplication", { userName: "guest", accept: true }),
        views: three,
        notice: ["guest", "success: 您已加入群组“二号楼”"],
      },
      { what: "a departure", run: () => act("guest", "leave"), views: two },
      invite,
      {
        what: "an invitation declined",
        run: () => act("guest", "answerInvitation", { accept: false }),
        views: two,
        notice: ["guest", "success: 已拒绝加入群组"],
      },
      invite,
    ]);
    const before = life.saved();
    await walk([
      {
        what: "an invitation accepted",
        run: () => act("guest", "answerInvitation", { accept: true }),
        views: three,
        refusal: "保存加入群组数据失败",
      },
    ]);
    await expect.poll(life.saved, MENDED).toBe(before + 1);
    await walk([
      {
        what: "a new owner",
        run: () => act("zhangwei", "transfer", { userName: "lina" }),
        views: ["member of 3", "owner of 3", "member of 3"],
      },
      {
        what: "a departure of the former owner",
        run: () => act("zhangwei", "leave"),
        views: ["", "owner of 2", "member of 2"],
      },
      {
        what: "the end",
        run: () => act("lina", "dissolve"),
        views: ["", "", ""],
        notice: ["guest", "error: 群组“二号楼”已解散"],
      },
    ]);
  }, 180_000);

  it("refuses with its words what it must change itself, and nothing changes", async () => {
    await life.make("zhangwei", { name: "三号楼", members: ["lina"] });
    const { id } = life;
    life.fail("all");
    await expect(act("zhangwei", "settings", { approval: true })).rejects.toMatchObject({
      code: "server.unavailable",
    });
    life.fail(null);
    await expect.poll(life.views, MENDED).toEqual(["owner of 2", "member of 2", ""]);
    await life.expectEqual("settings");
    expect(life.core.lina.store.get("chat").groups[id()]?.approval).toBe(false);
  }, 60_000);
});
