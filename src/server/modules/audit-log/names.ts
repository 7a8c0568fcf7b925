/** The names of the things that audit records name by their ids (docs/server.md#operation-log), also of those that are gone. */
import { type SQL, sql } from "drizzle-orm";
import type { AuditThing } from "../../../shared/domain/audit-fields.ts";
import {
  AUDIT_NAME_KEYS,
  type AuditEntry,
  auditedThing,
  auditRef,
  auditRefs,
  isAuditThing,
  NAME_KEYS,
} from "../../../shared/domain/audit-refs.ts";
import type { AuditName } from "../../../shared/protocol/rest/monitor.ts";
import { anywhere } from "../../base/database/common.ts";
import { isId } from "../../base/database/ids.ts";
import type { CompanyScope } from "../../base/database/tenant.ts";

/** Most things of one record whose names are looked up. A part of an import names hundreds of employees. */
const MOST_OF_A_RECORD = 100;

interface Source {
  readonly from: SQL;
  readonly id: SQL;
  readonly name: SQL;
}
const source = (from: SQL, name: SQL, id: SQL = sql`t.id`): Source => ({ from, id, name });

/** Of a menu entry whose name is still the Chinese title (shared/domain/menus.ts). */
const ENGLISH_TITLE = sql`CASE WHEN t.element_properties->'titles'->>'zh' = t.name
  THEN t.element_properties->'titles'->>'en' END`;

/** Where the names are, restricted to what the company may know. */
const SOURCES: Readonly<Record<AuditThing, (company: SQL) => Source>> = {
  // Who is no employee any more has the name of the account.
  account: (company) =>
    source(
      sql`accounts t LEFT JOIN employees e ON e.account_id = t.id AND e.company_id = ${company}
        AND e.dimission_at IS NULL WHERE true`,
      sql`coalesce(e.name, nullif(t.nickname, ''), t.username)`,
    ),
  bulletin: (company) => source(sql`bulletins t WHERE t.company_id = ${company}`, sql`t.title`),
  config: (company) =>
    source(
      sql`configs t WHERE (t.company_id IS NULL OR t.company_id = ${company})`,
      sql`t.config_name`,
    ),
  department: (company) => source(sql`departments t WHERE t.company_id = ${company}`, sql`t.name`),
  "dict-data": (company) =>
    source(
      sql`dict_data t WHERE (t.company_id IS NULL OR t.company_id = ${company})`,
      sql`t.dict_label`,
    ),
  "dict-type": (company) =>
    source(
      sql`dict_types t WHERE (t.company_id IS NULL OR t.company_id = ${company})`,
      sql`t.dict_name`,
    ),
  employee: (company) => source(sql`employees t WHERE t.company_id = ${company}`, sql`t.name`),
  "import-job": (company) =>
    source(sql`import_jobs t WHERE t.company_id = ${company}`, sql`t.file_name`),
  "membership-apply": (company) =>
    source(sql`membership_applies t WHERE t.company_id = ${company}`, sql`t.name`),
  menu: () =>
    source(sql`menus t WHERE true`, sql`t.name || coalesce(E'\n' || ${ENGLISH_TITLE}, '')`),
  "own-field": (company) =>
    source(sql`company_fields t WHERE t.company_id = ${company}`, sql`t.label`),
  role: (company) => source(sql`roles t WHERE t.company_id = ${company}`, sql`t.name`),
};

/** Where a record `r` holds the name of its thing, `k` being the row of its entity below. */
const NAMES_IN_RECORD = sql.join(
  ["after", "before"].flatMap((side) => [
    sql.raw(`r.${side}->>k.key`),
    ...NAME_KEYS.map((key) => sql.raw(`r.${side}->>'${key}'`)),
  ]),
  sql`, `,
);
const RECORDS = sql`audit_records r LEFT JOIN (VALUES ${sql.join(
  Object.entries(AUDIT_NAME_KEYS).map(([entity, key]) => sql`(${entity}::text, ${key}::text)`),
  sql`, `,
)}) AS k (entity, key) ON k.entity = r.entity`;

const companyOf = ({ companyId }: CompanyScope): SQL => sql`${companyId}::bigint`;

