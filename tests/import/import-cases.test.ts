/**
 * Files of the kinds that staff bring, from the file to the rows that are sent: what is certain is normalised and noted at the cell
 * (docs/import.md#one-writing).
 */
import { describe, expect, it } from "vitest";
import { column, csv, file } from "./checked-file.ts";

describe("Radicals", () => {
  it("Headers, departments and names with radicals are read as ideographs, and noted", async () => {
    const { headers, mapping, warnings, found, messages, sent } = await file("c04-kangxi.xlsx");
    expect(headers).toEqual(["姓名", "工号", "手机号", "部门"]);
    expect(mapping).toEqual(["name", "employeeNo", "phone", "department"]);
    expect(warnings.filter((one) => one.includes("部首"))).toHaveLength(1);
    expect(found).toEqual(["2 name tidied", "2 department tidied", "4 name tidied"]);
    expect(messages[0]).toContain("U+2F45 已改为“方”");
    const rows = await sent();
    expect(column(rows, "name")).toEqual(["方芳", "方芳", "高山"]);
    expect(column(rows, "departmentId")).toEqual(["3", "3", "2"]);
  });

  it("A choice with a radical is found, and one that is none names the sign", async () => {
    const { found, messages, sent } = await csv(
      "姓名,工号,性别,证件类型",
      "甲一,R1,⼥,保安员证",
      "甲二,R2,⼥⼠,保安员证",
      "甲三,R3,男,保安 员证",
    );
    expect(found).toEqual(["2 gender tidied", "3 gender !dict", "4 certificateType tidied"]);
    expect(messages[1]).toContain("U+2F25 已改为“女”");
    expect(column(await sent(), "gender")).toEqual(["2", "1"]);
  });

  it("Two people whose names differ by a radical alone are nearly the same", async () => {
    const { checked } = await csv("姓名,岗位", "⽅芳,保安", "方芳,保安");
    expect(checked.copies.count).toBe(1);
  });

  it("Positions and remarks of a PDF become searchable", async () => {
    const { sent } = await csv("姓名,工号,岗位,备注", "甲一,P1,⼯程师,⻓期");
    expect(await sent()).toEqual([
      { name: "甲一", employeeNo: "P1", position: "工程师", remark: "长期" },
    ]);
  });
});

describe("Names", () => {
  it("The dot of a name has one writing, and the nine are one person", async () => {
    const { found, messages, sent } = await file("c05-dots.xlsx");
    expect(new Set(column(await sent(), "name"))).toEqual(new Set(["阿卜来提·如则"]));
    expect(found).toHaveLength(8);
    expect(messages.join()).toMatch(/U\+2022.*U\+30FB.*U\+2219.*U\+FF0E/);
    const { checked } = await csv("姓名,岗位", "阿卜来提·如则,保安", "阿卜来提•如则,保安");
    expect(checked.copies.count).toBe(1);
  });

  it("Blanks between Chinese characters go, marks and brackets are warned of", async () => {
    const { found, checked, rows, sent } = await file("o05-spaces.xlsx");
    expect(found).toEqual([
      "2 name tidied",
      "3 name tidied",
      "4 name tidied",
      "5 name tidied",
      "9 name !sign",
      "10 name marks",
      "11 name marks",
    ]);
    expect(checked).toMatchObject({ bad: 1, warned: 6 });
    expect(rows[7]?.issues[0]?.suggestion).toBe("孙八");
    expect(column(await sent(), "name")).toEqual([
      ..."张三 李四 王五 赵六 张三".split(" "),
      "John Smith",
      "钱七",
      "周九(离职)",
      "吴十*",
    ]);
  });

  it("The emergency contact is a name too", async () => {
    const { found, sent } = await csv(
      "姓名,工号,紧急联系人",
      "甲一,N1,王 五",
      "甲二,N2,李四（妻）",
      "甲三,N3,Anna Li",
    );
    expect(found).toEqual(["2 emergencyContact tidied", "3 emergencyContact marks"]);
    expect(column(await sent(), "emergencyContact")).toEqual(["王五", "李四（妻）", "Anna Li"]);
  });
});

