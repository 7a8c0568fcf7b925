/** More files of the kinds of brought.ts, made here: encodings, dialects, headers, merged cells, and what people type into cells. */
import { Buffer } from "node:buffer";
import { type BroughtFile, encoded, named, plainly, refused } from "./brought.ts";
import { csv, inline, raw, styled, xlsx } from "./said.ts";

const utf16 = (text: string, bigEndian = false): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};

/** What Excel saves as 「Unicode 文本」. */
const unicodeText: BroughtFile = {
  ...named(
    "Unicode文本.txt",
    utf16("\ufeff姓名\t工号\t备注\r\n甲壹\tMA-1\t第一\r\n乙壹\tMA-2\t\r\n"),
  ),
  ...plainly("姓名", "工号", "备注"),
  stored: [
    ["甲壹", "MA-1", "第一"],
    ["乙壹", "MA-2", null],
  ],
  findings: [],
};
const bigEndian: BroughtFile = {
  ...named("大端.csv", utf16("姓名,工号,岗位\n甲贰,MB-1,保安员\n乙贰,MB-2,保洁员\n", true)),
  ...plainly("姓名", "工号", "岗位"),
  stored: [
    ["甲贰", "MB-1", "保安员"],
    ["乙贰", "MB-2", "保洁员"],
  ],
  findings: [],
};
/** A name with a sign of four bytes. */
const fourBytes: BroughtFile = {
  ...named(
    "生僻字.csv",
    Buffer.concat([
      encoded("姓名,工号,备注\r\n", "gb18030"),
      // U+3400
      Buffer.from([0x81, 0x39, 0xee, 0x39]),
      encoded("叁,MC-1,在职员工由总公司派出\r\n乙叁,MC-2,长期出差的人员\r\n", "gb18030"),
    ]),
  ),
  ...plainly("姓名", "工号", "备注"),
  stored: [
    ["\u3400叁", "MC-1", "在职员工由总公司派出"],
    ["乙叁", "MC-2", "长期出差的人员"],
  ],
  findings: [],
};
const sepLine: BroughtFile = {
  ...named("分号.csv", '\ufeffsep=;\r\n姓名;工号;备注\r\n甲肆;MD-1;"含;分号"\r\n乙肆;MD-2;1,5\r\n'),
  ...plainly("姓名", "工号", "备注"),
  stored: [
    ["甲肆", "MD-1", "含;分号"],
    ["乙肆", "MD-2", "1,5"],
  ],
  findings: [],
};
/** Bytes of two rows broken, as a transfer or an editor leaves them. */
const twiceBroken: BroughtFile = {
  ...named(
    "两处坏.csv",
    Buffer.concat([
      Buffer.from("姓名,工号,岗位,备注\n甲伍,ME-1,保安员,在职人员第一名\n乙"),
      Buffer.from([0xe4, 0xb8]),
      Buffer.from("伍,ME-2,保安员,在职人员第二名\n丙伍,ME-3,保安"),
      Buffer.from([0x80]),
      Buffer.from("员,在职人员第三名\n丁伍,ME-4,保安员,在职人员第四名\n戊伍,ME-5,保安员,第五名\n"),
    ]),
  ),
  ...plainly("姓名", "工号", "岗位", "备注"),
  warned: [/第 3 行起有损坏的文字/],
  stored: [
    ["甲伍", "ME-1", "保安员", "在职人员第一名"],
    ["丁伍", "ME-4", "保安员", "在职人员第四名"],
    ["戊伍", "ME-5", "保安员", "第五名"],
  ],
  findings: [
    [3, "姓名", "没有正确保存"],
    [4, "岗位", "没有正确保存"],
  ],
};
/** `FIELDS TERMINATED BY '|' ENCLOSED BY '"' ESCAPED BY '\\'`. */
const mysqlBars: BroughtFile = {
  ...named(
    "mysql竖线.csv",
    '"姓名"|"工号"|"岗位"|"备注"\n"甲陆"|"MF-1"|\\N|"引号\\"在中间\\""\n"乙陆"|"MF-2"|"保安"|"换\\\n行"\n"丙陆"|"MF-3"|"NULL"|"末尾\\\\"\n',
  ),
  ...plainly("姓名", "工号", "岗位", "备注"),
  warned: [/MySQL/, /有 2 格写着 NULL 或 \\N/],
  stored: [
    ["甲陆", "MF-1", null, '引号"在中间"'],
    ["乙陆", "MF-2", "保安", "换\n行"],
    ["丙陆", "MF-3", null, "末尾\\"],
  ],
  findings: [],
};
const linesInCells: BroughtFile = {
  ...named(
    "多行.csv",
    '姓名,工号,备注\r\n甲柒,MG-1,"一行\r\n两行, ""引号"""\r\n\r\n乙柒,MG-2,\r\n',
  ),
  ...plainly("姓名", "工号", "备注"),
  stored: [
    ["甲柒", "MG-1", '一行\n两行, "引号"'],
    ["乙柒", "MG-2", null],
  ],
  findings: [],
};

