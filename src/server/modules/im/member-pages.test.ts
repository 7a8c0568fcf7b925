/** The pages of a large group's members, as the console asks for them: 200 a page, and a search. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageSchema } from "../../../shared/protocol/rest/call.ts";
import {
  type GroupMember,
  groupMemberSchema,
  groupSchema,
} from "../../../shared/protocol/rest/im-groups.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";

/** Members beside the owner and 李娜. */
const OTHERS = 448;
const LIMIT = 200;

describe("The members of a group of 450", () => {
  let platform: TestPlatform;
  let groupId: string;
  const token: Record<string, string> = {};

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const name of ["zhangwei", "lina", "guest"]) {
      token[name] = (await platform.login(name)).access_token;
    }
    const { body } = await platform.ask("POST", "/dc-im/api/group", {
      token: token["zhangwei"] ?? "",
      json: { groupname: "大群", members: ["lina"] },
    });
    groupId = groupSchema.parse(body.data).id;
    await platform.platform.database.pool.query(
      `WITH people AS (
         INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
         SELECT 'm' || n, '队员' || lpad(n::text, 3, '0'), 'm' || n, 'x'
         FROM generate_series(1, $1::int) n RETURNING id),
       hired AS (INSERT INTO employees (company_id, account_id, name) SELECT 1, id, 'x' FROM people)
       INSERT INTO im_group_members (group_id, account_id, attributes)
       SELECT $2, id, '{}' FROM people`,
      [OTHERS, groupId],
    );
    await platform.platform.database.pool.query(
      `UPDATE im_group_members SET attributes = '{"nickName":"夜班组长"}'
       WHERE group_id = $1 AND account_id = (SELECT id FROM accounts WHERE username = 'm300')`,
      [groupId],
    );
  }, 120_000);
  afterAll(() => platform.close());

  const page = async (
    cursor: number,
    more: Record<string, string> = {},
    who = "lina",
  ): Promise<{ records: GroupMember[]; total: number; cursor: number; limit: number }> => {
    const query = new URLSearchParams({
      groupId,
      cursor: String(cursor),
      limit: String(LIMIT),
      searchCount: "true",
      ...more,
    });
    const { body } = await platform.ask("GET", `/dc-im/api/groupUsers?${query.toString()}`, {
      token: token[who] ?? "",
    });
    expect(body.code).toBe(0);
    return pageSchema(groupMemberSchema).parse(body.data);
  };

  it("Three pages of 200 have each member once, in one order, and a fourth has none", async () => {
    const pages = [await page(1), await page(2), await page(3)];
    expect(pages.map(({ records }) => records.length)).toEqual([200, 200, 50]);
    expect(pages.map(({ total, cursor, limit }) => [total, cursor, limit])).toEqual([
      [450, 1, 200],
      [450, 2, 200],
      [450, 3, 200],
    ]);
    const names = pages.flatMap(({ records }) => records.map(({ userName }) => userName));
    expect(new Set(names).size).toBe(450);
    expect(names.filter((name) => /^m\d+$/.test(name))).toHaveLength(OTHERS);
    expect(names).toEqual(expect.arrayContaining(["zhangwei", "lina"]));
    expect(pages[0]?.records.filter(({ owner }) => owner).map((m) => m.userName)).toEqual([
      "zhangwei",
    ]);
    // The order holds, and does not depend on who asks.
    const again = (await page(2, {}, "zhangwei")).records.map(({ userName }) => userName);
    expect(again).toEqual(names.slice(200, 400));
    expect(await page(4)).toMatchObject({ records: [], total: 450 });
    expect((await page(1, { limit: "50" })).records).toHaveLength(50);
  });

  it("A search finds members of every page by name, user name and card", async () => {
    const found = async (keyword: string, cursor = 1) => {
      const { records, total } = await page(cursor, { keyword, descParameter: "id" });
      return [total, ...records.map(({ userName }) => userName)];
    };
    expect(await found("队员440")).toEqual([1, "m440"]);
    expect(await found("m300")).toEqual([1, "m300"]);
    expect(await found("夜班组长")).toEqual([1, "m300"]);
    expect(await found("李娜")).toEqual([1, "lina"]);
    expect(await found("没有此人")).toEqual([0]);
    expect(await found("%")).toEqual([0]);
    // All but two of them; the third page of the search holds the rest.
    const [total, ...rest] = await found("队员", 3);
    expect([total, rest.length]).toEqual([OTHERS, OTHERS - 2 * LIMIT]);
  });

  it("Who is no member learns neither names nor how many there are", async () => {
    const answer = await platform.ask(
      "GET",
      `/dc-im/api/groupUsers?groupId=${groupId}&cursor=2&limit=200&searchCount=true`,
      { token: token["guest"] ?? "" },
    );
    expect([answer.status, answer.body.data]).toEqual([404, undefined]);
    expect(JSON.stringify(answer.body)).not.toMatch(/450|队员/);
  });
});
