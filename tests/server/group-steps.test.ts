/**
 * Three people, each with the unmodified SDK and with a core on another device, go through the life of a group. All see each step
 * within a second, and the gateway, the console's own calls and the cores then say the same.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../src/shared/errors.ts";
import {
  createGroupCast,
  type GroupCast,
} from "../../src/server/modules/chat/groups/cast.harness.ts";
import type { SdkUser } from "../../src/server/modules/chat/groups/sdk.harness.ts";
import { type GroupCore, startGroupCore } from "./group-core.ts";
import { timeLimit } from "../support/time-limits.ts";

const NAMES = ["zhangwei", "lina", "guest"] as const;
type Name = (typeof NAMES)[number];
/** Milliseconds within which everybody sees a step. */
const SOON = timeLimit(1000);
const context = { tabId: "t", id: "c" };

describe("The life of a group", () => {
  let cast: GroupCast;
  const sdk = {} as Record<Name, SdkUser>;
  const core = {} as Record<Name, GroupCore>;
  /** What the backend fails at: the saving of a membership, or every call about groups. */
  let failing: "saving" | "all" | null = null;
  /** Memberships that the backend has saved. */
  let saved = 0;
  let turn = 0;

  beforeAll(async () => {
    cast = await createGroupCast(NAMES);
  }, 120_000);
  afterAll(() => cast.platform.close());
  beforeEach(async () => {
    failing = null;
    for (const name of NAMES) {
      sdk[name] = await cast.login(name);
      core[name] = startGroupCore({
        origin: cast.platform.origin,
        token: cast.token[name] ?? "",
        user: {
          accountId: cast.accountId[name] ?? "",
          username: name,
          name,
          supplierId: "1",
        },
        wire: (transport) => async (request) => {
          const isDown = failing === "all" && request.id.startsWith("im.group");
          if (isDown) throw new AppError("server.unavailable");
          if (request.id !== "im.groupUserAdd") return transport(request);
          if (failing === "saving") throw new AppError("server.unavailable");
          const answer = await transport(request);
          saved += 1;
          return answer;
        },
      });
    }
    await expect
      .poll(() => NAMES.map((name) => core[name].store.get("chat").connection), { timeout: 20_000 })
      .toEqual(["open", "open", "open"]);
  }, 60_000);
  afterEach(async () => {
    await Promise.all(NAMES.map((name) => core[name].stop()));
    cast.closeAll();
  });

  const act = (name: Name) => core[name].chat.groups;
  const next = () => ({ ...context, id: `c${(turn += 1)}` });
  /** What the core of each person shows of the group: the own role and the number of members, null without the group. */
  const shown = (id: string) =>
    Object.fromEntries(
      NAMES.map((name) => {
        const group = core[name].store.get("chat").groups[id];
        return [name, group === undefined ? null : `${group.role} of ${group.members}`];
      }),
    );
  /** What waits for an answer, as each core shows it. */
  const waiting = (id: string) =>
    NAMES.map((name) =>
      core[name].store
        .get("chat")
        .groupRequests.filter(({ groupId }) => groupId === id)
        .map(({ kind }) => kind)
        .join(),
    );
  /** All cores show this within a second; then gateway, backend and cores name the same members. */
  const all = async (id: string, roles: Record<Name, string | null>): Promise<void> => {
    const inside = NAMES.filter((name) => roles[name] !== null);
    const expected = Object.fromEntries(
      NAMES.map((name) => [
        name,
        roles[name] === null ? null : `${roles[name]} of ${inside.length}`,
      ]),
    );
    await expect.poll(() => shown(id), { timeout: SOON, interval: 10 }).toEqual(expected);
    for (const name of NAMES) {
      const within = inside.includes(name);
      const members = within ? inside.toSorted() : [];
      expect(await cast.mirror(name, id), `the backend, for ${name}`).toEqual(members);
      const joined = (await cast.call(sdk[name], "getJoinedGroups", {
        pageNum: 0,
        pageSize: 200,
      })) as { groupid: string }[];
      expect(
        joined.some(({ groupid }) => groupid === id),
        `the gateway, for ${name}`,
      ).toBe(within);
      if (within) expect(await cast.members(sdk[name], id)).toEqual(members);
    }
  };
  const heard = (name: Name, operation: string, id: string) => sdk[name].groupEvent(operation, id);

  it("Create, invite, accept, decline, apply, approve, kick, leave, transfer, mute, dissolve are seen by all within a second", async () => {
    const { groupId: id } = await act("zhangwei").create(
      { name: "一号楼", members: ["lina"] },
      next(),
    );
    await heard("lina", "directJoined", id);
    await all(id, { zhangwei: "owner", lina: "member", guest: null });

    // An invited person must accept: first declined, then accepted.
    await act("zhangwei").settings({ groupId: id, inviteConfirm: true, approval: true }, next());
    await heard("lina", "updateInfo", id);
    const invitation = async (): Promise<void> => {
      await cast.call(sdk.zhangwei, "inviteUsersToGroup", { groupId: id, users: ["guest"] });
      await expect
        .poll(() => waiting(id), { timeout: SOON, interval: 10 })
        .toEqual(["", "", "invitation"]);
    };
    await invitation();
    await act("guest").answerInvitation({ groupId: id, accept: false }, next());
    await heard("zhangwei", "rejectInvite", id);
    expect(waiting(id)).toEqual(["", "", ""]);
    await all(id, { zhangwei: "owner", lina: "member", guest: null });
    await invitation();
    await act("guest").answerInvitation({ groupId: id, accept: true }, next());
    await heard("zhangwei", "acceptInvite", id);
    await heard("lina", "memberPresence", id);
    await all(id, { zhangwei: "owner", lina: "member", guest: "member" });

    await act("zhangwei").remove({ groupId: id, userName: "guest" }, next());
    await heard("guest", "removeMember", id);
    await all(id, { zhangwei: "owner", lina: "member", guest: null });

    // An application is declined, then approved.
    for (const accept of [false, true]) {
      await act("guest").join({ groupId: id, message: "值夜班" }, next());
      await expect
        .poll(() => waiting(id), { timeout: SOON, interval: 10 })
        .toEqual(["application", "", "applied"]);
      await act("zhangwei").answerApplication({ groupId: id, userName: "guest", accept }, next());
      await expect.poll(() => waiting(id), { timeout: SOON, interval: 10 }).toEqual(["", "", ""]);
      await heard("guest", accept ? "acceptRequest" : "joinPublicGroupDeclined", id);
      await all(id, { zhangwei: "owner", lina: "member", guest: accept ? "member" : null });
    }

    await act("zhangwei").setAdmin({ groupId: id, userName: "lina", admin: true }, next());
    await heard("lina", "setAdmin", id);
    await all(id, { zhangwei: "owner", lina: "admin", guest: "member" });
    await act("lina").mute({ groupId: id, userName: "guest", ms: 60_000 }, next());
    await heard("guest", "muteMember", id);
    const isMuted = () => (core.guest.store.get("chat").groups[id]?.mutedUntil ?? 0) > 0;
    await expect.poll(isMuted, { timeout: SOON, interval: 10 }).toBe(true);
    expect(await cast.refusedText(sdk.guest, id)).toBe(219);
    await act("lina").mute({ groupId: id, userName: "guest", ms: null }, next());
    await expect.poll(isMuted, { timeout: SOON, interval: 10 }).toBe(false);
    await act("lina").muteAll({ groupId: id, muted: true }, next());
    const quiet = () => NAMES.map((name) => core[name].store.get("chat").groups[id]?.muted);
    await expect.poll(quiet, { timeout: SOON, interval: 10 }).toEqual([true, true, true]);
    expect(await cast.refusedText(sdk.guest, id)).toBe(219);
    await act("lina").announce({ groupId: id, text: "今晚演练" }, next());
    const words = () => NAMES.map((name) => core[name].store.get("chat").groups[id]?.announcement);
    await expect
      .poll(words, { timeout: SOON, interval: 10 })
      .toEqual(["今晚演练", "今晚演练", "今晚演练"]);

    await cast.call(sdk.zhangwei, "changeGroupOwner", { groupId: id, newOwner: "lina" });
    await heard("guest", "changeOwner", id);
    await all(id, { zhangwei: "member", lina: "owner", guest: "member" });
    await act("zhangwei").leave({ groupId: id }, next());
    await heard("lina", "memberAbsence", id);
    await all(id, { zhangwei: null, lina: "owner", guest: "member" });
    await act("lina").dissolve({ groupId: id }, next());
    await heard("guest", "destroy", id);
    await all(id, { zhangwei: null, lina: null, guest: null });
    expect(core.guest.notices.map(({ key }) => key)).toContain("group.dissolved");
  }, 60_000);

  it("A backend that fails is shown with the platform's text, and what it missed is saved later", async () => {
    const id = await cast.make(sdk.zhangwei, ["guest"], { inviteNeedConfirm: true });
    await expect.poll(() => waiting(id)).toEqual(["", "", "invitation"]);
    failing = "saving";
    await expect(
      act("guest").answerInvitation({ groupId: id, accept: true }, next()),
    ).rejects.toMatchObject({ message: "保存加入群组数据失败" });
    const before = saved;
    failing = null;
    await expect.poll(() => saved, { timeout: 20_000 }).toBe(before + 1);
    await expect.poll(() => core.guest.store.get("chat").groups[id]?.role).toBe("member");
    await all(id, { zhangwei: "owner", lina: null, guest: "member" });
    // The invitation is used up: the provider refuses.
    await expect(
      act("guest").answerInvitation({ groupId: id, accept: true }, next()),
    ).rejects.toMatchObject({ message: "加入群组失败" });
  }, 60_000);

  it("While the backend fails each step is done at the provider, and all see it once the backend is back", async () => {
    const { groupId: id } = await act("zhangwei").create(
      { name: "二号楼", members: ["lina"] },
      next(),
    );
    await all(id, { zhangwei: "owner", lina: "member", guest: null });
    const about = { groupId: id };
    const lina = { ...about, userName: "lina" };
    const guest = { ...about, userName: "guest" };
    type Roles = Record<Name, string | null>;
    const steps: readonly [string, () => Promise<unknown>, Roles][] = [
      [
        "an invitation",
        () => act("lina").invite({ ...about, members: ["guest"] }, next()),
        { zhangwei: "owner", lina: "member", guest: "member" },
      ],
      [
        "a new admin",
        () => act("zhangwei").setAdmin({ ...lina, admin: true }, next()),
        { zhangwei: "owner", lina: "admin", guest: "member" },
      ],
      [
        "a removal",
        () => act("lina").remove(guest, next()),
        { zhangwei: "owner", lina: "admin", guest: null },
      ],
      [
        "an entry",
        () => act("guest").join({ ...about, message: "" }, next()),
        { zhangwei: "owner", lina: "admin", guest: "member" },
      ],
      [
        "a new owner",
        () => act("zhangwei").transfer(lina, next()),
        { zhangwei: "member", lina: "owner", guest: "member" },
      ],
      [
        "a departure",
        () => act("zhangwei").leave(about, next()),
        { zhangwei: null, lina: "owner", guest: "member" },
      ],
      [
        "the end",
        () => act("lina").dissolve(about, next()),
        { zhangwei: null, lina: null, guest: null },
      ],
    ];
    for (const [what, run, roles] of steps) {
      const before = shown(id);
      failing = "all";
      await run();
      expect(shown(id), `${what}: nobody guesses what the backend will say`).toEqual(before);
      await expect(act("lina").members(about, next())).rejects.toMatchObject({
        code: "server.unavailable",
      });
      failing = null;
      const inside = NAMES.filter((name) => roles[name] !== null).length;
      const expected = Object.fromEntries(
        NAMES.map((name) => [name, roles[name] === null ? null : `${roles[name]} of ${inside}`]),
      );
      await expect.poll(() => shown(id), { message: what, timeout: 30_000 }).toEqual(expected);
    }
    // What the backend itself must change is refused with its words, and nothing changes.
    const { groupId: other } = await act("zhangwei").create(
      { name: "三号楼", members: ["lina"] },
      next(),
    );
    failing = "all";
    await expect(
      act("zhangwei").settings({ groupId: other, approval: true }, next()),
    ).rejects.toMatchObject({ code: "server.unavailable" });
    failing = null;
    await all(other, { zhangwei: "owner", lina: "member", guest: null });
    expect(core.lina.store.get("chat").groups[other]?.approval).toBe(false);
  }, 120_000);
});
