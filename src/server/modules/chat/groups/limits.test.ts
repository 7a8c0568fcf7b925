/** Limits of groups, block lists, pinned messages, recalls and sizes: the unmodified SDK names each by a type of its own (docs/chat.md#limits). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GROUP_LIMITS } from "../../../../shared/protocol/rest/im-groups.ts";
import { systemClock } from "../../../base/clock.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { createGroupCast, type GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";

let cast: GroupCast;
let zhangwei: SdkUser;
let lina: SdkUser;
let guest: SdkUser;
/** ms that the platform's clock is ahead */
let ahead = 0;

beforeAll(async () => {
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  cast = await createGroupCast(["zhangwei", "lina", "guest"], { clock });
  // People of the same company, none of whom logs in.
  await sql(
    `WITH made AS (
       INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
       SELECT 'extra_' || n, 'extra', 'extra_' || n, 'x' FROM generate_series(1, $1) n RETURNING id)
     INSERT INTO employees (company_id, account_id, name) SELECT 1, id, 'extra' FROM made`,
    [GROUP_LIMITS.members],
  );
}, 120_000);
afterAll(() => cast.platform.close());
beforeEach(async () => {
  [zhangwei, lina, guest] = await Promise.all([
    cast.login("zhangwei"),
    cast.login("lina"),
    cast.login("guest"),
  ]);
});
afterEach(() => {
  cast.closeAll();
});

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await cast.platform.platform.database.pool.query<Record<string, unknown>>(text, [...values]))
    .rows;
const extras = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, n) => `extra_${from + n}`);
/** Adds as many members as leave this many places. */
const fill = async (groupId: string, left: number): Promise<void> => {
  await sql(
    `INSERT INTO im_group_members (group_id, account_id)
     SELECT $1, id FROM accounts a WHERE username LIKE 'extra\\_%'
       AND NOT EXISTS (SELECT FROM im_group_members m WHERE m.group_id = $1 AND m.account_id = a.id)
     ORDER BY id
     LIMIT $2::int - (SELECT count(*) FROM im_group_members WHERE group_id = $1)`,
    [groupId, GROUP_LIMITS.members - left],
  );
};
const memberCount = async (groupId: string) => {
  const [info] = (await cast.call(zhangwei, "getGroupInfo", { groupId })) as [
    { affiliations_count: number },
  ];
  return info.affiliations_count;
};

