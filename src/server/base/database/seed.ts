/** Initial data of an empty database: the demo data or the first administrator. Menus come by migration. */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { ServerConfig } from "../config.ts";
import { addAccount, addCompany, type NewCompany } from "./companies.ts";
import { CHENGNAN, DEMO_PEOPLE, HUAAN, job, type SeedPerson } from "./seed-people.ts";
import { accountRoles, accounts, employees } from "./schema/base.ts";
import { addDemoDictionary } from "./seed-dictionary.ts";
import { addDemoStaff } from "./seed-staff.ts";

export const DEMO_PASSWORD = "Demo@2026";

export const DEMO_ACCOUNTS: readonly { username: string; name: string }[] = DEMO_PEOPLE;

/** What an empty database begins with (docs/server.md#demo-data). */
export const demoDataOf = (
  config: Pick<ServerConfig, "DEMO_DATA">,
  database: { readonly embedded: boolean },
): "none" | "small" | "full" => config.DEMO_DATA ?? (database.embedded ? "small" : "none");

/** The company of the first administrator. */
const PLATFORM = "平台管理";

/**
 * Fills an empty database. A database that has an account is left unchanged. Two servers that start simultaneously fill it
 * once.
 *
 * @param hash makes the stored form of a password
 * @param administrator of a database without demo data; null creates no account
 * @returns what was done
 */
export async function seed(
  db: NodePgDatabase,
  options: {
    readonly demo: boolean;
    readonly administrator: { username: string; password: string } | null;
    readonly hash: (password: string) => Promise<string>;
  },
): Promise<"kept" | "demo" | "administrator" | "nobody"> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE`);
    const [someone] = await tx.select({ id: accounts.id }).from(accounts).limit(1);
    if (someone !== undefined) return "kept";
    const { demo, administrator } = options;
    if (!demo && administrator === null) return "nobody";
    const created = new Map<string, NewCompany>();
    for (const name of demo ? [HUAAN, CHENGNAN] : [PLATFORM]) {
      // the first one runs the platform
      created.set(name, await addCompany(tx, name, created.size === 0));
    }
    if (demo) await addDemoDictionary(tx, created.get(HUAAN)?.id ?? "");
    const people: readonly SeedPerson[] = demo
      ? DEMO_PEOPLE
      : [
          {
            username: administrator?.username ?? "",
            name: "管理员",
            phone: "",
            jobs: [job(PLATFORM, "综合管理部", "管理员", "admin")],
          },
        ];
    const passwordHash = await options.hash(demo ? DEMO_PASSWORD : (administrator?.password ?? ""));
    for (const { username, name, phone, jobs } of people) {
      const accountId = await addAccount(tx, { username, nickname: name, passwordHash });
      for (const { company, department, position, role } of jobs) {
        const employer = created.get(company);
        if (employer === undefined) throw new Error(`${name} works at the unknown ${company}`);
        await tx.insert(employees).values({
          companyId: employer.id,
          accountId,
          name,
          phone: phone === "" ? null : phone,
          department,
          position,
        });
        if (role !== null) {
          await tx.insert(accountRoles).values({ accountId, roleId: employer.roleIds[role] });
        }
      }
    }
    if (demo) await addDemoStaff(tx);
    return demo ? "demo" : "administrator";
  });
}
