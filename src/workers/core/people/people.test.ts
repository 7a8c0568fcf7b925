import { expect, test } from "vitest";
import type { CallContext } from "../../../shared/protocol/core-rpc.ts";
import { contactsCall, employeeListCall } from "../../../shared/protocol/rest/index.ts";
import type { Http } from "../contracts.ts";
import { createFakeEnv } from "../core.fake.ts";
import { createPeople } from "./index.ts";

const context: CallContext = { tabId: "t", id: "i" };

function setUp(records: unknown[]) {
  const asked: { id: string; query: unknown }[] = [];
  const met: unknown[] = [];
  const call = (rest: { id: string }, input: { query: unknown }) => {
    asked.push({ id: rest.id, query: input.query });
    return Promise.resolve({ records, total: records.length, cursor: 2, limit: 50 });
  };
  const user = { accountId: "a1", username: "u", name: "n", supplierId: "s1" };
  const people = createPeople({
    env: createFakeEnv(),
    http: {
      call: call as unknown as Http["call"],
      provider: () => Promise.reject(new Error()),
      headers: () => Promise.reject(new Error()),
    },
    session: {
      user: () => user,
      accessToken: () => Promise.resolve("t"),
      onUser: () => () => {},
    },
    onPeople: (list) => void met.push(...list),
  });
  return { people, asked, met };
}

test("Employees of a list with a chat name are passed to the chat module, and no other answer is read", () => {
  const records = [
    { id: "1", name: "张伟", userName: "zhangwei" },
    { id: "2", name: "无聊天", userName: null },
  ];
  const { people, met } = setUp([]);
  people.learn(contactsCall, { records: [{ userName: "lina", name: "李娜" }] });
  people.learn(employeeListCall, { records });
  expect(met).toEqual([{ name: "张伟", userName: "zhangwei" }]);
});

test("Contacts are requested with the source, the chat application and the account", async () => {
  const { people, asked, met } = setUp([{ userName: "lina", name: "李娜" }]);
  await people.people.list({ cursor: 1, limit: 200 }, context);
  expect(asked).toEqual([
    {
      id: contactsCall.id,
      query: {
        cursor: 1,
        limit: 200,
        searchCount: true,
        source: "环信",
        systemName: "hyzh#console",
        descParameter: "id",
        userId: "a1",
      },
    },
  ]);
  expect(met).toEqual([{ userName: "lina", name: "李娜" }]);
});
