import { describe, expect, test } from "vitest";
import { CELL } from "./contracts.ts";
import { findHeader, headerTexts, type HeaderSource } from "./header.ts";

/** Rows of one text each, with cells separated by bars. */
const sourceOf = (...lines: string[]): HeaderSource => {
  const rows = lines.map((line) => line.split("|"));
  const text = (i: number, c: number): string => rows[i]?.[c] ?? "";
  return {
    rows: rows.length,
    width: Math.max(...rows.map(({ length }) => length)),
    text,
    kind: (i, c) => (text(i, c) === "" ? CELL.empty : CELL.text),
    rowNumber: (i) => i + 1,
  };
};
const found = (lines: readonly string[], row: number | null = null, end: number | null = null) => {
  const source = sourceOf(...lines);
  const header = findHeader(source, row, end);
  return [header.row, header.end, header.below, headerTexts(source, header)];
};

describe("A second header row", () => {
  test.each([
    [
      "names the columns of a group",
      ["姓名|联系方式||备注", "|手机|邮箱|", "张三|138|a@b|x"],
      [1, 2, 2, ["姓名", "联系方式 › 手机", "联系方式 › 邮箱", "备注"]],
    ],
    [
      "is found below a title",
      ["员工名单", "姓名|工号|紧急联系人|", "||姓名|电话", "张三|1|李四|138"],
      [2, 3, 3, ["姓名", "工号", "紧急联系人 › 姓名", "紧急联系人 › 电话"]],
    ],
    [
      "can have a third one",
      ["姓名|家庭|||备注", "|父亲|||", "|姓名|电话|单位|", "张三|李四|138|x|y"],
      [1, 1, 1, ["姓名", "家庭", "", "", "备注"]],
    ],
    [
      "is found below groups that fill few cells of their row",
      [
        "员工花名册|||||||",
        "序号|姓名|基本信息|||联系方式||备注",
        "||性别|岗位|学历|手机|邮箱|",
        "1|张三|男|保安|本科|138|a@b|x",
      ],
      [
        2,
        3,
        3,
        [
          "序号",
          "姓名",
          "基本信息 › 性别",
          "基本信息 › 岗位",
          "基本信息 › 学历",
          "联系方式 › 手机",
          "联系方式 › 邮箱",
          "备注",
        ],
      ],
    ],
    [
      "is found where every column belongs to a group",
      ["员工||||紧急联系人|", "姓名|工号|手机|部门|姓名|电话", "张三|1|138|一部|李四|139"],
      [
        1,
        2,
        2,
        [
          "员工 › 姓名",
          "员工 › 工号",
          "员工 › 手机",
          "员工 › 部门",
          "紧急联系人 › 姓名",
          "紧急联系人 › 电话",
        ],
      ],
    ],
  ])("%s", (_, lines, want) => expect(found(lines)).toEqual(want));

  test.each([
    ["a person without headers for the last column", ["姓名|工号|", "张三|1|x"]],
    ["a person with words alone", ["姓名|岗位|备注|", "张三|保安|在职|临时"]],
    ["a person whose name is missing", ["姓名|岗位|备注", "|保安|在职"]],
    ["a row of figures", ["姓名|联系方式||备注", "|138|139|"]],
    ["a total", ["姓名|工号|备注", "合计||"]],
  ])("is not %s", (_, lines) => expect(found(lines).slice(0, 3)).toEqual([1, 1, 1]));

  test.each([
    ["a title", ["员工花名册|||", "姓名|工号|手机|部门"]],
    ["a line with who made the list", ["单位：甲公司||制表人：李四|", "姓名|工号|手机|部门"]],
    ["a line of label and value", ["填报单位|信息技术部||", "姓名|工号|手机|部门"]],
    ["a line with a day", ["甲公司||2024-01-01|", "姓名|工号|手机|部门"]],
  ])("does not begin with %s", (_, lines) =>
    expect(found([...lines, "张三|1|138|一部"]).slice(0, 3)).toEqual([2, 2, 2]),
  );
});

test("The person can say where the headers begin and end", () => {
  const lines = ["姓名|联系方式||备注", "|手机|邮箱|", "张三|138|a@b|x"];
  expect(found(lines, 1, 1)).toEqual([1, 1, 1, ["姓名", "联系方式", "", "备注"]]);
  expect(found(lines, 2, 2)).toEqual([2, 2, 2, ["", "手机", "邮箱", ""]]);
  expect(found(lines, 1, 3)).toEqual([
    1,
    3,
    3,
    ["姓名 › 张三", "联系方式 › 手机 › 138", "联系方式 › 邮箱 › a@b", "备注 › x"],
  ]);
  expect(found(lines, 9, 12)).toEqual([9, 12, 3, ["", "", "", ""]]);
});