const HEADS_A = [
  "★姓名",
  "手机号（必填）",
  "工号[选填]",
  "入职时间(如2020-01-01)",
  "身高（cm）",
  "备注（不超过500字）",
];
const notesInHeads: BroughtFile = {
  ...named(
    "带说明.csv",
    csv([
      HEADS_A.join(","),
      "甲捌,13800138021,MH-1,2024-01-05,175,好",
      "乙捌,13800138022,MH-2,2024/1/6,168,",
    ]),
  ),
  head: HEADS_A,
  fields: ["姓名", "联系电话", "工号", "入职日期", null, "备注"],
  stored: [
    ["甲捌", "13800138021", "MH-1", "2024-01-05", null, "好"],
    ["乙捌", "13800138022", "MH-2", "2024-01-06", null, null],
  ],
  findings: [],
};
const linesInHeads: BroughtFile = {
  name: "列名换行.xlsx",
  head: ["姓名\n（必填）", "联系\n电话", "员工\n编号", "中文岗位 Position"],
  fields: ["姓名", "联系电话", "工号", "岗位"],
  bytes: xlsx([
    [
      inline("姓名&#10;（必填）"),
      inline("联系&#10;电话"),
      inline("员工&#10;编号"),
      "中文岗位 Position",
    ],
    ["甲玖", "13800138031", "MI-1", "保安"],
  ]),
  stored: [["甲玖", "13800138031", "MI-1", "保安"]],
  findings: [],
};
const twoLanguages: BroughtFile = {
  name: "双语.xlsx",
  head: ["姓名 Name", "員工編號/Employee No.", "聯絡電話 Tel", "Email/電郵"],
  fields: ["姓名", "工号", "联系电话", "电子邮箱"],
  bytes: xlsx([
    ["姓名 Name", "員工編號/Employee No.", "聯絡電話 Tel", "Email/電郵"],
    ["甲拾", "MJ-1", "13800138041", "a@example.com"],
    ["乙拾", "MJ-2", "13800138042", "b@example.com"],
  ]),
  stored: [
    ["甲拾", "MJ-1", "13800138041", "a@example.com"],
    ["乙拾", "MJ-2", "13800138042", "b@example.com"],
  ],
  findings: [],
};
/** Saved as csv, so that nothing is merged any more. */
const groupsOfCsv: BroughtFile = {
  ...named(
    "两行表头.csv",
    csv([
      "员工登记表,,,,",
      "姓名,工号,联系方式,,备注",
      ",,手机,邮箱,",
      "甲子,MK-1,13800138051,a@example.com,好",
    ]),
  ),
  head: ["姓名", "工号", "联系方式 › 手机", "联系方式 › 邮箱", "备注"],
  fields: ["姓名", "工号", "联系电话", "电子邮箱", "备注"],
  stored: [["甲子", "MK-1", "13800138051", "a@example.com", "好"]],
  findings: [],
};
/** Every column has a group above it: the row below the groups says all. */
const allGroups: BroughtFile = {
  name: "全是分组.xlsx",
  head: ["基本信息 › 姓名", "基本信息 › 工号", "联系方式 › 手机", "联系方式 › 邮箱"],
  fields: ["姓名", "工号", "联系电话", "电子邮箱"],
  bytes: xlsx([
    ["基本信息", null, "联系方式", null],
    ["姓名", "工号", "手机", "邮箱"],
    ["甲丑", "ML-1", "13800138061", "a@example.com"],
    ["乙丑", "ML-2", "13800138062", "b@example.com"],
  ]),
  stored: [
    ["甲丑", "ML-1", "13800138061", "a@example.com"],
    ["乙丑", "ML-2", "13800138062", "b@example.com"],
  ],
  findings: [],
};

