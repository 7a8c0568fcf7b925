/** Hostile texts (tests/support/hostile.ts) through the chat provider's calls, which the console makes besides those of the registry. */
import { beforeAll, expect, test } from "vitest";
import { askingPlatform } from "../../src/server/asking.harness.ts";
import { HOSTILE_CASES, UNFIT_CASES } from "../support/hostile.ts";

const platform = askingPlatform(["lina"]);

interface Reply {
  readonly status: number;
  readonly body: unknown;
}
/** What stands in an answer below these keys. */
const at = (value: unknown, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<string, unknown>> | undefined)?.[key],
    value,
  );

let token = "";
let group = "";
async function chat(method: string, path: string, json?: unknown): Promise<Reply> {
  const answer = await fetch(`${platform.host.origin}/hyzh/console${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: answer.status, body: await answer.json() };
}
beforeAll(async () => {
  const ask = async (method: string, path: string, json?: unknown): Promise<unknown> =>
    (await platform.ask(method, path, { as: "lina", ...(json === undefined ? {} : { json }) })).body
      .data;
  const id = String(at(await ask("GET", "/uaa/api/profile"), "id"));
  const own = await ask(
    "GET",
    `/dc-im/api/user/hx/accountId?accountId=${id}&source=x&systemName=x`,
  );
  const login = { grant_type: "password", username: "lina", password: at(own, "password") };
  token = String(at((await chat("POST", "/token", login)).body, "access_token"));
  group = String(at(await ask("POST", "/dc-im/api/group", { groupname: "群" }), "id"));
});

interface Place {
  readonly name: string;
  /** Characters. */
  readonly max: number;
  /** Blanks at both ends go. */
  readonly trims?: true;
  write(text: string): Promise<Reply>;
  read(): Promise<unknown>;
}
const PLACES: readonly Place[] = [
  {
    name: "the name of a group",
    max: 64,
    trims: true,
    write: (groupname) => chat("PUT", `/chatgroups/${group}`, { groupname }),
    read: async () => at((await chat("GET", `/chatgroups/${group}`)).body, "data", "0", "name"),
  },
  {
    name: "what a group is for",
    max: 500,
    write: (description) => chat("PUT", `/chatgroups/${group}`, { description }),
    read: async () =>
      at((await chat("GET", `/chatgroups/${group}`)).body, "data", "0", "description"),
  },
  {
    name: "an announcement",
    max: 512,
    write: (announcement) => chat("POST", `/chatgroups/${group}/announcement`, { announcement }),
    read: async () =>
      at((await chat("GET", `/chatgroups/${group}/announcement`)).body, "data", "announcement"),
  },
  {
    name: "the name of a member in a group",
    max: 512,
    write: (card) =>
      chat("PUT", `/sdk/metadata/chatgroup/${group}/user/lina`, { metaData: { card } }),
    read: async () =>
      at(
        (await chat("POST", `/sdk/metadata/chatgroup/${group}/get`, { targets: ["lina"] })).body,
        "data",
        "lina",
        "card",
      ),
  },
  {
    name: "a remark",
    max: 100,
    write: (remark) => chat("PUT", "/users/lina/contacts/users/zhangwei", { remark }),
    read: async () => {
      const { body } = await chat("GET", "/users/lina/contacts/users");
      const entities = at(body, "entities") as readonly unknown[];
      return at(
        entities.find((one) => at(one, "username") === "zhangwei"),
        "remark",
      );
    },
  },
];

test.each(PLACES)(
  "$name is kept to the letter, or refused",
  async ({ max, trims, write, read }) => {
    const wrong: string[] = [];
    for (const { name, text } of HOSTILE_CASES.filter((one) => one.text.length <= max)) {
      const { status } = await write(text);
      const found = await read();
      const wanted = trims === true ? text.trim() : text;
      if (status !== 200 || found !== wanted) wrong.push(`${name}: ${status} ${String(found)}`);
    }
    for (const { name, text } of [...UNFIT_CASES, { name: "too long", text: "x".repeat(2000) }]) {
      const { status } = await write(`甲${text}`);
      if (status !== 400) wrong.push(`${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  },
  60_000,
);
