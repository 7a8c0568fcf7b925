/**
 * `npm run seed -- --employees N [--company NAME]` adds many employees to the server's database. Stop the server first when it
 * uses the embedded database.
 */
import { parseArgs } from "node:util";
import { createPasswords } from "./modules/accounts/passwords.ts";
import { readConfig } from "./base/config.ts";
import { openDatabase } from "./base/database/index.ts";
import { demoDataOf, seed } from "./base/database/seed.ts";
import { seedEmployees } from "./base/database/seed-employees.ts";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== "--"),
  options: { employees: { type: "string" }, company: { type: "string" } },
});
const count = Number(values.employees);
if (!Number.isInteger(count) || count < 1 || count > 9_000_000) {
  console.error("用法：npm run seed -- --employees 人数 [--company 企业名称]");
  process.exit(1);
}
const config = readConfig(process.env);
const database = await openDatabase(config);
try {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = config;
  await seed(database.db, {
    demo: demoDataOf(config, database) !== "none",
    administrator: username === undefined || password === undefined ? null : { username, password },
    hash: createPasswords().hash,
  });
  const started = performance.now();
  const added = await seedEmployees(database.pool, {
    count,
    company: values.company,
    progress: (done) => {
      if (done % 20_000 < 2000) console.log(`${done} / ${count}`);
    },
  });
  console.log(
    `已添加 ${added} 名员工，用时 ${((performance.now() - started) / 1000).toFixed(1)} 秒`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await database.close();
}