const mergedTwice: BroughtFile = {
  name: "两列合并.xlsx",
  ...plainly("部门", "岗位", "姓名", "工号"),
  choose: { fill: true },
  bytes: xlsx(
    [
      ["部门", "岗位", "姓名", "工号"],
      ["临时人员", "保安", "甲寅", "MM-1"],
      [null, null, "乙寅", "MM-2"],
      ["信息技术部", null, "丙寅", "MM-3"],
      [null, "运维", "丁寅", "MM-4"],
    ],
    [],
    '<mergeCells count="3"><mergeCell ref="A2:A3"/><mergeCell ref="B2:B4"/><mergeCell ref="A4:A5"/></mergeCells>',
  ),
  warned: [/3 处合并单元格/],
  stored: [
    ["临时人员", "保安", "甲寅", "MM-1"],
    ["临时人员", "保安", "乙寅", "MM-2"],
    ["信息技术部", "保安", "丙寅", "MM-3"],
    ["信息技术部", "运维", "丁寅", "MM-4"],
  ],
  findings: [],
};
const moreDitto: BroughtFile = {
  ...named(
    "各种同上.csv",
    csv([
      "姓名,工号,部门,岗位",
      "甲卯,MN-1,临时人员,保安",
      "乙卯,MN-2,″,同前",
      "丙卯,MN-3, 同上 ,〃",
    ]),
  ),
  ...plainly("姓名", "工号", "部门", "岗位"),
  choose: { fill: true },
  stored: ["甲卯", "乙卯", "丙卯"].map((name, i) => [name, `MN-${i + 1}`, "临时人员", "保安"]),
  findings: [],
};

/** Protected against editing alone, which encrypts nothing. */
const protectedSheet: BroughtFile = {
  name: "工作表保护.xlsx",
  ...plainly("姓名", "工号"),
  bytes: xlsx(
    [
      ["姓名", "工号"],
      ["甲辰", "MO-1"],
    ],
    [],
    '<sheetProtection password="83AF" sheet="1" objects="1" scenarios="1"/>',
  ),
  stored: [["甲辰", "MO-1"]],
  findings: [],
};