async function currentNames(
  scope: CompanyScope,
  which: AuditThing,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { from, id, name } = SOURCES[which](companyOf(scope));
  return scope.sql<{ id: string; name: string }>(
    sql`SELECT ${id}::text AS id, ${name} AS name FROM ${from} AND ${id} = ANY(${sql.param(ids)}::bigint[])`,
  );
}

/** The last names that records have of things that are gone, or that have no table of names. */
const formerNames = (scope: CompanyScope, entity: string, ids: readonly string[]) =>
  scope.sql<{ id: string; name: string }>(sql`
    SELECT DISTINCT ON (r.entity_id) r.entity_id AS id, coalesce(${NAMES_IN_RECORD}) AS name FROM ${RECORDS}
    WHERE r.company_id = ${companyOf(scope)} AND r.entity = ${entity} AND r.entity_id = ANY(${sql.param(ids)}::text[])
      AND coalesce(${NAMES_IN_RECORD}) IS NOT NULL
    ORDER BY r.entity_id, r.id DESC`);

const pairOf = (name: string): AuditName => {
  const [zh = "", en] = name.split("\n");
  return en === undefined ? zh : { zh, en };
};

/** @returns for each record the names of the things that it mentions, by ref. A thing whose name is not recorded is left out. */
export async function namesOf(
  scope: CompanyScope,
  records: readonly AuditEntry[],
): Promise<readonly Readonly<Record<string, AuditName>>[]> {
  const wanted = records.map((record) => [
    auditedThing(record),
    ...auditRefs(record, MOST_OF_A_RECORD),
  ]);
  const ids = new Map<string, Set<string>>();
  for (const ref of wanted.flat()) {
    const [entity = ""] = ref.split(":", 1);
    const known = ids.get(entity) ?? new Set();
    ids.set(entity, known.add(ref.slice(entity.length + 1)));
  }
  const names = new Map<string, AuditName>();
  for (const [entity, all] of ids) {
    const known = isAuditThing(entity) ? [...all].filter(isId) : [];
    if (isAuditThing(entity) && known.length > 0) {
      for (const { id, name } of await currentNames(scope, entity, known)) {
        names.set(auditRef(entity, id), entity === "menu" ? pairOf(name) : name);
      }
    }
    const gone = [...all].filter((id) => !names.has(auditRef(entity, id)));
    if (gone.length === 0) continue;
    for (const { id, name } of await formerNames(scope, entity, gone)) {
      names.set(auditRef(entity, id), name);
    }
  }
  return wanted.map((refs) =>
    Object.fromEntries(
      refs.flatMap((ref) => {
        const name = names.get(ref);
        return name === undefined ? [] : [[ref, name]];
      }),
    ),
  );
}

/** Entities whose records are about a thing that another entity names. */
const ALSO: Readonly<Partial<Record<AuditThing, readonly string[]>>> = {
  account: ["account", "two-factor"],
  role: ["role", "role-menus", "role-people"],
};

/** The condition that a record `r` is about something that has the name now, or had it in one of its records. */
export function isNamed(scope: CompanyScope, keyword: string): SQL {
  const company = companyOf(scope);
  const like = anywhere(keyword);
  const now = (Object.keys(SOURCES) as AuditThing[])
    .filter((which) => which !== "menu")
    .flatMap((which) =>
      (ALSO[which] ?? [which]).map((entity) => {
        const { from, id, name } = SOURCES[which](company);
        return sql`SELECT ${entity}::text AS entity, ${id}::text AS id FROM ${from} AND ${name} ILIKE ${like}`;
      }),
    );
  // A part of an import has the values of hundreds of employees, and no name.
  const before = sql`SELECT r.entity, r.entity_id FROM ${RECORDS}
    WHERE r.company_id = ${company} AND r.entity <> 'import-chunk' AND concat_ws(E'\n', ${NAMES_IN_RECORD}) ILIKE ${like}`;
  // The id of a part begins with the id of its import, and a slash.
  return sql`(CASE r.entity WHEN 'import-chunk' THEN 'import-job' ELSE r.entity END,
      CASE r.entity WHEN 'import-chunk' THEN split_part(r.entity_id, '/', 1) ELSE r.entity_id END)
    IN (${sql.join([...now, before], sql` UNION ALL `)})`;
}
