/**
 * Demo data: dictionaries and settings of one company. The platform's own are created by 0006_dictionary.sql in every database.
 */
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { dictData, dictTypes } from "./schema/dictionary.ts";

const TYPES: readonly {
  readonly dictType: string;
  /** Null: the type belongs to the platform. */
  readonly dictName: string | null;
  readonly entries: readonly (readonly [value: string, label: string, listClass: string])[];
}[] = [
  {
    dictType: "safety_post",
    dictName: "安全岗位",
    entries: [
      ["patrol", "巡逻岗", "primary"],
      ["gate", "门岗", "default"],
      ["control_room", "消控室值班", "warning"],
      ["maintenance", "设备维保", "success"],
    ],
  },
  {
    dictType: "hazard_level",
    dictName: "隐患等级",
    entries: [
      ["general", "一般隐患", "warning"],
      ["major", "重大隐患", "danger"],
    ],
  },
  // Overrides the platform's entry with the same value.
  { dictType: "employment_type", dictName: null, entries: [["labor", "外包", "warning"]] },
];

const CONFIGS = [
  {
    configKey: "company.duty.phone",
    configName: "值班电话",
    configValue: "0551-00000000",
    remark: "演示数据",
  },
  {
    configKey: "sys.index.sideTheme",
    configName: "侧边栏主题",
    configValue: "theme-light",
    remark: "在平台默认之前",
  },
];

export async function addDemoDictionary(
  tx: Pick<NodePgDatabase, "insert" | "execute">,
  companyId: string,
): Promise<void> {
  for (const { dictType, dictName, entries } of TYPES) {
    if (dictName !== null) await tx.insert(dictTypes).values({ companyId, dictType, dictName });
    const rows = entries.map(([dictValue, dictLabel, listClass], i) => ({
      companyId,
      dictType,
      dictValue,
      dictLabel,
      listClass,
      dictSort: i + 1,
    }));
    await tx.insert(dictData).values(rows);
  }
  // The table's declaration belongs to the module of the settings.
  for (const { configKey, configName, configValue, remark } of CONFIGS) {
    await tx.execute(sql`INSERT INTO configs (company_id, config_key, config_name, config_value, remark)
      VALUES (${companyId}, ${configKey}, ${configName}, ${configValue}, ${remark})`);
  }
}