describe("Groups", () => {
  it(`A group of ${GROUP_LIMITS.members} is full for all ways into it, and has a place again when one leaves`, async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    await fill(groupId, 1);
    const invite = (...users: string[]) =>
      cast.refused(zhangwei, "inviteUsersToGroup", { groupId, users });
    expect(await invite("guest", "extra_4999", "extra_5000")).toBe(607);
    await fill(groupId, 0);
    expect(await memberCount(groupId)).toBe(5000);
    expect(await invite("guest")).toBe(607);
    expect(await cast.refused(guest, "joinGroup", { groupId, message: "" })).toBe(607);
    await cast.call(lina, "leaveGroup", { groupId });
    await cast.call(guest, "joinGroup", { groupId, message: "" });
    expect(await memberCount(groupId)).toBe(5000);
    expect(await cast.refused(lina, "joinGroup", { groupId, message: "" })).toBe(607);
  });

  it("An invitation and an application wait on while the group is full", async () => {
    const asked = await cast.make(zhangwei, ["guest"], { inviteNeedConfirm: true });
    await fill(asked, 0);
    const invitation = { groupId: asked, invitee: "guest" };
    expect(await cast.refused(guest, "acceptGroupInvite", invitation)).toBe(607);
    const applied = await cast.make(zhangwei, ["lina"], { approval: true });
    await cast.call(guest, "joinGroup", { groupId: applied, message: "" });
    await fill(applied, 0);
    const answer = { groupId: applied, applicant: "guest", reason: "" };
    expect(await cast.refused(zhangwei, "acceptGroupJoinRequest", answer)).toBe(607);
    for (const groupId of [asked, applied]) {
      await cast.call(zhangwei, "removeGroupMember", { groupId, username: "extra_1" });
    }
    await cast.call(guest, "acceptGroupInvite", invitation);
    await cast.call(zhangwei, "acceptGroupJoinRequest", answer);
    expect([await memberCount(asked), await memberCount(applied)]).toEqual([5000, 5000]);
  });

  it(`One creation and one invitation name ${GROUP_LIMITS.invited} people, not one more`, async () => {
    const data = { groupname: "大群", desc: "", public: true, approval: false, allowinvites: true };
    const named = (count: number) => ({ data: { ...data, members: extras(count) } });
    expect(await cast.refused(zhangwei, "createGroup", named(101))).toBe(17);
    const { groupid: groupId } = (await cast.call(zhangwei, "createGroup", named(100))) as {
      groupid: string;
    };
    expect(await memberCount(groupId)).toBe(101);
    const more = (count: number) => ({ groupId, users: extras(count, 101) });
    expect(await cast.refused(zhangwei, "inviteUsersToGroup", more(101))).toBe(17);
    expect(await memberCount(groupId)).toBe(101);
    expect(await cast.call(zhangwei, "inviteUsersToGroup", more(100))).toHaveLength(100);
    expect(await memberCount(groupId)).toBe(201);
  });

  it(`A person owns ${GROUP_LIMITS.owned} groups at most; one that ends makes space`, async () => {
    await sql(
      `INSERT INTO im_groups (id, name, owner_id, public, approval, allow_invites, company_id)
       SELECT '7700' || n, 'own', $1, false, false, false, 1
       FROM generate_series(1, $2 - (SELECT count(*)::int FROM im_groups WHERE owner_id = $1)) n`,
      [cast.accountId["guest"], GROUP_LIMITS.owned - 1],
    );
    const groupId = await cast.make(guest, []);
    const data = { groupname: "一百零一", desc: "", members: [], public: true };
    expect(await cast.refused(guest, "createGroup", { data })).toBe(17);
    expect(await cast.refused(guest, "createGroupVNext", { groupName: "x", members: [] })).toBe(17);
    const owned = await sql("SELECT count(*)::int AS n FROM im_groups WHERE owner_id = $1", [
      cast.accountId["guest"],
    ]);
    expect(owned).toEqual([{ n: 100 }]);
    await cast.call(guest, "destroyGroup", { groupId });
    await cast.make(guest, []);
  });
});

describe("Block lists", () => {
  it("The block list of a group has 500 people; who is on it already takes no place", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    const block = (usernames: string[]) =>
      cast.refused(zhangwei, "blockGroupMembers", { groupId, usernames });
    for (let from = 1; from < 500; from += 100) {
      expect(await block(extras(100, from))).toBe("not refused");
    }
    expect(await cast.call(zhangwei, "getGroupBlocklist", { groupId })).toHaveLength(500);
    expect(await block(["lina"])).toBe(17);
    expect(await cast.members(zhangwei, groupId)).toEqual(["lina", "zhangwei"]);
    expect(await block(["extra_1"])).toBe("not refused");
    expect(await block(["extra_1", "lina"])).toBe(17);
    await cast.call(zhangwei, "unblockGroupMember", { groupId, username: "extra_1" });
    expect(await block(["lina", "extra_2"])).toBe("not refused");
    expect(await cast.call(zhangwei, "getGroupBlocklist", { groupId })).toHaveLength(500);
  });

  it("A person blocks 500 people; one more is refused and changes nothing", async () => {
    const block = (name: string[]) => cast.refused(lina, "addUsersToBlocklist", { name });
    for (let from = 1; from < 500; from += 100) {
      expect(await block(extras(100, from))).toBe("not refused");
    }
    expect(await block(["guest"])).toBe(603);
    expect(await block(["extra_1"])).toBe("not refused");
    const listed = (await lina.conn["getBlocklist"]?.())?.data as string[];
    expect(listed).toHaveLength(500);
    expect(listed).not.toContain("guest");
    await cast.call(lina, "removeUserFromBlocklist", { name: ["extra_1"] });
    expect(await block(["guest"])).toBe("not refused");
    await cast.call(lina, "removeUserFromBlocklist", { name: ["guest"] });
  });
});

