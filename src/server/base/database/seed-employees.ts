/** Generates many employees for demos and benchmarks: common names and valid id card numbers, identical for the same seed. */
import type { Pool } from "pg";
import { idNumberCheckSign } from "../../../shared/domain/validate.ts";

const SURNAMES = [
  ..."王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤",
  "欧阳",
  "司马",
  "上官",
  "诸葛",
];
const GIVEN = [
  ..."伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华建国文斌辉鹏飞志宇浩然子轩梓涵欣怡雨佳晨曦思远嘉诺博凯瑞雪梅玲燕红波鑫帆俊峰海龙云天成林永生春晓东亮",
];
const DEPARTMENTS: readonly (readonly [string, readonly string[]])[] = [
  ["安全管理部", ["安全员", "安全主管", "巡检员"]],
  ["消防维保部", ["维保工程师", "维保技工", "值班员"]],
  ["工程部", ["电工", "焊工", "项目经理", "施工员"]],
  ["客户服务部", ["客服专员", "客服主管"]],
  ["综合管理部", ["行政专员", "人事专员"]],
  ["信息技术部", ["运维工程师", "开发工程师"]],
  ["物业服务部", ["保安", "保洁", "楼宇管家"]],
  ["财务部", ["会计", "出纳"]],
  ["燃气服务部", ["燃气巡检员", "抄表员"]],
  ["排水管网部", ["管网巡查员", "泵站值守员"]],
];
const AREAS = [
  "340104",
  "340103",
  "340111",
  "110105",
  "310104",
  "320105",
  "330106",
  "420106",
  "510107",
];
const CHUNK = 2000;
const DAY = 86_400_000;

export interface SeededEmployee {
  readonly name: string;
  readonly employeeNo: string;
  readonly gender: "1" | "2";
  readonly idNumber: string;
  readonly birthday: string;
  readonly phone: string;
  readonly department: string;
  readonly position: string;
  readonly hireDate: string;
  readonly status: "on" | "probation";
}

/** mulberry32, a seeded pseudo-random generator. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** @param first index of the first employee; unique values derive from it */
export function* inventEmployees(count: number, first = 0): Generator<SeededEmployee> {
  const below = numbers(first + 1);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[below(list.length)];
    if (one === undefined) throw new Error("an empty list");
    return one;
  };
  const dayAfter = (start: number, days: number): string =>
    new Date(start + below(days) * DAY).toISOString().slice(0, 10);
  for (let n = first; n < first + count; n += 1) {
    const [department, positions] = pick(DEPARTMENTS);
    const birthday = dayAfter(Date.UTC(1964, 0, 1), 15_000);
    const gender = below(2) === 0 ? "1" : "2";
    // Area, birthday and serial number together are unique, because area and serial encode n.
    const serial = String(Math.floor(n / AREAS.length) % 500).padStart(3, "0");
    const sequence = `${serial.slice(1)}${(Number(serial[0]) * 2 + (gender === "1" ? 1 : 0)) % 10}`;
    const head = `${AREAS[n % AREAS.length]}${birthday.replaceAll("-", "")}${sequence}`;
    yield {
      name: pick(SURNAMES) + pick(GIVEN) + (below(5) === 0 ? "" : pick(GIVEN)),
      employeeNo: `S${String(n).padStart(7, "0")}`,
      gender,
      idNumber: head + idNumberCheckSign(head),
      birthday,
      // A range that no operator assigns.
      phone: `1990${String(1_000_000 + (n % 9_000_000)).padStart(7, "0")}`,
      department,
      position: pick(positions),
      hireDate: dayAfter(Date.UTC(2012, 0, 1), 4600),
      status: below(20) === 0 ? "probation" : "on",
    };
  }
}

/**
 * Adds employees to a company in chunks, each in one statement. A generated person whose unique values are taken is replaced by
 * the next one.
 *
 * @param options.company name of the company; the first company by default
 * @returns the number of added employees, which equals `count`
 * @throws Error when the company does not exist
 */
export async function seedEmployees(
  pool: Pool,
  options: {
    readonly count: number;
    readonly company?: string | undefined;
    readonly progress?: (done: number) => void;
  },
): Promise<number> {
  const { count, company, progress } = options;
  const found = await pool.query<{ id: string }>(
    "SELECT id FROM companies WHERE $1::text IS NULL OR name = $1 ORDER BY id LIMIT 1",
    [company ?? null],
  );
  const companyId = found.rows[0]?.id;
  if (companyId === undefined)
    throw new Error(company === undefined ? "没有企业" : `没有企业“${company}”`);
  const last = await pool.query<{ n: number | null }>(
    "SELECT max(substr(employee_no, 2)::int) AS n FROM employees WHERE company_id = $1 AND employee_no ~ '^S[0-9]{7}$'",
    [companyId],
  );
  const first = (last.rows[0]?.n ?? -1) + 1;
  let added = 0;
  let chunk: SeededEmployee[] = [];
  const write = async (): Promise<void> => {
    const result = await pool.query(
      `INSERT INTO employees (company_id, name, employee_no, gender, id_number, birthday, phone, department,
         "position", hire_date, status)
       SELECT $1, r.name, r."employeeNo", r.gender, r."idNumber", r.birthday, r.phone, r.department, r."position",
         r."hireDate", r.status
       FROM jsonb_to_recordset($2::jsonb) AS r (name text, "employeeNo" text, gender text, "idNumber" text,
         birthday date, phone text, department text, "position" text, "hireDate" date, status text)
       ON CONFLICT DO NOTHING`,
      [companyId, JSON.stringify(chunk)],
    );
    added += result.rowCount ?? 0;
    chunk = [];
    progress?.(added);
  };
  for (const one of inventEmployees(Infinity, first)) {
    chunk.push(one);
    if (chunk.length < Math.min(CHUNK, count - added)) continue;
    await write();
    if (added >= count) break;
  }
  for (;;) {
    const step = await pool.query<{ taken: number }>("SELECT index_queued_employees() AS taken");
    if (step.rows[0]?.taken === 0) break;
  }
  // Without fresh statistics the planner guesses wrong, and counts scan every row.
  await pool.query("VACUUM ANALYZE employees");
  return added;
}