describe("Departments", () => {
  it("Paths, blanks and the company's name are understood; what is missing is listed with its rows", async () => {
    const { found, checked, messages, sent } = await file("o04-deptpath.xlsx");
    expect(found).toEqual([
      "2 department !department",
      "4 department !department",
      "5 department !department",
      "7 department tidied",
    ]);
    expect(messages[0]).toBe("部门“信息技术部”下没有“一组”");
    expect(checked.missing).toEqual([
      {
        path: "信息技术部/一组",
        parentId: "1",
        names: ["一组"],
        rows: 2,
        meant: null,
      },
      { path: "信息部", parentId: null, names: ["信息部"], rows: 1, meant: null },
    ]);
    expect(column(await sent(), "departmentId")).toEqual(["1", "1", "1"]);
  });

  it("Separators of all kinds, and a department that exists below another", async () => {
    const { found, checked, sent } = await csv(
      "姓名,工号,部门",
      "甲一,D1,安全管理部>巡逻队",
      "甲二,D2,华安物业服务有限公司-安全管理部-巡逻队",
      "甲三,D3,巡逻队",
      "甲四,D4,安全管理部＼巡逻队",
      "甲五,D5,研发中心/测试 组",
    );
    expect(found).toEqual(["6 department !department"]);
    expect(checked.missing).toEqual([
      {
        path: "研发中心/测试组",
        parentId: null,
        names: ["研发中心", "测试组"],
        rows: 1,
        meant: null,
      },
    ]);
    expect(column(await sent(), "departmentId")).toEqual(["4", "4", "4", "4"]);
  });
});

describe("Telephone numbers", () => {
  it("What is certain is taken and noted; the rest stays an error", async () => {
    const { found, messages, sent } = await file("o03-phones.xlsx");
    expect(found).toEqual([
      "6 phone picked",
      "7 phone picked",
      "8 phone picked",
      "9 phone picked",
      "10 phone picked",
      "12 phone !phone",
      "13 phone !phone",
      "14 phone picked",
      "15 phone !phone",
      "16 phone !phone",
      "17 phone !phone",
    ]);
    expect(messages[1]).toContain("没有导入 13900139006");
    expect(messages[3]).toContain("微信同号");
    expect(column(await sent(), "phone")).toEqual([
      ..."13800138901 13800138902 13800138903 13800138904 13800138905 13800138906".split(" "),
      ..."13800138907 13800138908 010-12345678 13800138910 13800138912".split(" "),
    ]);
  });

  it("The mobile number wins over the landline, and every column that is left out is counted", async () => {
    const { headers, mapping, filled, sent } = await file("landline-and-mobile.xlsx");
    expect(mapping[headers.indexOf("手机")]).toBe("phone");
    expect(mapping[headers.indexOf("工号")]).toBe("employeeNo");
    const left = headers.flatMap((name, i) => (mapping[i] === null ? [[name, filled[i]]] : []));
    expect(left).toEqual([
      ["序号", 3],
      ["编号", 3],
      ["电话", 3],
    ]);
    expect(column(await sent(), "phone")).toEqual(["13800138001", "13800138002", "13800138003"]);
  });

  it.each([
    ["联系电话,手机号", "021-12345678,13800138001", 1],
    ["手机,电话", "13800138001,021-12345678", 0],
    ["电话,移动电话", "021-12345678,13800138001", 1],
    ["手机,联系电话", "021-12345678,13800138001", 1],
    ["电话,联系方式", "021-12345678,021-12345679", 0],
  ])("Of the columns %s with %s the column %d is taken", async (head, values, at) => {
    const { mapping } = await csv(`姓名,${head}`, `甲一,${values}`);
    expect(mapping.indexOf("phone")).toBe(at + 1);
  });
});
