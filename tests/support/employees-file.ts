/** Files of invented employees, identical for the same seed. */
import { idNumberCheckSign } from "../../src/shared/domain/validate.ts";

const HEAD = ["姓名", "工号", "身份证号", "联系电话", "部门", "岗位", "入职日期", "备注"];
const SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨";
const GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰涛明超秀霞平刚";
// Departments of the demo company.
const DEPARTMENTS = ["安全管理部", "综合管理部", "客户服务部", "信息技术部"];
const POSITIONS = ["安全员", "工程师", "保安", "客服专员"];

const pad = (value: number, length: number): string => String(value).padStart(length, "0");

/** One row. Its numbers are unique over all rows of all seeds, up to a million rows each. */
export function employeeRow(seed: number, i: number): string[] {
  const year = 1960 + (i % 40);
  const day = `${year}${pad(1 + (i % 12), 2)}${pad(1 + (i % 28), 2)}`;
  // 840 different birthdays, 1000 serial numbers per birthday, then the next district.
  const order = Math.floor(i / 840) % 1000;
  const head = `${pad(110_101 + seed * 50 + Math.floor(i / 840_000), 6)}${day}${pad(order, 3)}`;
  return [
    `${SURNAMES[i % SURNAMES.length] ?? ""}${GIVEN[i % GIVEN.length] ?? ""}${GIVEN[(i * 7 + 3) % GIVEN.length] ?? ""}`,
    `T${seed}${pad(i, 7)}`,
    `${head}${idNumberCheckSign(head)}`,
    `139${pad((seed * 1_000_000 + i) % 100_000_000, 8)}`,
    DEPARTMENTS[i % DEPARTMENTS.length] ?? "",
    POSITIONS[i % POSITIONS.length] ?? "",
    `20${pad(i % 25, 2)}-${pad(1 + (i % 12), 2)}-${pad(1 + (i % 28), 2)}`,
    "",
  ];
}

export function employeesCsv({ rows, seed }: { rows: number; seed: number }): string {
  const lines = [HEAD.join(",")];
  for (let i = 0; i < rows; i += 1) lines.push(employeeRow(seed, i).join(","));
  return lines.join("\r\n");
}
