import { describe, expect, it } from "vitest";
import { createDepartmentFinder } from "./department-finder.ts";

const finder = createDepartmentFinder(
  [
    { id: "1", name: "信息技术部" },
    { id: "2", name: "信息技术部/一组" },
    { id: "3", name: "市场部" },
    { id: "4", name: "市场部/一组" },
    { id: "5", name: "R-D 中心" },
    { id: "6", name: "总部" },
    { id: "7", name: "总部/综合/后勤" },
    { id: "8", name: "临时人员" },
  ],
  "华安物业服务有限公司",
);
const idOf = (text: string): string => {
  const found = finder.find(text);
  return "id" in found ? found.id : "twice" in found ? "twice" : "missing";
};

it.each([
  ["信息技术部", "1"],
  ["信息技术部 ", "1"],
  ["信息 技术部", "1"],
  ["信息技术部/一组", "2"],
  ["信息技术部／一组", "2"],
  ["信息技术部 > 一组", "2"],
  ["信息技术部→一组", "2"],
  ["信息技术部-一组", "2"],
  ["信息技术部\\一组", "2"],
  ["/信息技术部/一组/", "2"],
  ["华安物业服务有限公司/信息技术部", "1"],
  ["华安物业服务有限公司-信息技术部-一组", "2"],
  ["华安物业服务/市场部", "3"],
  ["华安物业 服务有限公司＞市场部＞一组", "4"],
  ["R-D 中心", "5"],
  ["r-d 中心", "5"],
  ["综合/后勤", "7"],
  ["后勤", "7"],
  ["临时⼈员", "8"],
  ["一组", "twice"],
  ["别的公司/市场部", "missing"],
  ["信息部", "missing"],
])("%j names department %s", (text, id) => expect(idOf(text)).toBe(id));

describe("A department that is missing", () => {
  it.each([
    ["信息技术部/三组", "1", "信息技术部", ["三组"]],
    ["信息技术部-三组", "1", "信息技术部", ["三组"]],
    ["研发部", null, "", ["研发部"]],
    ["研发-测试", null, "", ["研发-测试"]],
    ["研发部/测试 组", null, "", ["研发部", "测试组"]],
    ["华安物业服务有限公司/研发部", null, "", ["研发部"]],
    ["信息技术部/一组/夜班", "2", "信息技术部/一组", ["夜班"]],
  ])("%j would stand below %s", (text, parentId, parent, names) => {
    expect(finder.find(text)).toEqual({ missing: { parentId, parent, names } });
  });
});

it("A department at the top that shares its name is named by the company's name in front", () => {
  const both = createDepartmentFinder(
    [
      { id: "1", name: "工程部" },
      { id: "2", name: "总部" },
      { id: "3", name: "总部/工程部" },
    ],
    "华安物业服务有限公司",
  );
  expect(both.find("工程部")).toEqual({ twice: true });
  expect(both.find("华安物业服务/工程部")).toEqual({ id: "1" });
  expect(both.find("华安物业服务有限公司-工程部")).toEqual({ id: "1" });
  expect(both.find("总部/工程部")).toEqual({ id: "3" });
});
