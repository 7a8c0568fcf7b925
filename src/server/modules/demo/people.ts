/** The demo's departments in three levels, and its employees. */
import type { Transaction } from "../../base/database/companies.ts";
import { inventEmployees } from "../../base/database/seed-employees.ts";
import { employees } from "../../base/database/schema/base.ts";
import { departments } from "../../base/database/schema/employees.ts";

const EMPLOYEES = 295;
/** Of these so many have left. */
const GONE = 12;
const DAY = 86_400_000;

/** Centre, departments below it, and teams with their positions. */
const TREE: readonly (readonly [
  string,
  readonly string[],
  readonly (readonly [string, string])[],
])[] = [
  [
    "物业运营中心",
    ["东区项目部", "西区项目部", "南区项目部", "北区项目部"],
    [
      ["秩序维护队", "保安员"],
      ["保洁队", "保洁员"],
      ["客服组", "楼宇管家"],
    ],
  ],
  [
    "技术保障中心",
    ["消防维保部", "机电维修部"],
    [
      ["维保一组", "维保工程师"],
      ["维保二组", "维保技工"],
      ["值班组", "值班员"],
    ],
  ],
  [
    "安全监督中心",
    ["隐患排查部", "应急管理部"],
    [
      ["巡检一组", "巡检员"],
      ["巡检二组", "巡检员"],
    ],
  ],
];

/** @returns ids of the rows that were made */
export async function addDemoPeople(
  tx: Transaction,
  companyId: string,
  now: number,
): Promise<{ employees: string[]; departments: string[] }> {
  const made: string[] = [];
  const add = async (name: string, parentId: string | null, sort: number): Promise<string> => {
    const [row] = await tx
      .insert(departments)
      .values({ companyId, name, parentId, sort })
      .returning({ id: departments.id });
    if (row === undefined) throw new Error("an insert returned no row");
    made.push(row.id);
    return row.id;
  };
  const teams: { id: string; name: string; position: string }[] = [];
  for (const [c, [centre, parts, groups]] of TREE.entries()) {
    const top = await add(centre, null, 100 + c);
    for (const [p, part] of parts.entries()) {
      const middle = await add(part, top, p);
      for (const [g, [group, position]] of groups.entries()) {
        const name = `${part.replace(/(项目)?部$/, "")}${group}`;
        teams.push({ id: await add(name, middle, g), name, position });
      }
    }
  }
  const people = [...inventEmployees(EMPLOYEES)].map((person, n) => {
    // Teams differ in size, so the figures of departments do too.
    const team = teams[(n * n + 3 * n) % teams.length];
    const joined = n % 9 === 0 ? now - (n % 14) * DAY : now - (20 + ((n * 37) % 900)) * DAY;
    const gone = n % Math.floor(EMPLOYEES / GONE) === 7 && n % 9 !== 0;
    return {
      companyId,
      name: person.name,
      employeeNo: person.employeeNo,
      gender: person.gender,
      idNumber: person.idNumber,
      birthday: person.birthday,
      phone: person.phone,
      department: team?.name ?? null,
      departmentId: team?.id ?? null,
      position: team?.position ?? null,
      hireDate: new Date(joined).toISOString().slice(0, 10),
      status: person.status,
      createdAt: new Date(joined),
      dimissionAt: gone ? new Date(now - ((n % 10) + 1) * DAY) : null,
      dimissionReason: gone ? "合同到期" : null,
      remark: "演示数据",
    };
  });
  const rows = await tx.insert(employees).values(people).returning({ id: employees.id });
  return { employees: rows.map(({ id }) => id), departments: made };
}
