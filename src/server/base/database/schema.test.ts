/** The tables in drizzle's terms (schema/, and in modules those that no other uses) describe exactly the tables that the migrations create. */
import { readdirSync, readFileSync } from "node:fs";
import { is, SQL } from "drizzle-orm";
import { getTableConfig, PgDialect, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "./database.harness.ts";
import type { Database } from "./index.ts";

/** A column's type, nullability, default and membership in the primary key, as one comparable line per property. */
interface ColumnFacts {
  readonly type: string;
  readonly notNull: boolean;
  /** `generated` for an id of the database's, an expression such as `now()`, a constant as its text, or null. */
  readonly default: string | null;
  readonly primaryKey: boolean;
}
type Facts = Readonly<Record<string, ColumnFacts>>;

/** Tables that only raw SQL uses. */
const RAW = [
  "alert_channels",
  "alert_deliveries",
  "alert_processes",
  "alert_rules",
  "alert_silences",
  "alerts",
  "conference_homes",
  "employee_counts",
  "employee_search",
  "employee_search_queue",
  "file_uses",
  "list_versions",
  "role_permissions",
  "schema_migrations",
  "server_processes",
];

let database: Database;
let declared: Map<string, Facts>;
let migrated: Map<string, Facts>;
beforeAll(async () => {
  database = await openTestDatabase();
  declared = await declaredTables();
  migrated = await migratedTables();
}, 60_000);
afterAll(() => database.close());

/** The text of a value in the database, so that two spellings of one constant are equal. */
async function textOf(expression: string, values: unknown[] = []): Promise<string> {
  const { rows } = await database.pool.query<{ text: string }>(
    `SELECT (${expression})::text AS text`,
    values,
  );
  return rows[0]?.text ?? "";
}

function declaringFiles(): URL[] {
  return [
    new URL("./schema/", import.meta.url),
    new URL("../../modules/", import.meta.url),
  ].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => new URL(name, folder))
      .filter((file) => readFileSync(file, "utf8").includes(" = pgTable(")),
  );
}

async function declaredTables(): Promise<Map<string, Facts>> {
  const dialect = new PgDialect();
  const found = new Map<string, Facts>();
  for (const file of declaringFiles()) {
    const module = (await import(file.href)) as Record<string, unknown>;
    for (const table of Object.values(module)) {
      if (!is(table, PgTable)) continue;
      const { name, columns, primaryKeys } = getTableConfig(table);
      const keys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
      const facts: Record<string, ColumnFacts> = {};
      for (const column of columns) {
        const type = column.getSQLType();
        const constant: unknown = column.default;
        const expression = is(constant, SQL) ? dialect.sqlToQuery(constant).sql : null;
        const constantText = async (): Promise<string> =>
          textOf(`$1::${type}`, [column.mapToDriverValue(constant)]);
        facts[column.name] = {
          type,
          notNull: column.notNull,
          default: !column.hasDefault
            ? null
            : expression === "default"
              ? "generated"
              : (expression ?? (await constantText())),
          primaryKey: column.primary || keys.includes(column.name),
        };
      }
      expect(found.has(name), `${name} is declared twice`).toBe(false);
      found.set(name, facts);
    }
  }
  return found;
}

async function migratedTables(): Promise<Map<string, Facts>> {
  const { rows } = await database.pool.query<{
    table: string;
    column: string;
    type: string;
    notNull: boolean;
    identity: boolean;
    expression: string | null;
    primaryKey: boolean;
  }>(`
    SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
      a.attnotnull AS "notNull", a.attidentity <> '' AS identity,
      pg_get_expr(d.adbin, d.adrelid) AS expression,
      EXISTS (SELECT FROM pg_index i
        WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS "primaryKey"
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    ORDER BY c.relname, a.attnum`);
  const found = new Map<string, Record<string, ColumnFacts>>();
  for (const { table, column, type, notNull, identity, expression, primaryKey } of rows) {
    const facts = found.get(table) ?? {};
    const generated = identity || expression?.startsWith("nextval(") === true;
    const standard =
      expression === null || generated || expression.endsWith("()")
        ? expression
        : await textOf(expression);
    facts[column] = { type, notNull, default: generated ? "generated" : standard, primaryKey };
    found.set(table, facts);
  }
  return found;
}

it("Schema and migrations have the same tables", () => {
  expect([...declared.keys(), ...RAW].sort()).toEqual([...migrated.keys()].sort());
});

it("Each table has the same columns with the same types, nullability, defaults and primary key", () => {
  const raw = new Set(RAW);
  expect(Object.fromEntries(declared)).toEqual(
    Object.fromEntries([...migrated].filter(([name]) => !raw.has(name))),
  );
});
