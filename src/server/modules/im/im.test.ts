import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { covers } from "../../covers.harness.ts";
import { accountCall } from "../../../shared/protocol/rest/auth.ts";
import { pageSchema } from "../../../shared/protocol/rest/call.ts";
import { accountInfoSchema } from "../../../shared/protocol/rest/entities.ts";
import { restCalls } from "../../../shared/protocol/rest/index.ts";
import { groupMemberSchema, groupSchema } from "../../../shared/protocol/rest/im-groups.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import { WAITING_MAX } from "../chat/contacts/friend-rows.ts";
import { startTestPlatform, type Answer, type TestPlatform } from "../../platform.harness.ts";

/** 张伟 is in both companies, 李娜 only in 华安, 王芳 only in 城南. */
describe("Groups and friends", () => {
  let platform: TestPlatform;
  const token: Record<string, string> = {};
  const id: Record<string, string> = {};

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const name of ["zhangwei", "lina", "wangfang", "guest"]) {
      token[name] = (await platform.login(name)).access_token;
      const { body } = await platform.ask("GET", accountCall.path, { token: token[name] ?? "" });
      id[name] = accountInfoSchema.parse(body.data).id;
    }
  }, 120_000);
  afterAll(() => platform.close());

  const ask = (who: string, method: string, path: string, json?: unknown): Promise<Answer> =>
    platform.ask(method, `/dc-im/api${path}`, {
      token: token[who] ?? "",
      ...(json === undefined ? {} : { json }),
    });
  async function makeGroup(who: string, fields: Record<string, unknown> = {}): Promise<string> {
    const { body } = await ask(who, "POST", "/group", { groupname: "组", ...fields });
    return groupSchema.parse(body.data).id;
  }
  const member = (userName: string, groupIdStr: string) => ({ userName, groupIdStr });
  async function names(who: string, groupId: string, more = ""): Promise<string[]> {
    const { body } = await ask(who, "GET", `/groupUsers?groupId=${groupId}${more}`);
    return pageSchema(groupMemberSchema)
      .parse(body.data)
      .records.map((record) => record.userName)
      .sort();
  }
  const fieldsOf = (answer: Answer): string[] => Object.keys(answer.body.details?.["fields"] ?? {});

  it(
    covers([restCalls.groupCreate, restCalls.groups, restCalls.groupUsers], "success"),
    async () => {
      const { body } = await ask("zhangwei", "POST", "/group", {
        gid: "2233445566",
        groupname: " 消防联络 ",
        desc: "值班",
        members: ["lina", "guest"],
      });
      const group = groupSchema.parse(body.data);
      expect(group).toEqual({
        id: "2233445566",
        gid: "2233445566",
        name: "消防联络",
        desc: "值班",
        admin: "zhangwei",
        membersonly: false,
        public: true,
        allowinvites: true,
        inviteconfirm: false,
        memberCount: 3,
        muted: false,
        announcement: "",
        role: "owner",
        mutedUntil: null,
        allowed: false,
        joinedAt: expect.any(Number),
      });
      expect(group.joinedAt).toBeGreaterThan(0);
      for (const who of ["zhangwei", "lina", "guest"]) {
        const ownGroups = (await ask(who, "GET", "/groups?keyword=消防")).body;
        expect(pageSchema(groupSchema).parse(ownGroups.data)).toMatchObject({
          records: [{ ...group, role: who === "zhangwei" ? "owner" : "member" }],
          total: 1,
        });
      }
      expect((await ask("wangfang", "GET", "/groups")).body.data).toMatchObject({ records: [] });
      const search = await ask(
        "lina",
        "GET",
        `/groupUsers?groupId=${group.id}&keyword=张&cursor=1&limit=200&searchCount=false&descParameter=id`,
      );
      expect(search.body.code).toBe(0);
      expect(search.body.data).toMatchObject({
        records: [{ userName: "zhangwei", groupIdStr: group.id, name: "张伟", owner: true }],
      });
      expect(await names("lina", group.id)).toEqual(["guest", "lina", "zhangwei"]);
      const again = await ask("lina", "POST", "/group", { gid: group.id, groupname: "x" });
      expect(again.body.error).toBe("request.conflict");
    },
  );

  it(
    covers(
      [
        restCalls.groups,
        restCalls.groupCreate,
        restCalls.groupUsers,
        restCalls.groupUserAdd,
        restCalls.groupUserDelete,
        restCalls.groupDelete,
      ],
      "invalid",
    ),
    async () => {
      expect(fieldsOf(await ask("lina", "GET", "/groups?limit=0"))).toEqual(["limit"]);
      expect(fieldsOf(await ask("lina", "POST", "/group", { groupname: " " }))).toEqual([
        "groupname",
      ]);
      expect(fieldsOf(await ask("lina", "GET", "/groupUsers?groupId=a"))).toEqual(["groupId"]);
      expect(fieldsOf(await ask("lina", "POST", "/groupUser", { userName: "x" }))).toEqual([
        "groupIdStr",
      ]);
      expect(fieldsOf(await ask("lina", "POST", "/groupUser/delete", member("A B", "1")))).toEqual([
        "userName",
      ]);
      expect(fieldsOf(await ask("lina", "DELETE", "/group/abc"))).toEqual(["id"]);
    },
  );

  it(
    covers(
      [
        restCalls.groupUserAdd,
        restCalls.groupUserDelete,
        restCalls.groupUsers,
        restCalls.groupDelete,
      ],
      "foreign",
      "a group of which the caller is not a member",
    ),
    async () => {
      const group = await makeGroup("lina");
      const answers = [
        await ask("wangfang", "GET", `/groupUsers?groupId=${group}`),
        await ask("wangfang", "POST", "/groupUser", member("zhangwei", group)),
        // The owner is a stranger, so the group cannot be joined either.
        await ask("wangfang", "POST", "/groupUser", member("wangfang", group)),
        await ask("wangfang", "POST", "/groupUser/delete", member("lina", group)),
        await ask("wangfang", "DELETE", `/group/${group}`),
        await ask("wangfang", "DELETE", "/group/99999"),
      ];
      expect(answers.map((answer) => [answer.status, answer.body.msg])).toEqual(
        answers.map(() => [404, "群组不存在"]),
      );
      expect(await names("lina", group)).toEqual(["lina"]);
      expect((await ask("wangfang", "GET", "/groups?keyword=组")).body.data).toMatchObject({
        records: [],
      });
    },
  );

  it(
    covers(
      [restCalls.groupUpdate, restCalls.groupRequests, restCalls.publicGroups],
      ["success", "foreign"],
    ),
    async () => {
      const group = await makeGroup("lina", { groupname: "审批组" });
      const put = (who: string) => ask(who, "PUT", `/group/${group}`, { approval: true });
      expect((await put("lina")).body.data).toMatchObject({ membersonly: true, role: "owner" });
      expect((await put("wangfang")).status).toBe(404);
      const found = async (who: string) =>
        (await ask(who, "GET", "/publicGroups?keyword=审批组")).body;
      expect((await found("guest")).data).toMatchObject({
        records: [{ id: group, membersonly: true, joined: false, applied: false }],
        total: 1,
      });
      expect((await found("wangfang")).data).toMatchObject({ records: [], total: 0 });
      for (const who of ["lina", "wangfang"]) {
        expect((await ask(who, "GET", "/groupRequests")).body.data).toMatchObject({
          records: [],
          total: 0,
        });
      }
    },
  );

  it(
    covers([restCalls.groupUpdate, restCalls.groupRequests, restCalls.publicGroups], "invalid"),
    async () => {
      const group = await makeGroup("lina");
      const put = await ask("lina", "PUT", `/group/${group}`, { groupname: " " });
      expect(fieldsOf(put)).toEqual(["groupname"]);
      expect(fieldsOf(await ask("lina", "GET", "/groupRequests?limit=0"))).toEqual(["limit"]);
      expect(fieldsOf(await ask("lina", "GET", "/publicGroups?cursor=0"))).toEqual(["cursor"]);
    },
  );

  it(
    covers([restCalls.groupCreate, restCalls.groups], "foreign", "people of another company"),
    async () => {
      const answer = await ask("lina", "POST", "/group", {
        groupname: "组",
        members: ["wangfang"],
      });
      expect(answer.status).toBe(403);
      expect(answer.body.error).toBe("chat.not-allowed");
      const group = await makeGroup("lina");
      const add = await ask("lina", "POST", "/groupUser", member("wangfang", group));
      expect(add.body.error).toBe("chat.not-allowed");
      // 张伟 works in both companies, but a group belongs to one of them.
      const both = await ask("zhangwei", "POST", "/group", {
        groupname: "组",
        members: ["lina", "wangfang"],
      });
      expect(both.body.error).toBe("chat.not-allowed");
      expect((await ask("wangfang", "GET", `/groups?keyword=${group}`)).body.data).toMatchObject({
        records: [],
      });
    },
  );

  it(
    covers([restCalls.groupUserAdd, restCalls.groupUserDelete, restCalls.groupDelete], "success"),
    async () => {
      const group = await makeGroup("zhangwei");
      const added = await ask("zhangwei", "POST", "/groupUser", member("lina", group));
      expect(groupMemberSchema.parse(added.body.data)).toMatchObject({
        userName: "lina",
        name: "李娜",
        groupIdStr: group,
        owner: false,
      });
      // Adding a member twice has no further effect. A colleague of the members may join a public group.
      await ask("zhangwei", "POST", "/groupUser", member("lina", group));
      expect((await ask("guest", "POST", "/groupUser", member("guest", group))).status).toBe(200);
      expect(await names("lina", group)).toEqual(["guest", "lina", "zhangwei"]);
      await ask("zhangwei", "POST", "/groupUser/delete", member("guest", group));
      // A member may invite others.
      await ask("lina", "POST", "/groupUser", member("guest", group));
      await ask("lina", "POST", "/groupUser/delete", member("lina", group));
      expect(await names("zhangwei", group)).toEqual(["guest", "zhangwei"]);
      expect((await ask("zhangwei", "DELETE", `/group/${group}`)).status).toBe(200);
      expect((await ask("zhangwei", "GET", `/groupUsers?groupId=${group}`)).status).toBe(404);
    },
  );

  it(
    covers(
      [
        restCalls.groups,
        restCalls.groupCreate,
        restCalls.groupUsers,
        restCalls.groupUserAdd,
        restCalls.groupUserDelete,
        restCalls.groupDelete,
        restCalls.groupUpdate,
        restCalls.groupRequests,
        restCalls.publicGroups,
      ],
      "refused",
    ),
    async () => {
      const group = await makeGroup("zhangwei", { members: ["lina"], allowinvites: false });
      const refusals = [
        await ask("lina", "POST", "/groupUser", member("guest", group)),
        await ask("lina", "POST", "/groupUser/delete", member("zhangwei", group)),
        await ask("lina", "DELETE", `/group/${group}`),
        await ask("lina", "PUT", `/group/${group}`, { approval: true }),
      ];
      expect(refusals.map((answer) => [answer.status, answer.body.msg])).toEqual([
        [403, "只有群主和管理员可以邀请成员"],
        [403, "只有群主和管理员可以移除成员"],
        [403, "只有群主可以解散群组"],
        [403, "只有群主和管理员可以操作"],
      ]);
      const leaving = await ask("zhangwei", "POST", "/groupUser/delete", member("zhangwei", group));
      expect(leaving.body).toMatchObject({
        error: "request.conflict",
        msg: "群主不能退出群组，请解散群组",
      });
      const closed = await makeGroup("zhangwei", { approval: true });
      expect((await ask("lina", "POST", "/groupUser", member("lina", closed))).status).toBe(404);
      for (const [method, path] of [
        ["GET", "/groups"],
        ["POST", "/group"],
        ["GET", `/groupUsers?groupId=${group}`],
        ["PUT", `/group/${group}`],
        ["GET", "/groupRequests"],
        ["GET", "/publicGroups"],
      ] as const) {
        expect((await platform.ask(method, `/dc-im/api${path}`)).status).toBe(401);
      }
      expect(await names("lina", group)).toEqual(["lina", "zhangwei"]);
    },
  );

  const pair = (userName: string, friendUserName: string) => ({
    userName,
    friendUserName,
    source: "环信",
    systemName: "hyzh#console",
  });
  const mayTalk = (a: string, b: string) => platform.platform.directory.mayTalk(a, b);

  it(
    covers(
      [restCalls.friendAdd, restCalls.friendInfo, restCalls.friendRemove],
      "success",
      "both agree",
    ),
    async () => {
      const first = await ask(
        "lina",
        "POST",
        "/friend/hx/create/userName",
        pair("lina", "wangfang"),
      );
      expect(first.body.data).toMatchObject({
        userName: "lina",
        friendUserName: "wangfang",
        // A stranger's name is hidden until she agrees.
        name: "wangfang",
        avatar: "",
        source: "环信",
        systemName: "hyzh#console",
        agreed: false,
      });
      expect(await mayTalk("lina", "wangfang")).toBe(false);
      await ask("wangfang", "POST", "/friend/hx/create/userName", pair("wangfang", "lina"));
      expect(await mayTalk("lina", "wangfang")).toBe(true);
      expect(await mayTalk("wangfang", "lina")).toBe(true);
      const query = new URLSearchParams(pair("lina", "wangfang")).toString();
      expect((await ask("lina", "GET", `/friend/hx/userName?${query}`)).body.data).toMatchObject({
        name: "王芳",
        agreed: true,
      });
      const contacts = await ask("lina", "GET", "/friend/hx/page?keyword=wangfang");
      expect(contacts.body.data).toMatchObject({
        records: [{ userName: "wangfang", name: "王芳", department: null, position: null }],
        total: 1,
      });
      const byId = await ask("lina", "GET", `/user/hx/${id["wangfang"]}`);
      expect(byId.body.data).toMatchObject({ userName: "wangfang", name: "王芳" });

      await ask("wangfang", "POST", "/friend/hx/userName/delete", pair("wangfang", "lina"));
      expect(await mayTalk("lina", "wangfang")).toBe(false);
      expect((await ask("lina", "GET", `/friend/hx/userName?${query}`)).status).toBe(404);
      expect(
        (await ask("lina", "GET", "/friend/hx/page?keyword=wangfang")).body.data,
      ).toMatchObject({ records: [], total: 0 });
    },
  );

  it(covers(restCalls.friendDelete, ["success", "foreign"]), async () => {
    const added = await ask("lina", "POST", "/friend/hx/create/userName", pair("lina", "guest"));
    const friendId = (added.body.data as { id: string }).id;
    expect((await ask("guest", "DELETE", `/friend/hx/${friendId}`)).status).toBe(404);
    expect((await ask("wangfang", "DELETE", `/friend/hx/${friendId}`)).status).toBe(404);
    expect((await ask("lina", "DELETE", `/friend/hx/${friendId}`)).status).toBe(200);
    expect((await ask("lina", "DELETE", `/friend/hx/${friendId}`)).status).toBe(404);
  });

  it(
    covers(
      [restCalls.friendAdd, restCalls.friendInfo, restCalls.friendRemove, restCalls.friendDelete],
      "invalid",
    ),
    async () => {
      expect(
        fieldsOf(await ask("lina", "POST", "/friend/hx/create/userName", { userName: "lina" })),
      ).toEqual(["friendUserName"]);
      expect(
        fieldsOf(await ask("lina", "POST", "/friend/hx/create/userName", pair("lina", "lina"))),
      ).toEqual(["friendUserName"]);
      expect(fieldsOf(await ask("lina", "GET", "/friend/hx/userName?userName=lina"))).toEqual([
        "friendUserName",
      ]);
      expect(
        fieldsOf(await ask("lina", "POST", "/friend/hx/userName/delete", pair("lina", "李"))),
      ).toEqual(["friendUserName"]);
      expect(fieldsOf(await ask("lina", "DELETE", "/friend/hx/x"))).toEqual(["id"]);
    },
  );

  it(
    covers(
      [restCalls.friendAdd, restCalls.friendInfo, restCalls.friendRemove],
      ["refused", "foreign"],
      "no caller acts for another user",
    ),
    async () => {
      const other = pair("wangfang", "lina");
      const answers = [
        await ask("lina", "POST", "/friend/hx/create/userName", other),
        await ask("lina", "GET", `/friend/hx/userName?${new URLSearchParams(other).toString()}`),
        await ask("lina", "POST", "/friend/hx/userName/delete", other),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403]);
      const none = await ask("lina", "POST", "/friend/hx/userName/delete", pair("lina", "guest"));
      expect(none.status).toBe(404);
    },
  );

  it(covers([restCalls.friends, restCalls.friendRequests], ["success", "foreign"]), async () => {
    const waiting = async (who: string) =>
      (await ask(who, "GET", "/friendRequests")).body.data as Record<string, unknown>[];
    const friendsOf = async (who: string) =>
      ((await ask(who, "GET", "/friends")).body.data as { records: unknown[] }).records;
    const add = (who: string, other: string, reason: string) =>
      ask(who, "POST", "/friend/hx/create/userName", { ...pair(who, other), reason });
    await add("lina", "wangfang", "联合检查");
    await add("lina", "nobody_here", "联合检查");
    await add("lina", "zhangwei", "");
    // Names of strangers are hidden from the person who asks, so that a name without an account looks alike.
    expect(await waiting("lina")).toMatchObject([
      { kind: "sent", userName: "zhangwei", name: "张伟", message: "" },
      { kind: "sent", userName: "nobody_here", name: "nobody_here", avatar: "" },
      { kind: "sent", userName: "wangfang", name: "wangfang", message: "联合检查" },
    ]);
    expect(await waiting("wangfang")).toMatchObject([
      { kind: "received", userName: "lina", name: "李娜", message: "联合检查" },
    ]);
    expect(await waiting("guest")).toEqual([]);
    expect(await friendsOf("lina")).toEqual([]);
    await add("wangfang", "lina", "");
    expect(await friendsOf("lina")).toEqual([{ userName: "wangfang", name: "王芳", avatar: "" }]);
    expect(await friendsOf("wangfang")).toEqual([{ userName: "lina", name: "李娜", avatar: "" }]);
    expect(await waiting("wangfang")).toEqual([]);
    for (const other of ["wangfang", "zhangwei", "nobody_here"]) {
      await ask("lina", "POST", "/friend/hx/userName/delete", pair("lina", other));
    }
    expect(await waiting("lina")).toEqual([]);
  });

  it(covers([restCalls.friends, restCalls.friendRequests], ["invalid", "refused"]), async () => {
    expect(fieldsOf(await ask("lina", "GET", "/friends?limit=0"))).toEqual(["limit"]);
    expect(fieldsOf(await ask("lina", "GET", "/friendRequests?limit=0"))).toEqual(["limit"]);
    const reason = "长".repeat(101);
    const body = { ...pair("lina", "guest"), reason };
    expect(fieldsOf(await ask("lina", "POST", "/friend/hx/create/userName", body))).toEqual([
      "reason",
    ]);
    for (const path of ["/friends", "/friendRequests"]) {
      expect((await platform.ask("GET", `/dc-im/api${path}`)).status).toBe(401);
    }
  });

  it("A person who blocks the asking one answers as a stranger does, and learns nothing", async () => {
    const { pool } = platform.platform.database;
    await pool.query("INSERT INTO chat_block (user_name, blocked) VALUES ('wangfang', 'guest')");
    const add = await ask("guest", "POST", "/friend/hx/create/userName", pair("guest", "wangfang"));
    expect([add.status, add.body.data]).toMatchObject([200, { agreed: false, name: "wangfang" }]);
    expect((await ask("guest", "GET", "/friendRequests")).body.data).toMatchObject([
      { kind: "sent", userName: "wangfang" },
    ]);
    expect((await ask("wangfang", "GET", "/friendRequests")).body.data).toEqual([]);
    // What was asked before the block ends is heard only when it is asked again.
    await pool.query("DELETE FROM chat_block");
    expect((await ask("wangfang", "GET", "/friendRequests")).body.data).toEqual([]);
    await ask("guest", "POST", "/friend/hx/userName/delete", pair("guest", "wangfang"));
    expect((await ask("guest", "GET", "/friendRequests")).body.data).toEqual([]);
  });

  it("A blocked person gets no ticket for a call", async () => {
    const { pool } = platform.platform.database;
    const ticket = async (uid: string, callee: string): Promise<unknown> => {
      const answer = await fetch(`${platform.origin}/easemob/rtc/req/ticket`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token[uid] ?? ""}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ uid, callee, confrType: 13 }),
      });
      return answer.json();
    };
    await pool.query("INSERT INTO chat_block (user_name, blocked) VALUES ('guest', 'zhangwei')");
    expect(await ticket("zhangwei", "guest")).toMatchObject({ error: RESULT.notAllowed });
    // The one who blocks may call.
    expect(await ticket("guest", "zhangwei")).toMatchObject({ error: 0 });
    await pool.query("DELETE FROM chat_block");
  });

  it("A request to a name that no account has behaves like one to a stranger in every call", async () => {
    const steps = async (name: string): Promise<unknown[]> => {
      const query = new URLSearchParams(pair("lina", name)).toString();
      const answers: Answer[] = [];
      const collectAnswer = async (...call: readonly [string, string, Record<string, unknown>?]) =>
        void answers.push(await ask("lina", ...call));
      await collectAnswer("GET", `/friend/hx/userName?${query}`);
      await collectAnswer("POST", "/friend/hx/userName/delete", pair("lina", name));
      await collectAnswer("POST", "/friend/hx/create/userName", pair("lina", name));
      await collectAnswer("POST", "/friend/hx/create/userName", pair("lina", name));
      await collectAnswer("GET", `/friend/hx/userName?${query}`);
      await collectAnswer("POST", "/friend/hx/userName/delete", pair("lina", name));
      await collectAnswer("POST", "/friend/hx/create/userName", pair("lina", name));
      const made = String((answers.at(-1)?.body.data as { id?: string } | undefined)?.id);
      await collectAnswer("DELETE", `/friend/hx/${made}`);
      await collectAnswer("DELETE", `/friend/hx/${made}`);
      await collectAnswer("GET", `/user/hx/userName?userName=${name}&source=x&systemName=x`);
      return answers.map(({ status, body }) => ({
        status,
        body: JSON.parse(
          JSON.stringify(body)
            .replaceAll(name, "NAME")
            .replaceAll(/"id":"\d+"/g, '"id":"N"'),
        ) as unknown,
      }));
    };
    const stranger = await steps("wangfang");
    expect(stranger.map((answer) => (answer as Answer).status)).toEqual([
      404, 404, 200, 200, 200, 200, 200, 200, 404, 404,
    ]);
    expect(await steps("nobody")).toEqual(stranger);
  });

  it("Only a limited number of requests may be unanswered", async () => {
    const { pool } = platform.platform.database;
    await pool.query(
      `INSERT INTO im_friend_requests (account_id, user_name)
       SELECT $1, 'name' || i FROM generate_series(1, $2::int) i`,
      [id["lina"], WAITING_MAX],
    );
    for (const name of ["wangfang", "nobody"]) {
      const answer = await ask("lina", "POST", "/friend/hx/create/userName", pair("lina", name));
      expect([answer.status, answer.body.error]).toEqual([429, "request.rate-limited"]);
    }
    await pool.query("DELETE FROM im_friend_requests");
  });

  it(covers(restCalls.friendDelete, "refused"), async () => {
    expect((await platform.ask("DELETE", "/dc-im/api/friend/hx/1")).status).toBe(401);
  });

  it(covers(restCalls.chatUserById, ["success", "invalid", "refused", "foreign"]), async () => {
    const self = await ask("lina", "GET", `/user/hx/${id["lina"]}`);
    expect(self.body.data).toEqual({
      userName: "lina",
      accountId: id["lina"],
      name: "李娜",
      avatar: "",
      source: "环信",
      systemName: "hyzh#console",
    });
    expect((await ask("lina", "GET", `/user/hx/${id["zhangwei"]}`)).status).toBe(200);
    for (const strange of [id["wangfang"], "999999", "0", "9999999999999999999"]) {
      expect((await ask("lina", "GET", `/user/hx/${strange}`)).body.error).toBe(
        "chat.user-not-found",
      );
    }
    expect(fieldsOf(await ask("lina", "GET", "/user/hx/x-1"))).toEqual(["id"]);
    expect((await platform.ask("GET", `/dc-im/api/user/hx/${id["lina"]}`)).status).toBe(401);
  });
});