const typedPhones: BroughtFile = {
  name: "电话写法.xlsx",
  ...plainly("姓名", "工号", "联系电话"),
  bytes: xlsx(
    [
      ["姓名", "工号", "联系电话"],
      ["甲巳", "MP-1", raw("13800138071")],
      ["乙巳", "MP-2", styled(1, 13_800_138_072)],
      ["丙巳", "MP-3", "１３８００１３８０７３"],
      ["丁巳", "MP-4", "0086-138 0013 8074"],
      ["戊巳", "MP-5", raw("1380013807")],
      ["己巳", "MP-6", "138o0138076"],
    ],
    ["000 0000 0000"],
  ),
  stored: [
    ["甲巳", "MP-1", "13800138071"],
    ["乙巳", "MP-2", "13800138072"],
    ["丙巳", "MP-3", "13800138073"],
    ["丁巳", "MP-4", "13800138074"],
  ],
  findings: [
    [5, "联系电话", "已取号码"],
    [6, "联系电话", "现在是 10 位"],
    [7, "联系电话", "11 位手机号"],
  ],
};
const typedDays: BroughtFile = {
  name: "日期写法.xlsx",
  ...plainly("姓名", "工号", "入职日期"),
  bytes: xlsx(
    [
      ["姓名", "工号", "入职日期"],
      ["甲午", "MQ-1", "2024.1.5"],
      ["乙午", "MQ-2", "2024年1月5日"],
      ["丙午", "MQ-3", "2024-01-05 08:30:00"],
      ["丁午", "MQ-4", raw("20240105")],
      ["戊午", "MQ-5", styled(1, 45_296)],
      ["己午", "MQ-6", "2024-02-30"],
      ["庚午", "MQ-7", raw("45296")],
      ["辛午", "MQ-8", "待定"],
    ],
    ["m/d/yy"],
  ),
  stored: ["甲午", "乙午", "丙午", "丁午", "戊午"].map((name, i) => [
    name,
    `MQ-${i + 1}`,
    "2024-01-05",
  ]),
  findings: [
    [7, "入职日期", "没有这一天"],
    [8, "入职日期", "数字而不是日期"],
    [9, "入职日期", "日期"],
  ],
};
const typedNames: BroughtFile = {
  ...named(
    "姓名写法.csv",
    csv([
      "姓名,工号",
      "欧阳　娜 娜,MR-1",
      "买买提・艾力,MR-2",
      "John  Smith,MR-3",
      "王五（外包）,MR-4",
      "赵\u200b六,MR-5",
    ]),
  ),
  ...plainly("姓名", "工号"),
  warns: true,
  stored: [
    ["欧阳娜娜", "MR-1"],
    ["买买提·艾力", "MR-2"],
    ["John  Smith", "MR-3"],
    ["王五（外包）", "MR-4"],
    ["赵六", "MR-5"],
  ],
  findings: [
    [2, "姓名", "已去掉汉字之间的空格"],
    [3, "姓名", "间隔号"],
    [5, "姓名", "请核对是否属于姓名"],
    [6, "姓名", "已去掉汉字之间的空格"],
  ],
};
const controls: BroughtFile = {
  ...named(
    "控制符.csv",
    csv([
      "姓名,工号,备注",
      "甲\u000b未,MS-1,",
      "乙未,MS\u00012,",
      "丙未,MS-3,响\u0007铃",
      "丁未,MS-4,好",
    ]),
  ),
  ...plainly("姓名", "工号", "备注"),
  stored: [["丁未", "MS-4", "好"]],
  findings: [
    [2, "姓名", "控制字符"],
    [3, "工号", "控制字符"],
    [4, "备注", "控制字符"],
  ],
};
const sharedNumbers: BroughtFile = {
  ...named(
    "两个号码.csv",
    csv([
      "姓名,工号,联系电话,备注",
      "甲申,MT-1,13800138081/13900139081,老员工",
      "乙申,MT-2,13800138082 13900139082,",
      "丙申,MT-3,13800138083,无",
    ]),
  ),
  ...plainly("姓名", "工号", "联系电话", "备注"),
  spare: "联系电话",
  warns: true,
  stored: [
    ["甲申", "MT-1", "13800138081", "老员工；联系电话：13900139081"],
    ["乙申", "MT-2", "13800138082", "联系电话：13900139082"],
    ["丙申", "MT-3", "13800138083", "无"],
  ],
  findings: [
    [2, "联系电话", "没有导入 13900139081"],
    [3, "联系电话", "没有导入 13900139082"],
  ],
};
const twoRemarks: BroughtFile = {
  ...named("两列备注.csv", csv(["姓名,工号,备注,备注", "甲酉,MU-1,一,二", "乙酉,MU-2,三,"])),
  head: ["姓名", "工号", "备注", "备注"],
  fields: ["姓名", "工号", "备注", null],
  stored: [
    ["甲酉", "MU-1", "一", null],
    ["乙酉", "MU-2", "三", null],
  ],
  findings: [],
};
/** The department's name is written in several ways; one is no department of the company. */
const departments: BroughtFile = {
  ...named(
    "部门写法.csv",
    csv([
      "姓名,工号,部门",
      "甲戌,MX-1,信息 技术部",
      "乙戌,MX-2,　信息技术部　",
      "丙戌,MX-3,信息技术部/",
      "丁戌,MX-4,星际部",
    ]),
  ),
  ...plainly("姓名", "工号", "部门"),
  stored: [
    ["甲戌", "MX-1", "信息技术部"],
    ["乙戌", "MX-2", "信息技术部"],
    ["丙戌", "MX-3", "信息技术部"],
  ],
  findings: [
    [2, "部门", "已去掉汉字之间的空格"],
    [5, "部门", "没有名为“星际部”的部门"],
  ],
};
/** A row without cells is none. One that holds blanks has a finding. */
const blankRows: BroughtFile = {
  name: "空行.xlsx",
  ...plainly("姓名", "工号"),
  bytes: xlsx([
    [null, null],
    ["姓名", "工号"],
    [null, null],
    ["甲亥", "MW-1"],
    [inline("  "), null],
    ["乙亥", "MW-2"],
    [null, inline("")],
  ]),
  stored: [
    ["甲亥", "MW-1"],
    ["乙亥", "MW-2"],
  ],
  findings: [],
};
/** A template whose serial numbers are filled in beforehand, with a total below the prepared rows. */
const preparedRows: BroughtFile = {
  name: "序号.xlsx",
  head: ["序号", "姓名", "工号"],
  fields: [null, "姓名", "工号"],
  bytes: xlsx([
    ["序号", "姓名", "工号"],
    [raw("1"), "甲子", "NA-1"],
    [raw("2"), inline("\u3000"), null],
    [raw("3"), null, "NA-3"],
    ...Array.from({ length: 8 }, (_, i) => [raw(String(i + 4)), null, null]),
    ["合计", "1 人", null],
    ...Array.from({ length: 8 }, () => [inline(" "), inline(" "), null]),
  ]),
  stored: [[null, "甲子", "NA-1"]],
  findings: [
    [4, "姓名", "不能为空"],
    [13, "姓名", "像是合计行"],
  ],
};
const breaksInCells: BroughtFile = {
  name: "换行.csv",
  ...plainly("姓名", "工号", "备注"),
  bytes: csv(["姓名,工号,备注", '甲丑,MY-1,"第一行\r\n第二行\r第三行\u2028第四行"']),
  stored: [["甲丑", "MY-1", "第一行\n第二行\n第三行\n第四行"]],
  findings: [],
};
/** Groups above their columns fill few cells of their row, and one group is of other people. */
const groupsAbove: BroughtFile = {
  name: "分组.xlsx",
  head: [
    "序号",
    "姓名",
    "人事档案 › 工号",
    "人事档案 › 岗位",
    "人事档案 › 备注",
    "联系方式 › 手机",
    "联系方式 › 邮箱",
    "家属 › 姓名",
    "家属 › 手机",
  ],
  fields: [null, "姓名", "工号", "岗位", "备注", "联系电话", "电子邮箱", null, null],
  bytes: xlsx([
    ["员工花名册"],
    ["序号", "姓名", "人事档案", null, null, "联系方式", null, "家属", null],
    [null, null, "工号", "岗位", "备注", "手机", "邮箱", "姓名", "手机"],
    ["1", "甲寅", "MZ-1", "保安员", "老", "13800138001", "a@example.com", "乙寅", "13800138009"],
    ["2", "丙寅", "MZ-2", "保洁员", "新", "13800138002", "b@example.com", "丁寅", "13800138008"],
  ]),
  stored: [
    [null, "甲寅", "MZ-1", "保安员", "老", "13800138001", "a@example.com", null, null],
    [null, "丙寅", "MZ-2", "保洁员", "新", "13800138002", "b@example.com", null, null],
  ],
  findings: [],
};

