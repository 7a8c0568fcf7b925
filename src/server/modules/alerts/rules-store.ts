/** The rules of alerts: the shipped ones with what operators changed of them, and those that they made (docs/server.md#alerts). */
import { isDeepStrictEqual } from "node:util";
import { type SQL, sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { z } from "zod";
import { type AlertRule, SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import { AppError } from "../../../shared/errors.ts";
import { alertSettingCalls } from "../../../shared/protocol/rest/alert-settings.ts";
import { staleError } from "../../../shared/protocol/rest/conflict.ts";
import { auditCompany, type Change } from "../../base/audit/index.ts";
import { changes } from "../../base/database/common.ts";
import type { Actor } from "../../base/database/tenant.ts";
import { checkRule, plainRule } from "./rule-checks.ts";

const fieldsSchema = alertSettingCalls.alertRuleCreate.body;
export type RuleFields = z.output<typeof fieldsSchema>;
type RuleUpdate = z.output<typeof alertSettingCalls.alertRuleUpdate.body>;

export interface StoredRule extends AlertRule {
  readonly shipped: boolean;
  readonly changed: boolean;
  readonly version: number;
}
interface Row {
  readonly id: string;
  readonly settings: unknown;
  readonly version: number;
}
/** Who changes a rule, and the platform's company, whose operation log records it. */
export interface RuleWriter {
  readonly company: string;
  readonly actor: NonNullable<Actor>;
}
type Tx = Pick<NodePgDatabase, "execute" | "insert">;

const ENTITY = "alert-rule";
const shippedOf = (id: string): AlertRule | undefined => SHIPPED_RULES.find((one) => one.id === id);
function fieldsOf(rule: AlertRule): RuleFields {
  const { id: _, ...fields } = rule;
  return fields;
}

/** @returns null for settings that this build cannot read */
function ruleOf(id: string, row: Row | undefined): StoredRule | null {
  const version = row?.version ?? 1;
  const shipped = shippedOf(id);
  if (shipped !== undefined) {
    const read = fieldsSchema.partial().safeParse(row?.settings ?? {});
    const { kind: _k, metric: _m, reach: _r, name: _n, ...given } = read.data ?? {};
    const set = Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined));
    const rule = { ...shipped, ...set };
    return { ...rule, shipped: true, changed: !isDeepStrictEqual(rule, shipped), version };
  }
  const read = fieldsSchema.safeParse(row?.settings);
  return read.success ? { id, ...read.data, shipped: false, changed: false, version } : null;
}

/** The settings of a shipped rule that differ from the shipped ones. */
function differing(id: string, fields: RuleFields): Partial<RuleFields> {
  const shipped = shippedOf(id);
  return shipped === undefined ? fields : (changes(fieldsOf(shipped), fields)?.after ?? {});
}

const spoken = ({ id, name, on, level, metric, value }: AlertRule): Record<string, unknown> => ({
  name: name === "" ? id : name,
  on,
  level,
  metric,
  value,
});

