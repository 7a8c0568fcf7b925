import { expect, test } from "vitest";
import { createGroupCalls } from "./sdk-groups.ts";

test("A group is made public, without approval, and its members may invite; its company goes along", async () => {
  const made: unknown[] = [];
  const conn = {
    createGroup: (options: unknown) => {
      made.push(options);
      return Promise.resolve({ data: { groupid: "1001" } });
    },
  };
  const groups = createGroupCalls(conn as never, (run) => run());
  const group = { name: "值班群", description: "夜班", members: ["bob"], supplierId: "7" };
  expect(await groups.create(group)).toBe("1001");
  expect(made).toEqual([
    {
      data: {
        groupname: "值班群",
        desc: "夜班",
        members: ["bob"],
        public: true,
        approval: false,
        allowinvites: true,
        inviteNeedConfirm: false,
        maxusers: 5000,
        ext: '{"supplierId":"7"}',
      },
    },
  ]);
});
