/** A server whose first company has more colleagues with accounts than the demo data: `person0` (人0) and so on, with the demo password. */
import { readConfig } from "../../src/server/base/config.ts";
import { openDatabase } from "../../src/server/base/database/index.ts";
import { startServer, type TestServer } from "./server.ts";

/** @param count of people, at most ten, so that no name begins another */
export async function startWithColleagues(count: number): Promise<TestServer> {
  const server = await startServer({ TEST_SERVER: "colleagues" });
  try {
    await server.kill();
    const database = await openDatabase(readConfig({ DATA_DIR: server.dataDir }));
    await database.pool
      .query(
        `WITH made AS (
           INSERT INTO accounts (username, nickname, chat_user_name, password_hash)
           SELECT 'person' || i, '人' || i, 'person' || i,
             (SELECT password_hash FROM accounts WHERE username = 'lina')
           FROM generate_series(0, $1::int - 1) i RETURNING id, nickname),
         hired AS (
           INSERT INTO employees (company_id, account_id, name) SELECT 1, id, nickname FROM made)
         INSERT INTO account_roles (account_id, role_id)
         SELECT made.id, roles.id FROM made, roles WHERE roles.company_id = 1 AND roles.code = 'staff'`,
        [count],
      )
      .finally(() => database.close());
    await server.start();
    return server;
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
