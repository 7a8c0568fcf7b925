/** Which things an audit record and its values name by their ids, so that the server can look their names up. Pure. */
import {
  AUDIT_THINGS,
  type AuditFields,
  auditFieldsOf,
  type AuditThing,
  EMPLOYEE_AUDIT_FIELDS,
} from "./audit-fields.ts";

/** What a record is about, when it has a name that can be looked up; the others name themselves by a value, or by nothing. */
const ABOUT: Readonly<Record<string, AuditThing>> = {
  ...Object.fromEntries(AUDIT_THINGS.map((one) => [one, one])),
  "role-menus": "role",
  "role-people": "role",
  "two-factor": "account",
  "import-chunk": "import-job",
};

/** The value of a record that is the name of what it is about, where it is called otherwise than in NAME_KEYS. */
export const AUDIT_NAME_KEYS: Readonly<Record<string, string>> = {
  config: "configName",
  "dict-data": "dictLabel",
  "dict-type": "dictName",
  file: "originalName",
  "import-job": "fileName",
  session: "username",
};
export const NAME_KEYS = ["name", "title", "label"] as const;

export type AuditValues = Readonly<Record<string, unknown>>;

/** An entry of the operation log, as much of it as names and words need. */
export interface AuditEntry {
  readonly entity: string;
  readonly entityId: string;
  readonly before: AuditValues | null;
  readonly after: AuditValues | null;
}

export const isAuditThing = (text: string): text is AuditThing =>
  (AUDIT_THINGS as readonly string[]).includes(text);

/** How a thing is named in `names` of an entry: `department:7`. */
export const auditRef = (which: string, id: string): string => `${which}:${id}`;

/** What the entry is about, as a ref. */
export function auditedThing({
  entity,
  entityId,
}: Pick<AuditEntry, "entity" | "entityId">): string {
  const which = Object.hasOwn(ABOUT, entity) ? ABOUT[entity] : undefined;
  // The id of a part of an import begins with the id of the import, and a slash.
  const [job = ""] = entityId.split("/", 1);
  return auditRef(which ?? entity, which === "import-job" ? job : entityId);
}

const idsIn = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === "string");

/** Pairs of an employee's id and values: what a part of an import changed. */
export function changedEmployees(values: AuditValues | null): (readonly [string, AuditValues])[] {
  const { changed } = values ?? {};
  if (!Array.isArray(changed)) return [];
  return changed.flatMap((pair: unknown) => {
    const [id, of_] = Array.isArray(pair) ? (pair as unknown[]) : [];
    return typeof id === "string" && typeof of_ === "object" && of_ !== null
      ? [[id, of_ as AuditValues] as const]
      : [];
  });
}

/** The things that the entry's values name, as refs, at most this many. */
export function auditRefs(entry: AuditEntry, most: number): readonly string[] {
  const refs = new Set<string>();
  const add = (fields: AuditFields, values: AuditValues): void => {
    for (const [key, value] of Object.entries(values)) {
      const rule = Object.hasOwn(fields, key) ? fields[key]?.rule : undefined;
      if (rule?.type !== "thing") continue;
      for (const id of idsIn(value)) {
        if (refs.size < most) refs.add(auditRef(rule.thing, id));
      }
    }
  };
  const fields = auditFieldsOf(entry.entity);
  for (const values of [entry.before, entry.after]) {
    if (values === null) continue;
    add(fields, values);
    for (const [id, changed] of changedEmployees(values)) {
      if (refs.size < most) refs.add(auditRef("employee", id));
      add(EMPLOYEE_AUDIT_FIELDS, changed);
    }
  }
  return [...refs];
}
