/** A platform in which two people may change the same records of one company. */
import { startTestPlatform } from "../../src/server/platform.harness.ts";
import type { RestCall } from "../../src/shared/protocol/rest/index.ts";

type Host = Awaited<ReturnType<typeof startTestPlatform>>;
export interface TwoAdmins {
  /** @param person 0 or 1 */
  ask(call: RestCall, person: number, json: object): ReturnType<Host["ask"]>;
  close(): Promise<void>;
}

/** 管理员, and 李娜 with the same role. */
export async function startTwoAdmins(): Promise<TwoAdmins> {
  const host = await startTestPlatform();
  const admin = (await host.login("admin")).access_token;
  const { pool } = host.platform.database;
  await pool.query(`INSERT INTO account_roles (account_id, role_id)
    SELECT a.id, r.id FROM accounts a, roles r WHERE a.username = 'lina' AND r.code = 'admin' AND r.company_id = 1`);
  const tokens = [admin, (await host.login("lina")).access_token];
  return {
    ask: (call, person, json) =>
      host.ask(call.method, call.path, { token: tokens[person] ?? "", supplierId: "1", json }),
    close: async () => {
      await host.close();
    },
  };
}
