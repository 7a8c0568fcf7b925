/** What a plain member and a stranger are refused in a group, by the types of the unmodified SDK (docs/chat.md#groups). */
import { describe, expect, it } from "vitest";
import type { GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";
import { connectThree } from "./three.harness.ts";

/** The SDK's words for a refused act, a missing group and a missing request. */
const [DENIED, MISSING, NO_REQUEST] = [603, 605, 17];
/** The same answer at an address without "chatgroups": the SDK takes it for a missing chat room. */
const MISSING_ATTRIBUTES = 705;

describe("Refusals in a group", () => {
  let cast: GroupCast;
  let zhangwei: SdkUser;
  /** A plain member. */
  let lina: SdkUser;
  /** A colleague who is no member. */
  let guest: SdkUser;
  connectThree((three) => ({ cast, zhangwei, lina, guest } = three));

  const refusedBoth = async (method: string, given: object): Promise<unknown[]> => [
    await cast.refused(lina, method, given),
    await cast.refused(guest, method, given),
  ];

  it.each([true, false])(
    "What only those who rule a group do is refused to all others (public: %s)",
    async (isPublic) => {
      const groupId = await cast.make(zhangwei, ["lina", "admin"], { public: isPublic });
      const both = [DENIED, MISSING];
      const admin = { groupId, username: "admin" };
      await cast.call(zhangwei, "setGroupAdmin", admin);
      expect(await refusedBoth("setGroupAdmin", { ...admin, username: "lina" })).toEqual(both);
      expect(await refusedBoth("removeGroupAdmin", admin)).toEqual(both);
      expect(await cast.call(lina, "getGroupAdmin", { groupId })).toEqual(["admin"]);

      const mute = { ...admin, username: "lina", muteDuration: 60_000 };
      await cast.call(zhangwei, "muteGroupMember", mute);
      expect(await refusedBoth("unmuteGroupMember", mute)).toEqual(both);
      expect(await cast.refusedText(lina, groupId)).toBe(219);
      await cast.call(zhangwei, "unmuteGroupMember", mute);
      expect(await refusedBoth("muteGroupMember", { ...mute, username: "admin" })).toEqual(both);

      await cast.call(zhangwei, "disableSendGroupMsg", { groupId });
      expect(await refusedBoth("enableSendGroupMsg", { groupId })).toEqual(both);
      expect(await cast.refusedText(lina, groupId)).toBe(219);
      await cast.call(zhangwei, "enableSendGroupMsg", { groupId });
      expect(await refusedBoth("disableSendGroupMsg", { groupId })).toEqual(both);
      expect(await cast.refusedText(lina, groupId)).toBe("not refused");

      const named = { groupId, usernames: ["guest"] };
      expect(await refusedBoth("blockGroupMember", { groupId, username: "guest" })).toEqual(both);
      expect(await refusedBoth("blockGroupMembers", named)).toEqual(both);
      await cast.call(zhangwei, "blockGroupMembers", named);
      expect(await refusedBoth("unblockGroupMember", { groupId, username: "guest" })).toEqual(both);
      expect(await refusedBoth("unblockGroupMembers", named)).toEqual(both);
      expect(await refusedBoth("getGroupBlocklist", { groupId })).toEqual(both);
      expect(await cast.call(zhangwei, "getGroupBlocklist", { groupId })).toEqual(["guest"]);
      await cast.call(zhangwei, "unblockGroupMembers", named);

      const one = { groupId, userName: "lina" };
      const users = { groupId, users: ["lina"] };
      expect(await refusedBoth("addUsersToGroupAllowlist", users)).toEqual(both);
      await cast.call(zhangwei, "addUsersToGroupAllowlist", users);
      expect(await refusedBoth("removeGroupAllowlistMember", one)).toEqual(both);
      expect(await refusedBoth("getGroupAllowlist", { groupId })).toEqual(both);
      expect(await cast.call(zhangwei, "getGroupAllowlist", { groupId })).toEqual(["lina"]);

      const text = { groupId, announcement: "x" };
      expect(await refusedBoth("updateGroupAnnouncement", text)).toEqual(both);
      expect(await refusedBoth("modifyGroup", { groupId, groupName: "x" })).toEqual(both);
      expect(await refusedBoth("changeGroupOwner", { groupId, newOwner: "lina" })).toEqual(both);
      expect(await refusedBoth("destroyGroup", { groupId })).toEqual(both);
      expect(await refusedBoth("removeGroupMember", admin)).toEqual(both);
      expect(await refusedBoth("removeGroupMembers", { groupId, users: ["admin"] })).toEqual(both);
      expect(await cast.members(lina, groupId)).toEqual(["admin", "lina", "zhangwei"]);
      expect(
        guest.events.filter((e) => e["id"] === groupId && e["operation"] !== "unblockMember"),
      ).toEqual([]);
    },
  );

  it("An admin does what those who rule do, but names no admins, hands nothing over and dissolves nothing", async () => {
    const groupId = await cast.make(zhangwei, ["lina", "guest"]);
    for (const username of ["lina", "guest"]) {
      await cast.call(zhangwei, "setGroupAdmin", { groupId, username });
    }
    const other = { groupId, username: "guest" };
    const refused = (method: string, given: object) => cast.refused(lina, method, given);
    expect(await refused("removeGroupAdmin", other)).toBe(DENIED);
    expect(await refused("setGroupAdmin", other)).toBe(DENIED);
    expect(await refused("changeGroupOwner", { groupId, newOwner: "lina" })).toBe(DENIED);
    expect(await refused("destroyGroup", { groupId })).toBe(DENIED);
    for (const username of ["guest", "zhangwei"]) {
      const given = { groupId, username };
      expect(await refused("muteGroupMember", { ...given, muteDuration: 1000 })).toBe(DENIED);
      expect(await refused("unmuteGroupMember", given)).toBe(DENIED);
      expect(await refused("blockGroupMember", given)).toBe(DENIED);
      expect(await refused("removeGroupMember", given)).toBe(DENIED);
    }
    expect(await refused("unmuteGroupMember", { groupId, username: "nobody" })).toBe(602);
    expect(await refused("removeGroupAllowlistMember", { groupId, userName: "nobody" })).toBe(602);
    expect(await cast.members(zhangwei, groupId)).toEqual(["guest", "lina", "zhangwei"]);
  });

  it.each([true, false])("A stranger reads nothing of a group (public: %s)", async (isPublic) => {
    const groupId = await cast.make(zhangwei, ["lina"], { public: isPublic });
    await cast.call(zhangwei, "updateGroupAnnouncement", { groupId, announcement: "机密" });
    const refused = (method: string, given: object = {}) =>
      cast.refused(guest, method, { groupId, ...given });
    expect(await refused("getGroupInfo")).toBe(MISSING);
    expect(await refused("getGroupMembers", { cursor: "", limit: 50 })).toBe(MISSING);
    expect(await refused("listGroupMembers", { pageNum: 1, pageSize: 100 })).toBe(MISSING);
    expect(await refused("getGroupAdmin")).toBe(MISSING);
    expect(await refused("getGroupMuteList")).toBe(MISSING);
    expect(await refused("isInGroupMutelist")).toBe(MISSING);
    expect(await refused("isInGroupAllowlist", { userName: "guest" })).toBe(MISSING);
    expect(await refused("isInGroupAllowlist", { userName: "lina" })).toBe(MISSING);
    expect(await refused("fetchGroupAnnouncement")).toBe(MISSING);
    const asked = { userIds: ["lina"], keys: ["nickName"] };
    expect(await refused("getGroupMembersAttributes", asked)).toBe(MISSING_ATTRIBUTES);
    const own = { userId: "guest", memberAttributes: { nickName: "x" } };
    expect(await refused("setGroupMemberAttributes", own)).toBe(MISSING_ATTRIBUTES);
    expect(await refused("getGroupSharedFilelist", { pageNum: 1, pageSize: 10 })).toBe(MISSING);
    expect(await refused("getGroupMsgReadUser", { msgId: "1" })).toBe(MISSING);
    // As of a group that is not there.
    expect(await cast.refused(guest, "fetchGroupAnnouncement", { groupId: "99999" })).toBe(MISSING);
  });

  it("Nobody answers for others, nor what was never asked; a hidden group stays hidden from who was not invited", async () => {
    const hidden = await cast.make(zhangwei, ["lina"], { public: false });
    const open = await cast.make(zhangwei, ["lina"], { approval: true });
    const [self, other] = [{ invitee: "guest" }, { invitee: "lina" }];
    for (const groupId of [hidden, "99999"]) {
      const refused = (method: string, given: object) =>
        cast.refused(guest, method, { groupId, ...given });
      expect(await refused("rejectGroupInvite", self)).toBe(MISSING);
      expect(await refused("acceptGroupInvite", self)).toBe(MISSING);
      expect(await refused("rejectGroupInvite", other)).toBe(DENIED);
      expect(await refused("acceptGroupInvite", other)).toBe(DENIED);
    }
    // A member was not invited either.
    const member = { groupId: hidden, invitee: "lina" };
    expect(await cast.refused(lina, "rejectGroupInvite", member)).toBe(NO_REQUEST);
    expect(await cast.refused(guest, "rejectGroupInvite", { groupId: open, ...self })).toBe(
      NO_REQUEST,
    );
    await cast.call(guest, "joinGroup", { groupId: open, message: "" });
    // An application is no invitation.
    expect(await cast.refused(guest, "acceptGroupInvite", { groupId: open, ...self })).toBe(
      NO_REQUEST,
    );
    const answer = { groupId: open, applicant: "guest", reason: "" };
    expect(await refusedBoth("rejectGroupJoinRequest", answer)).toEqual([DENIED, MISSING]);
    expect(await refusedBoth("acceptGroupJoinRequest", answer)).toEqual([DENIED, MISSING]);
    for (const applicant of ["lina", "wangfang", "nobody"]) {
      const never = { ...answer, applicant };
      expect(await cast.refused(zhangwei, "rejectGroupJoinRequest", never)).toBe(NO_REQUEST);
      expect(await cast.refused(zhangwei, "acceptGroupJoinRequest", never)).toBe(NO_REQUEST);
    }
    await cast.call(zhangwei, "rejectGroupJoinRequest", answer);
    expect(await cast.refused(zhangwei, "rejectGroupJoinRequest", answer)).toBe(NO_REQUEST);
  });
});
