/** Pages of members and groups, and calls about several groups at once, by the unmodified SDK (docs/chat.md#provider-calls). */
import { describe, expect, it } from "vitest";
import type { GroupCast } from "./cast.harness.ts";
import type { SdkUser } from "./sdk.harness.ts";
import { connectThree } from "./three.harness.ts";

const COUNT = 120;

describe("Pages", () => {
  let cast: GroupCast;
  let zhangwei: SdkUser;
  let lina: SdkUser;
  let guest: SdkUser;
  connectThree((three) => ({ cast, zhangwei, lina, guest } = three));

  type Row = Readonly<Record<string, unknown>>;
  const nameOf = (row: Row): string =>
    String(row["owner"] ?? row["admin"] ?? row["member"] ?? row["userId"]);
  /** A group of zhangwei and lina, and of as many others as make it `COUNT`. */
  const fill = async (groupId: string): Promise<void> => {
    await cast.platform.platform.database.pool.query(
      `WITH people AS (
         INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
         SELECT $1 || n, 'extra', $1 || n, 'x' FROM generate_series(3, $2::int) n RETURNING id),
       hired AS (
         INSERT INTO employees (company_id, account_id, name) SELECT 1, id, 'extra' FROM people)
       INSERT INTO im_group_members (group_id, account_id) SELECT $3, id FROM people`,
      [`p${groupId}_`, COUNT, groupId],
    );
  };

  it("The members of a group come in pages by a cursor, each once, the owner first", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    await fill(groupId);
    await cast.call(zhangwei, "setGroupAdmin", { groupId, username: "lina" });
    const sizes: number[] = [];
    const seen: Row[] = [];
    let cursor = "";
    do {
      const answer = await lina.conn["getGroupMembers"]?.({ groupId, limit: 50, cursor });
      const data = answer?.data as Row[] | { members: Row[]; cursor?: string };
      const rows = Array.isArray(data) ? data : data.members;
      cursor = String((Array.isArray(data) ? answer?.["cursor"] : data.cursor) ?? "");
      sizes.push(rows.length);
      seen.push(...rows);
    } while (cursor !== "" && sizes.length < 9);
    expect(sizes).toEqual([50, 50, 20]);
    expect(new Set(seen.map(nameOf)).size).toBe(COUNT);
    expect(seen.slice(0, 3).map(nameOf)).toEqual(["zhangwei", "lina", `p${groupId}_3`]);
  });

  it("The older list of members has pages by number", async () => {
    const groupId = await cast.make(zhangwei, ["lina"]);
    await fill(groupId);
    const page = async (pageNum: number) =>
      (
        (await cast.call(lina, "listGroupMembers", { groupId, pageNum, pageSize: 50 })) as Row[]
      ).map(nameOf);
    const pages = [await page(1), await page(2), await page(3)];
    expect(pages.map((names) => names.length)).toEqual([50, 50, 20]);
    expect(new Set(pages.flat()).size).toBe(COUNT);
    expect(await page(4)).toEqual([]);
    expect(pages[0]?.slice(0, 2)).toEqual(["zhangwei", "lina"]);
  });

  it("Public groups and own groups have further pages", async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.push(await cast.make(zhangwei, ["guest"]));
    const listed: string[] = [];
    const sizes: number[] = [];
    let cursor = "";
    do {
      const answer = await lina.conn["getPublicGroups"]?.({ limit: 2, cursor });
      const rows = answer?.data as { groupid: string }[];
      sizes.push(rows.length);
      listed.push(...rows.map((row) => row.groupid));
      cursor = String(answer?.["cursor"] ?? "");
    } while (cursor !== "" && sizes.length < 50);
    expect(sizes.slice(0, -1).every((size) => size === 2)).toBe(true);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(made));

    const all = (
      (await cast.call(guest, "getJoinedGroups", { pageNum: 0, pageSize: 200 })) as Row[]
    ).map((row) => row["groupid"]);
    const own = async (pageNum: number, more: object = {}) => {
      const answer = await guest.conn["getJoinedGroups"]?.({ pageNum, pageSize: 2, ...more });
      const entities = (answer?.["entities"] ?? []) as Row[];
      const rows = entities.length > 0 ? entities : (answer?.data as Row[]);
      return rows.map((row) => row["groupId"] ?? row["groupid"]);
    };
    expect(all.slice(0, 5)).toEqual(made.toReversed());
    expect([await own(0), await own(1), await own(2)].flat().slice(0, 5)).toEqual(all.slice(0, 5));
    const withRole = { needAffiliations: true, needRole: true };
    expect([await own(0, withRole), await own(1, withRole)].flat()).toEqual(all.slice(0, 4));
    expect(await own(100)).toEqual([]);
  });

  it("Several groups are asked for at once; one that is hidden has the whole call refused", async () => {
    const [one, two, other] = [
      await cast.make(zhangwei, ["lina"], { groupname: "甲" }),
      await cast.make(zhangwei, ["lina"], { groupname: "乙" }),
      await cast.make(zhangwei, ["guest"], { groupname: "丙" }),
    ];
    expect(await cast.call(lina, "getGroupInfo", { groupId: [one, two] })).toMatchObject([
      { id: one, name: "甲", affiliations_count: 2 },
      { id: two, name: "乙", affiliations_count: 2 },
    ]);
    expect(await cast.refused(lina, "getGroupInfo", { groupId: [one, other] })).toBe(605);
    expect(await cast.refused(lina, "getGroupInfo", { groupId: ["99999", two] })).toBe(605);
  });
});