export function createRulesStore(db: NodePgDatabase) {
  const rowsOf = async (tx: Pick<NodePgDatabase, "execute">, query: SQL): Promise<Row[]> =>
    (await tx.execute(query)).rows as never;

  /** Locks the rule. @throws AppError request.not-found */
  async function locked(tx: Tx, id: string): Promise<StoredRule> {
    if (shippedOf(id) !== undefined) {
      await tx.execute(
        sql`INSERT INTO alert_rules (id, shipped) VALUES (${id}, true) ON CONFLICT DO NOTHING`,
      );
    }
    const [row] = await rowsOf(
      tx,
      sql`SELECT id, settings, version FROM alert_rules WHERE id = ${id} FOR UPDATE`,
    );
    const rule = row === undefined ? null : ruleOf(id, row);
    if (rule === null) throw new AppError("request.not-found");
    return rule;
  }
  const record = (tx: Tx, { company, actor }: RuleWriter, change: Omit<Change, "entity">) =>
    auditCompany(tx, company, actor, { ...change, entity: ENTITY });
  async function write(
    tx: Tx,
    was: StoredRule,
    fields: RuleFields,
    writer: RuleWriter,
  ): Promise<StoredRule> {
    const { id } = was;
    const [row] = await rowsOf(
      tx,
      sql`UPDATE alert_rules SET settings = ${JSON.stringify(differing(id, fields))}::jsonb, version = version + 1
        WHERE id = ${id} RETURNING id, settings, version`,
    );
    const rule = row === undefined ? null : ruleOf(id, row);
    if (rule === null) throw new AppError("request.not-found");
    const change = changes(spoken(was), spoken(rule)) ?? {};
    await record(tx, writer, { action: "update", entityId: id, ...change });
    return rule;
  }

  return {
    /** The shipped ones first. */
    async all(): Promise<StoredRule[]> {
      const rows = await rowsOf(
        db,
        sql`SELECT id, settings, version FROM alert_rules ORDER BY created_at, id`,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      const own = rows.filter(({ id }) => shippedOf(id) === undefined);
      return [...SHIPPED_RULES, ...own].flatMap(({ id }) => ruleOf(id, byId.get(id)) ?? []);
    },
    create: (fields: RuleFields, writer: RuleWriter): Promise<StoredRule> =>
      db.transaction(async (tx) => {
        const { rows } = await tx.execute<{ id: string }>(
          sql`SELECT nextval('alert_rule_ids')::text AS id`,
        );
        const id = rows[0]?.id ?? "";
        if (fields.name === "") {
          throw new AppError("request.invalid", { details: { fields: { name: "必填" } } });
        }
        const rule = plainRule({ id, ...fields });
        checkRule(rule);
        await tx.execute(sql`INSERT INTO alert_rules (id, settings, shipped)
          VALUES (${id}, ${JSON.stringify(fieldsOf(rule))}::jsonb, false)`);
        await record(tx, writer, { action: "create", entityId: id, after: spoken(rule) });
        return { ...rule, shipped: false, changed: false, version: 1 };
      }),
    update: ({ id, version, ...given }: RuleUpdate, writer: RuleWriter): Promise<StoredRule> =>
      db.transaction(async (tx) => {
        const was = await locked(tx, id);
        if (was.version !== version) throw staleError(was, given);
        const { shipped, changed: _c, version: _v, ...rule } = was;
        const change = changes<RuleFields>(fieldsOf(rule), given);
        if (change === null) return was;
        const fixed = shipped ? (["kind", "metric", "reach", "name"] as const) : [];
        const fields = Object.fromEntries(
          fixed
            .filter((name) => name in change.after)
            .map((name) => [name, "内置规则不能修改此项"]),
        );
        if (!shipped && change.after.name === "") fields["name"] = "必填";
        if (Object.keys(fields).length > 0) {
          throw new AppError("request.invalid", { details: { fields } });
        }
        const next = plainRule({ ...rule, ...change.after });
        checkRule(next);
        return write(tx, was, fieldsOf(next), writer);
      }),
    reset: (id: string, writer: RuleWriter): Promise<StoredRule> =>
      db.transaction(async (tx) => {
        const shipped = shippedOf(id);
        if (shipped === undefined) throw new AppError("request.not-found");
        const was = await locked(tx, id);
        return was.changed ? write(tx, was, fieldsOf(shipped), writer) : was;
      }),
    remove: (id: string, writer: RuleWriter): Promise<void> =>
      db.transaction(async (tx) => {
        const was = await locked(tx, id);
        if (was.shipped) {
          throw new AppError("request.conflict", { message: "内置规则不能删除，可以停用" });
        }
        await tx.execute(sql`DELETE FROM alert_rules WHERE id = ${id}`);
        await record(tx, writer, { action: "delete", entityId: id, before: spoken(was) });
      }),
  };
}
export type RulesStore = ReturnType<typeof createRulesStore>;
