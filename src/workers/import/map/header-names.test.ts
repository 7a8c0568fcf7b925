import { expect, test } from "vitest";
import { allFields } from "../../../shared/domain/import-fields.ts";
import { suggestMapping } from "./suggest.ts";

const CONTEXT = {
  supplierId: "1",
  ownFields: [],
  departments: [],
  dictionaries: { gender: [], employee_status: [], certificate_type: [] },
};
const labels = new Map(allFields(CONTEXT).map(({ key, label }) => [key, label]));
const fieldsOf = (headers: readonly string[], text = ""): (string | null)[] =>
  suggestMapping(
    { headers, rows: 5, text: () => text, filled: () => 5 },
    CONTEXT,
    null,
  ).mapping.map((key) => labels.get(key ?? "") ?? null);

test.each([
  ["姓名", "姓名"],
  ["姓名(必填)", "姓名"],
  ["*姓名", "姓名"],
  ["★姓名（与身份证一致）", "姓名"],
  ["姓名必填项", "姓名"],
  ["1.姓名", "姓名"],
  ["③ 姓 名", "姓名"],
  ["部门（选填）", "部门"],
  ["部门:", "部门"],
  ["部門", "部门"],
  ["聯絡電話", null],
  ["緊急聯繫人", "紧急联系人"],
  ["出生日期(YYYY-MM-DD)", "出生日期"],
  ["入职日期：格式 2020-01-01", "入职日期"],
  ["工号 No.", "工号"],
  ["No.工号", "工号"],
  ["Employee No. 工号", "工号"],
  ["身份证号码（18位）", "身份证号"],
  ["手机/电话", "联系电话"],
  ["手机、电话", "联系电话"],
  ["岗位/职务", "岗位"],
  ["性别（男/女）", "性别"],
  ["联系方式 › 手机", "联系电话"],
  ["基本信息 › 姓名(必填)", "姓名"],
  ["证件 › 有效期", "证件有效期"],
  ["紧急联系人 › 电话", "紧急联系电话"],
  // Not the employee's, or not certain.
  ["姓名（紧急联系人）", null],
  ["电话（家属）", null],
  ["配偶 › 姓名", null],
  ["姓名/性别", null],
  ["部门/岗位", null],
  ["必填", null],
  ["（备注）", "备注"],
  ["工资(元)", null],
  ["", null],
])("The header %j means %j", (header, label) => expect(fieldsOf([header])).toEqual([label]));

test("A better name comes first, wherever it stands", () => {
  expect(fieldsOf(["电话（手机）", "联系电话"])).toEqual([null, "联系电话"]);
  expect(fieldsOf(["名字", "姓名(必填)"])).toEqual([null, "姓名"]);
});

test("Telephone numbers under the header of another person are not taken for the employee's", () => {
  expect(fieldsOf(["联系电话（紧急联系人）"], "13800138000")).toEqual([null]);
  expect(fieldsOf(["号码"], "13800138000")).toEqual(["联系电话"]);
});