describe("Messages", () => {
  it("A conversation has 20 pinned messages; one that stands there may be pinned afresh", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    const sent: string[] = [];
    for (let n = 0; n < 21; n += 1) sent.push(await zhangwei.sendText(groupId, `第${n}条`));
    const place = { conversationType: "groupChat", conversationId: groupId };
    const pin = (user: SdkUser, at: number) =>
      cast.refused(user, "pinMessage", { ...place, messageId: sent[at] });
    for (let n = 0; n < 20; n += 1) expect(await pin(lina, n)).toBe("not refused");
    expect(await pin(zhangwei, 20)).toBe(603);
    expect(await pin(zhangwei, 3)).toBe("not refused");
    const listed = async () => {
      const found = (await cast.call(lina, "getServerPinnedMessages", {
        ...place,
        pageSize: 50,
        cursor: "",
      })) as { list: { message: { id: string } }[] };
      return found.list.map(({ message }) => message.id);
    };
    expect((await listed())[0]).toBe(sent[3]);
    expect((await listed()).toSorted()).toEqual(sent.slice(0, 20).toSorted());
    // Pages lose none of those that were pinned within one millisecond.
    await sql("UPDATE chat_pinned SET at = 1700000000000 WHERE conversation = $1", [`#${groupId}`]);
    const paged: string[] = [];
    let cursor = "";
    for (let pages = 0; pages < 9; pages += 1) {
      const found = (await cast.call(lina, "getServerPinnedMessages", {
        ...place,
        pageSize: 7,
        cursor,
      })) as { list: { message: { id: string } }[]; cursor?: string };
      paged.push(...found.list.map(({ message }) => message.id));
      cursor = found.cursor ?? "";
      if (cursor === "") break;
    }
    expect(paged.toSorted()).toEqual(sent.slice(0, 20).toSorted());
    await cast.call(lina, "unpinMessage", { ...place, messageId: sent[0] });
    // Two people want the last place at the same moment.
    const both = await Promise.all([pin(zhangwei, 20), pin(lina, 0)]);
    expect(both.map(String).toSorted()).toEqual(["603", "not refused"]);
    expect(await listed()).toHaveLength(20);
  });

  it("A message is recalled within 120 s, of a group and of a person alike", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    const single = async (msg: string): Promise<string> => {
      const message = cast.sdk.message.create({
        type: "txt",
        chatType: "singleChat",
        to: "lina",
        msg,
      });
      return String((await zhangwei.conn["send"]?.(message))?.["serverMsgId"]);
    };
    expect(CHAT_LIMITS.recallMs).toBe(120_000);
    const late = [await zhangwei.sendText(groupId, "晚"), await single("晚")];
    ahead += 60_000;
    const early = [await zhangwei.sendText(groupId, "早"), await single("早")];
    ahead += CHAT_LIMITS.recallMs - 60_000;
    // The clock of the machine goes on too, so that the time has passed.
    const recall = (mid: string | undefined, at: number) =>
      cast.refused(
        zhangwei,
        "recallMessage",
        at === 0
          ? { mid, to: groupId, chatType: "groupChat" }
          : { mid, to: "lina", chatType: "singleChat" },
      );
    for (const at of [0, 1]) {
      expect(await recall(late[at], at)).toBe(504);
      expect(await recall(early[at], at)).toBe("not refused");
    }
    const isRecalled = (mid: string | undefined) => (e: { handler: string; mid?: unknown }) =>
      e.handler === "onRecallMessage" && e.mid === mid;
    for (const mid of early) await lina.until("the recall", isRecalled(mid));
    for (const mid of late) expect(lina.events.filter(isRecalled(mid))).toEqual([]);
  });

  it.each([
    ["a text of 5001 characters", { type: "txt", msg: "字".repeat(5001) }],
    ["a text with 64 KiB beside it", { type: "txt", msg: "x", ext: { a: "x".repeat(65_536) } }],
    [
      "a custom message of 64 KiB",
      { type: "custom", customEvent: "e", customExts: { a: "x".repeat(65_536) } },
    ],
  ])("%s is too large, for a group and for a person", async (_, message) => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    for (const to of [
      { to: groupId, chatType: "groupChat" },
      { to: "lina", chatType: "singleChat" },
    ]) {
      const given = cast.sdk.message.create({ ...message, ...to });
      expect(await cast.refused(zhangwei, "send", given)).toBe(511);
    }
    const longest = "字".repeat(5000);
    await zhangwei.sendText(groupId, longest);
    await lina.until("the longest", () => lina.texts(groupId).includes(longest));
    expect(lina.texts(groupId)).toEqual([longest]);
  });
});
