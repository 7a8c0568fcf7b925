/** Tests the console's calls for chat accounts and contacts on the whole platform. */
import { describe, expect, it } from "vitest";
import { covers } from "../../../covers.harness.ts";
import { type ChatUser, type Contact, restCalls } from "../../../../shared/protocol/rest/index.ts";
import { platformForTests } from "../../../asking.harness.ts";

describe("Chat accounts and contacts", () => {
  const { host, tokens } = platformForTests(["lina", "wangfang"]);

  const ask = (who: string, path: string, query: Record<string, string>) =>
    host.ask("GET", `${path}?${new URLSearchParams(query).toString()}`, {
      token: tokens[who] ?? "",
    });
  const systemParams = { source: "环信", systemName: "web" };
  const { chatAccount, chatUser, contacts, contactDepartments } = restCalls;
  const idOf = async (username: string): Promise<string> => {
    const { rows } = await host.platform.database.pool.query<{ id: string }>(
      "SELECT id FROM accounts WHERE username = $1",
      [username],
    );
    return rows[0]?.id ?? "";
  };

  it(
    covers(chatAccount, "success", "with the password only for the caller's own account"),
    async () => {
      const own = await ask("lina", chatAccount.path, {
        ...systemParams,
        accountId: await idOf("lina"),
      });
      expect(own.body.data).toMatchObject({ userName: "lina", name: "李娜" });
      expect((own.body.data as ChatUser).password).toEqual(expect.stringMatching(/.{8}/));
      const other = await ask("lina", chatAccount.path, {
        ...systemParams,
        accountId: await idOf("zhangwei"),
      });
      expect(other.body.data).toMatchObject({ userName: "zhangwei" });
      expect(other.body.data).not.toHaveProperty("password");
    },
  );

  it(covers(chatUser, "success"), async () => {
    const answer = await ask("lina", chatUser.path, { ...systemParams, userName: "zhangwei" });
    expect([answer.status, answer.body.code]).toEqual([200, 0]);
    expect(answer.body.data).toMatchObject({ userName: "zhangwei", name: "张伟" });
  });

  it(
    covers(contacts, ["success", "foreign"], "colleagues of the caller's own companies"),
    async () => {
      const names = async (who: string): Promise<string[]> => {
        const answer = await ask(who, contacts.path, { limit: "100" });
        return (answer.body.data as { records: Contact[] }).records.map((c) => c.userName).sort();
      };
      expect(await names("lina")).toEqual(["admin", "ops", "zhangwei"]);
      expect(await names("wangfang")).toEqual(["admin", "zhangwei"]);
    },
  );

  it(covers(contactDepartments, ["success", "foreign", "invalid"]), async () => {
    const { pool } = host.platform.database;
    const made = await pool.query<{ id: string }>(
      `INSERT INTO departments (company_id, parent_id, name, sort)
       SELECT c.id, NULL, '应急' || c.id, 9 FROM companies c WHERE c.id IN (1, 2) ORDER BY c.id RETURNING id`,
    );
    const [here = "", there = ""] = made.rows.map(({ id }) => String(id));
    await pool.query(
      `UPDATE employees SET department_id = $1 WHERE company_id = 1
       AND account_id = (SELECT id FROM accounts WHERE username = 'zhangwei')`,
      [here],
    );
    const inCompany = { token: tokens["lina"] ?? "", supplierId: "1" };
    const tree = (await host.ask("GET", contactDepartments.path, inCompany)).body.data as {
      id: string;
      name: string;
      people: number;
    }[];
    // Without a company there are no departments.
    expect((await ask("lina", contactDepartments.path, {})).body.data).toEqual([]);
    expect(tree.find(({ id }) => id === here)).toMatchObject({ name: "应急1", people: 1 });
    expect(tree.map(({ id }) => id)).not.toContain(there);
    const inside = async (departmentId: string): Promise<string[]> => {
      const answer = await ask("lina", contacts.path, { limit: "100", departmentId });
      return (answer.body.data as { records: Contact[] }).records.map((c) => c.userName).sort();
    };
    expect(await inside(here)).toEqual(["zhangwei"]);
    expect(await inside(there)).toEqual([]);
    // Each contact stands in one department; the last entry is for those without.
    const counted: number[] = [];
    for (const { id } of tree) counted.push((await inside(id)).length);
    expect(counted).toEqual(tree.map(({ people }) => people));
    expect(counted.reduce((a, b) => a + b, 0)).toBe(3);
    expect((await ask("lina", contacts.path, { departmentId: "x" })).status).toBe(400);
  });

  it(covers([chatAccount, chatUser], "foreign"), async () => {
    for (const answer of [
      await ask("lina", chatAccount.path, { ...systemParams, accountId: await idOf("wangfang") }),
      await ask("lina", chatUser.path, { ...systemParams, userName: "wangfang" }),
    ]) {
      expect(answer.body.code).not.toBe(0);
      expect(answer.body.data).toBeUndefined();
      expect(JSON.stringify(answer.body)).not.toContain("王芳");
    }
  });

  it(covers([chatAccount, chatUser, contacts], "invalid"), async () => {
    const fields = async (path: string, query: Record<string, string>): Promise<unknown> => {
      const { status, body } = await ask("lina", path, query);
      return [status, Object.keys((body.details?.["fields"] ?? {}) as object)];
    };
    expect(await fields(chatAccount.path, systemParams)).toEqual([400, ["accountId"]]);
    expect(await fields(chatUser.path, { ...systemParams, userName: "李娜" })).toEqual([
      400,
      ["userName"],
    ]);
    expect(await fields(contacts.path, { limit: "0" })).toEqual([400, ["limit"]]);
  });

  it(covers([chatAccount, chatUser, contacts, contactDepartments], "refused"), async () => {
    for (const { method, path } of [chatAccount, chatUser, contacts, contactDepartments]) {
      expect((await host.ask(method, path)).status).toBe(401);
      const { status, body } = await host.ask(method, path, {
        token: tokens["lina"] ?? "",
        supplierId: "2",
      });
      expect([status, body.error]).toEqual([403, "auth.forbidden"]);
    }
  });
});
