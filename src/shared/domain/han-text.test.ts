import { describe, expect, it } from "vitest";
import {
  asIdeographs,
  comparable,
  doubtInName,
  radicalNote,
  searchable,
  tidyName,
  tidyText,
} from "./han-text.ts";

describe("radicals", () => {
  it("every radical becomes an ideograph, which is itself no radical", () => {
    const left: string[] = [];
    for (let code = 0x2e80; code <= 0x2fd5; code += 1) {
      const sign = String.fromCharCode(code);
      // Unassigned, and the sign for repetition, which is no ideograph's radical.
      if (!/\p{Script=Han}/u.test(sign) || code === 0x2e80) continue;
      const got = asIdeographs(sign);
      if (!/^[\u3400-\u9fff]$/u.test(got)) left.push(`${code.toString(16)} ${got}`);
      expect(asIdeographs(got)).toBe(got);
    }
    expect(left).toEqual([]);
  });

  it.each([
    ["⽅芳", "方芳"],
    ["部⻔", "部门"],
    ["⼿机号", "手机号"],
    ["⻢⻰", "马龙"],
    ["⻓⻋⻅⻚", "长车见页"],
    ["\uf9e1四", "李四"],
    ["方芳", "方芳"],
    ["abc", "abc"],
  ])("%s is read as %s", (text, want) => expect(asIdeographs(text)).toBe(want));

  it("the note names the sign by its number, because both look the same", () => {
    expect(radicalNote("⽅芳⽅⻔")).toBe(
      "含有看起来像汉字的部首字符：U+2F45 已改为“方”、U+2ED4 已改为“门”",
    );
    expect(radicalNote("方芳")).toBeNull();
    expect(tidyText("⼯程师")).toEqual({ value: "工程师", notes: [expect.any(String)] });
  });
});

describe("names", () => {
  it.each([
    ["张三", "张三", []],
    ["张 三", "张三", ["空格"]],
    ["李\u3000四", "李四", ["空格"]],
    ["王\u00a0五", "王五", ["空格"]],
    ["赵  六", "赵六", ["空格"]],
    ["张\u200b三", "张三", ["空格"]],
    [" 钱七 ", "钱七", []],
    ["John Smith", "John Smith", []],
    ["J. R. Smith", "J. R. Smith", []],
    ["李 John", "李 John", []],
    ["阿卜来提·如则", "阿卜来提·如则", []],
    ["阿卜来提•如则", "阿卜来提·如则", ["U+2022"]],
    ["阿卜来提.如则", "阿卜来提·如则", ["U+002E"]],
    ["阿卜来提 · 如则", "阿卜来提·如则", ["空格"]],
    ["阿·卜・来‧提", "阿·卜·来·提", ["U+30FB"]],
    ["⽅ 芳", "方芳", ["U+2F45"]],
    ["李○明", "李○明", []],
    ["M.阿里", "M.阿里", []],
  ])("%j is stored as %j", (text, value, notes) => {
    const tidied = tidyName(text);
    expect(tidied.value).toBe(value);
    for (const note of notes) expect(tidied.notes.join("；")).toContain(note);
    if (notes.length === 0) expect(tidied.notes).toEqual([]);
    expect(tidyName(value)).toEqual({ value, notes: [] });
  });

  it.each([
    ["周九(离职)", true],
    ["吴十*", true],
    ["郑一（实习）", true],
    ["王二#2", true],
    ["孙三/李四", true],
    ["<script>", true],
    ["张三", false],
    ["阿卜来提·如则", false],
    ["O'Neil-Smith Jr.", false],
    ["员工12", false],
    ["𠮷田", false],
  ])("%j has marks that no name has: %s", (name, has) =>
    expect(doubtInName(name) !== null).toBe(has),
  );
});

it("choices, departments and headers are compared without blanks and radicals", () => {
  expect(comparable("信息 技术部")).toBe(comparable("信息技术部"));
  expect(comparable("临时⼈员")).toBe("临时人员");
  expect(comparable("IT Support")).toBe("it support");
});

it("the search takes every dot for the same, and a full stop only between two Chinese characters", () => {
  expect(["来提•如则", "来提.如则", "来提・如则"].map(searchable)).toEqual(
    Array.from({ length: 3 }, () => "来提·如则"),
  );
  expect(searchable("a.b@c.cn 1.5 部.")).toBe("a.b@c.cn 1.5 部.");
});
