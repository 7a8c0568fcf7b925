/** Sets up tests of batch imports over REST: a platform, senders, jobs, and people that no other test uses. */
import { expect } from "vitest";
import { ask, createJob, keyOf, people, type Row, type Sender } from "./chunks.harness.ts";
import { type ImportRefusal, restCalls } from "../../../shared/protocol/rest/index.ts";
import { startTestPlatform } from "../../platform.harness.ts";

export type ImportsWorld = Awaited<ReturnType<typeof startImports>>;

/** A platform whose second company has two fields of its own. Senders are admin of company 1 unless they say otherwise. */
export async function startImports() {
  const host = await startTestPlatform();
  const tokens: Record<string, string> = {};
  for (const name of ["admin", "lina", "guest"]) {
    tokens[name] = (await host.login(name)).access_token;
  }
  await host.platform.database.pool.query(
    `INSERT INTO company_fields (company_id, key, label, type, dict_type, required, sort) VALUES
      (2, 'grade', '等级', 'number', NULL, true, 1), (2, 'school', '学历', 'dict', 'education', false, 2)`,
  );

  const as = (name = "admin", supplierId = "1"): Sender => ({
    platform: host,
    token: tokens[name] ?? "",
    supplierId,
  });
  let serial = 0;
  /** A key that no other test uses. */
  const newKey = (): string => keyOf((serial += 1));
  let used = 0;
  /** People that no other test uses. */
  const fresh = (count: number): Row[] => people(count, (used += 1000) + 10_000);

  const job = async (rows: number, more: Record<string, unknown> = {}, sender = as()) => {
    const made = await createJob(sender, newKey(), rows, more);
    expect(made.text).toContain('"操作成功"');
    return made.data;
  };
  const count = async (where: string, values: unknown[] = []): Promise<number> => {
    const { rows } = await host.platform.database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${where}`,
      values,
    );
    return rows[0]?.n ?? -1;
  };
  const bearing = (rows: readonly Row[]): Promise<number> =>
    count("employees WHERE company_id = 1 AND id_number = ANY($1)", [
      rows.map((row) => row["idNumber"]),
    ]);
  const refusalsOf = async (id: string): Promise<ImportRefusal[]> =>
    (
      await ask<{ records: ImportRefusal[] }>(
        as(),
        restCalls.importRefusals,
        { id },
        undefined,
        "?limit=1000",
      )
    ).data.records;

  /** Closes open jobs, so that a failed test does not use up the company's limit. */
  const closeJobs = () =>
    host.platform.database.pool.query(
      "UPDATE import_jobs SET state = 'cancelled' WHERE state = 'open'",
    );
  return { host, as, newKey, fresh, job, count, bearing, refusalsOf, closeJobs };
}