export const MADE_FILES: readonly (readonly [title: string, file: BroughtFile])[] = [
  ["a text of Excel in UTF-16", unicodeText],
  ["UTF-16 BE without a mark", bigEndian],
  ["GB18030 with a sign of four bytes", fourBytes],
  ["a line that names the delimiter", sepLine],
  ["two broken places in UTF-8", twiceBroken],
  ["an export of MySQL with bars", mysqlBars],
  ["line breaks, quotes and a blank line in a csv", linesInCells],
  ["marks, notes and units in headers of a csv", notesInHeads],
  ["line breaks in headers", linesInHeads],
  ["headers in two languages", twoLanguages],
  ["two header rows in a csv, below a title", groupsOfCsv],
  ["two header rows with a group above each column", allGroups],
  ["two columns merged differently", mergedTwice],
  ["every mark for the same as above", moreDitto],
  ["a sheet that is protected against editing", protectedSheet],
  ["telephone numbers as people type them", typedPhones],
  ["days as people type them", typedDays],
  ["names as people type them", typedNames],
  ["control characters", controls],
  ["two telephone numbers, the second for the remarks", sharedNumbers],
  ["two columns of one name", twoRemarks],
  ["spellings of a department", departments],
  ["blank rows", blankRows],
  ["prepared rows with serial numbers, and a total below them", preparedRows],
  ["line breaks of every kind in a cell", breaksInCells],
  ["groups above their columns, one of them of other people", groupsAbove],
  [
    "a lock file of WPS",
    refused(named(".~员工.xlsx", Buffer.alloc(54, "user")), /WPS.*临时文件.*\.~/),
  ],
  [
    "a web page with the name of an old workbook",
    refused(
      named(
        "员工.xls",
        '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><td>姓名</td></tr></table></html>',
      ),
      /网页/,
    ),
  ],
];
