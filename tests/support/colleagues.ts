/** Colleagues of 李娜 whom a test adds, with her company, role and password. */
import { readConfig } from "../../src/server/base/config.ts";
import { openDatabase } from "../../src/server/base/database/index.ts";
import type { TestServer } from "./server.ts";

/** @param names user names, and chat user names; they are shown as 十人 with the name */
export async function hireColleagues(server: TestServer, names: readonly string[]): Promise<void> {
  // The embedded database belongs to one process.
  await server.kill();
  const { databaseUrl } = server;
  const database = await openDatabase(
    readConfig({
      APP_SECRET: "s".repeat(40),
      DATA_DIR: server.dataDir,
      ...(databaseUrl === "" ? {} : { DATABASE_URL: databaseUrl }),
    }),
  );
  const { pool } = database;
  try {
    await pool.query(
      `INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
       SELECT name, '十人' || name, name, (SELECT password_hash FROM accounts WHERE username = 'lina')
       FROM unnest($1::text[]) name`,
      [names],
    );
    await pool.query(
      `INSERT INTO employees (company_id, account_id, name)
       SELECT e.company_id, a.id, a.nickname FROM accounts a,
         employees e JOIN accounts l ON l.id = e.account_id AND l.username = 'lina'
       WHERE a.username = ANY ($1::text[])`,
      [names],
    );
    await pool.query(
      `INSERT INTO account_roles (account_id, role_id)
       SELECT a.id, r.role_id FROM accounts a, account_roles r JOIN accounts l ON l.id = r.account_id
       WHERE l.username = 'lina' AND a.username = ANY ($1::text[])`,
      [names],
    );
  } finally {
    await database.close();
  }
  await server.start();
}
