/**
 * Files of the kinds that people bring: made by other programs, filled in by hand, mistaken for a table. Each lists what must be
 * stored, what the check must tell at its cell, or why the file must be refused.
 */
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import * as XLSX from "@e965/xlsx";
import type { Source } from "../../src/shared/protocol/import-worker.ts";
import { encryptAgile, encryptStandard } from "./encrypt.ts";
import { csv, inline, raw, styled, xlsx } from "./said.ts";

export interface BroughtFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** All findings are warnings: no row is left out. */
  readonly warns?: true;
  /** What the person chooses before the check. */
  readonly choose?: Pick<Source, "encoding" | "fill">;
  /** Label of the field whose further telephone numbers the person has written to the remarks. */
  readonly spare?: string;
  /** Text of the refusal. The other entries do not count then. */
  readonly refused?: RegExp;
  /** Whether the file is only read after the person has chosen. */
  readonly asks?: true;
  readonly head: readonly string[];
  /** Labels of the fields that the columns fill; null for none. */
  readonly fields: readonly (string | null)[];
  readonly warned?: readonly RegExp[];
  /** Per row without a finding: the texts that must be stored, by `fields`. */
  readonly stored: readonly (readonly (string | null)[])[];
  readonly findings: readonly (readonly [row: number, header: string, words: string])[];
}

const given = (name: string): Pick<BroughtFile, "name" | "bytes"> => ({
  name,
  bytes: readFileSync(new URL(`fixtures/brought/${name}`, import.meta.url)),
});
export const refused = (file: Pick<BroughtFile, "name" | "bytes">, words: RegExp): BroughtFile => ({
  ...file,
  refused: words,
  head: [],
  fields: [],
  stored: [],
  findings: [],
});
/** Columns whose headers are the labels of their fields. */
export const plainly = (...labels: string[]): Pick<BroughtFile, "head" | "fields"> => ({
  head: labels,
  fields: labels,
});
/** Bytes of a text in an encoding of two bytes per sign that no encoder of the platform makes, found by decoding all pairs. */
export function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const pairs = new Map<string, [number, number]>();
  for (let first = 0x81; first < 0xff; first += 1) {
    for (let second = 0x40; second < 0xff; second += 1) {
      const sign = decoder.decode(Uint8Array.of(first, second));
      if (!pairs.has(sign)) pairs.set(sign, [first, second]);
    }
  }
  return Buffer.from(
    Array.from(text, (sign) =>
      sign < "\u0080" ? [sign.charCodeAt(0)] : (pairs.get(sign) ?? []),
    ).flat(),
  );
}
const PICTURE = "单元格里是图片";
const UNSHOWN = "数字格式无法照样读取";

const pictures: BroughtFile = {
  ...given("c02-dispimg.xlsx"),
  ...plainly("姓名", "工号", "证件号码", "岗位", "备注"),
  stored: [],
  findings: [
    [2, "备注", PICTURE],
    [3, "证件号码", PICTURE],
    [4, "岗位", PICTURE],
    [5, "工号", PICTURE],
  ],
};
const morePictures: BroughtFile = {
  name: "各种图片.xlsx",
  ...plainly("姓名", "工号", "备注"),
  bytes: xlsx([
    ["姓名", "工号", "备注"],
    // in a cell of Excel; by its function IMAGE; of WPS without a result; of WPS behind another function; copied as text
    ["子一", "N1", { xml: '<c r="REF" t="e" vm="1"><v>#VALUE!</v></c>' }],
    [
      "子二",
      {
        xml: '<c r="REF" t="e" vm="2"><f>_xlfn.IMAGE("https://a.example/1.png")</f><v>#VALUE!</v></c>',
      },
      null,
    ],
    ["子三", "N3", { xml: '<c r="REF" t="str"><f>_xlfn._xlfn.DISPIMG("ID_1",1)</f><v></v></c>' }],
    [
      "子四",
      "N4",
      { xml: '<c r="REF" t="str"><f>IF(1,DISPIMG("ID_2",1))</f><v>=DISPIMG("ID_2",1)</v></c>' },
    ],
    ["子五", inline('=_xlfn.DISPIMG("ID_3",1)'), null],
    ["子六", "N6", { xml: '<c r="REF" t="e" vm="3"><f>_xlfn.SORT(A1:A9)</f><v>#VALUE!</v></c>' }],
    ["子七", "N7", "DISPIMG 的说明"],
  ]),
  stored: [["子七", "N7", "DISPIMG 的说明"]],
  findings: [
    [2, "备注", PICTURE],
    [3, "工号", PICTURE],
    [4, "备注", PICTURE],
    [5, "备注", PICTURE],
    [6, "工号", PICTURE],
    [7, "备注", "错误值 #VALUE!"],
  ],
};
const picturesOfCsv: BroughtFile = {
  name: "图片.csv",
  ...plainly("姓名", "工号", "备注"),
  bytes: csv(["姓名,工号,备注", '丑一,"=DISPIMG(""ID_1"",1)",', "丑二,P2,x"]),
  stored: [["丑二", "P2", "x"]],
  findings: [[2, "工号", PICTURE]],
};

const broken: BroughtFile = {
  ...given("c07c-broken.csv"),
  ...plainly("姓名", "工号", "岗位", "备注"),
  warned: [/第 4 行起有损坏的文字/],
  stored: [0, 1, 3, 4].map((i) => [`甲断${i}`, `B7-${i}`, "保安员", `在职人员第${i}名`]),
  findings: [[4, "备注", "没有正确保存"]],
};
const brokenGb: BroughtFile = {
  name: "坏字节.csv",
  ...plainly("姓名", "工号", "备注"),
  bytes: Buffer.concat([
    encoded("姓名,工号,备注\r\n寅一,Q1,在职员工由总公司派出\r\n寅二,Q2,长期出差", "gb18030"),
    Buffer.from([0xff]),
    encoded("的人员\r\n寅三,Q3,没有问题\r\n", "gb18030"),
  ]),
  warned: [/第 3 行起有损坏的文字/],
  stored: [
    ["寅一", "Q1", "在职员工由总公司派出"],
    ["寅三", "Q3", "没有问题"],
  ],
  findings: [[3, "备注", "没有正确保存"]],
};
const big5: BroughtFile = {
  ...given("c13m-big5.csv"),
  head: ["姓名", "工號", "手機", "部門", "備註"],
  fields: ["姓名", "工号", "联系电话", "部门", "备注"],
  stored: [],
  findings: [
    [2, "部門", "臨時人員"],
    [3, "部門", "臨時人員"],
    [4, "部門", "臨時人員"],
  ],
};
const moreBig5: BroughtFile = {
  name: "繁體.csv",
  head: ["姓名", "員工編號", "電話", "備註"],
  fields: ["姓名", "工号", "联系电话", "备注"],
  bytes: encoded(
    "姓名;員工編號;電話;備註\n許功蓋;R1;13800138000;功課很好，常常加班\n蔡依林;R2;13800138001;已經轉為正式員工\n",
    "big5",
  ),
  stored: [
    ["許功蓋", "R1", "13800138000", "功課很好，常常加班"],
    ["蔡依林", "R2", "13800138001", "已經轉為正式員工"],
  ],
  findings: [],
};
/** Too short to be certain. */
const short: BroughtFile = {
  name: "短.csv",
  ...plainly("姓名", "工号"),
  head: ["姓名", "no"],
  fields: ["姓名", "工号"],
  bytes: encoded("姓名,no\n陳功,S1\n", "big5"),
  choose: { encoding: "big5" },
  asks: true,
  stored: [["陳功", "S1"]],
  findings: [],
};
const japanese: BroughtFile = {
  name: "日文.csv",
  head: ["name", "no", "remark"],
  fields: ["姓名", "工号", "备注"],
  bytes: encoded("name,no,remark\n山田太郎,T1,えいぎょうのしごと\n鈴木,T2,カタカナ\n", "shift_jis"),
  choose: { encoding: "shift_jis" },
  asks: true,
  stored: [
    ["山田太郎", "T1", "えいぎょうのしごと"],
    ["鈴木", "T2", "カタカナ"],
  ],
  findings: [],
};
const western: BroughtFile = {
  name: "西文.csv",
  head: ["name", "no"],
  fields: ["姓名", "工号"],
  bytes: Buffer.from("name,no\nRené Müller,U1\nZoë,U2\n", "latin1"),
  choose: { encoding: "windows-1252" },
  asks: true,
  stored: [
    ["René Müller", "U1"],
    ["Zoë", "U2"],
  ],
  findings: [],
};

const mysql: BroughtFile = {
  ...given("c08b-mysql.csv"),
  ...plainly("姓名", "工号", "备注", "联系电话"),
  warned: [/MySQL/, /有 4 格写着 NULL 或 \\N/],
  stored: [
    ["张三", null, '他说"好"', "13800138000"],
    ["李四", null, "正常", "13800138001"],
    ["王五", null, "路径C:\\temp\\", null],
  ],
  findings: [],
};
/** What `SELECT … INTO OUTFILE` writes by default. */
const outfile: BroughtFile = {
  name: "outfile.txt",
  ...plainly("姓名", "工号", "备注"),
  bytes: Buffer.from(
    '姓名\t工号\t备注\n卯一\tV1\t一行\\\n两行\\t"引号"\n卯二\t\\N\tC:\\\\temp\n卯三\tV3\tNULL\n',
  ),
  warned: [/MySQL/],
  stored: [
    ["卯一", "V1", '一行\n两行\t"引号"'],
    ["卯二", null, "C:\\temp"],
    ["卯三", "V3", null],
  ],
  findings: [],
};
const backslashes: BroughtFile = {
  name: "路径.csv",
  ...plainly("姓名", "工号", "备注"),
  bytes: csv(["姓名,工号,备注", '辰一,W1,"D:\\资料\\"', '辰二,W2,"""好"""', "辰三,W3,NULL"]),
  warned: [/有 1 格写着 NULL/],
  stored: [
    ["辰一", "W1", "D:\\资料\\"],
    ["辰二", "W2", '"好"'],
    ["辰三", "W3", null],
  ],
  findings: [],
};

const headA: BroughtFile = {
  ...given("c09a-head.xlsx"),
  head: [
    "姓名(必填)",
    "部门（选填）",
    "出生日期(YYYY-MM-DD)",
    "工号 No.",
    "身份证号码（18位）",
    "手机/电话",
  ],
  fields: ["姓名", "部门", "出生日期", "工号", "身份证号", "联系电话"],
  stored: [["甲头一", "临时人员", "1985-01-01", "H7-1", "440701198501010016", "13800138000"]],
  findings: [],
};
const headB: BroughtFile = {
  ...given("c09b-head.xlsx"),
  head: ["*姓名", "部门:", "手机号码*", "入职日期(格式:2020-01-01)", "性别（男/女）", "岗位/职务"],
  fields: ["姓名", "部门", "联系电话", "入职日期", "性别", "岗位"],
  stored: [["甲头二", "临时人员", "13800138000", "2024-01-05", "1", "保安"]],
  findings: [],
};
const headC: BroughtFile = {
  name: "列名带说明.xlsx",
  head: [
    "1、员工姓名【与身份证一致】",
    "②工号ID（选填项）",
    "联系电话（紧急联系人）",
    "入职时间：格式2020/1/1",
    "Email 邮箱",
    "姓名/性别",
  ],
  fields: ["姓名", "工号", null, "入职日期", "电子邮箱", null],
  bytes: xlsx([
    [
      "1、员工姓名【与身份证一致】",
      "②工号ID（选填项）",
      "联系电话（紧急联系人）",
      "入职时间：格式2020/1/1",
      "Email 邮箱",
      "姓名/性别",
    ],
    ["巳一", "X1", "13800138001", "2023-05-01 星期一", "a@example.com", "x"],
    ["巳二", "X2", "13800138002", "2023年5月2日（周二）", "b@example.com", "x"],
    ["巳三", "X3", "13800138003", "2023-05-03 星期一", "c@example.com", "x"],
  ]),
  stored: [
    ["巳一", "X1", null, "2023-05-01", "a@example.com", null],
    ["巳二", "X2", null, "2023-05-02", "b@example.com", null],
  ],
  findings: [[4, "入职时间：格式2020/1/1", "与写明的星期不符"]],
};

const twoRows: BroughtFile = {
  ...given("c13b-merged.xlsx"),
  head: ["姓名", "工号", "联系方式 › 手机", "联系方式 › 邮箱", "备注"],
  fields: ["姓名", "工号", "联系电话", "电子邮箱", "备注"],
  stored: [0, 1, 2].map((i) => [`甲竖${i}`, `MV-${i}`, `1380013840${i}`, `a${i}@example.com`, "x"]),
  findings: [],
};
/** The columns of a group are another person's. */
const groups: BroughtFile = {
  name: "紧急联系人.xlsx",
  head: ["姓名", "工号", "紧急联系人 › 姓名", "紧急联系人 › 电话", "备注"],
  fields: ["姓名", "工号", "紧急联系人", "紧急联系电话", "备注"],
  bytes: xlsx([
    ["2026年员工登记表", null, null, null, null],
    ["姓名", "工号", "紧急联系人", null, "备注"],
    [null, null, "姓名", "电话", null],
    ["午一", "Y1", "午父", "13800138011", "甲"],
    ["午二", "Y2", "午母", "13800138012", "乙"],
  ]),
  stored: [
    ["午一", "Y1", "午父", "13800138011", "甲"],
    ["午二", "Y2", "午母", "13800138012", "乙"],
  ],
  findings: [],
};

const merged: BroughtFile = {
  ...given("o01-merged-dept.xlsx"),
  ...plainly("部门", "姓名", "工号"),
  choose: { fill: true },
  warned: [/1 处合并单元格，下面的格按最上面一格/],
  stored: [
    ["临时人员", "甲并一", "OM-1"],
    ["临时人员", "甲并二", "OM-2"],
    ["临时人员", "甲并三", "OM-3"],
    ["信息技术部", "甲并四", "OM-4"],
  ],
  findings: [],
};
const oldMerged: BroughtFile = {
  name: "合并.xls",
  ...plainly("部门", "姓名", "工号"),
  bytes: (() => {
    const sheet = XLSX.utils.aoa_to_sheet([
      ["部门", "姓名", "工号"],
      ["信息技术部", "甲旧一", "EE1"],
      [null, "甲旧二", "EE2"],
    ]);
    sheet["!merges"] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
    const book = { SheetNames: ["员工"], Sheets: { 员工: sheet } };
    return XLSX.write(book, { type: "buffer", bookType: "biff8" }) as Buffer;
  })(),
  choose: { fill: true },
  stored: [
    ["信息技术部", "甲旧一", "EE1"],
    ["信息技术部", "甲旧二", "EE2"],
  ],
  findings: [],
};
const DITTO = ["姓名,工号,岗位", "未一,Z1,保安", "未二,Z2,同上", "未三,Z3,〃", "未四,Z4,保洁"];
const ditto: BroughtFile = {
  name: "同上.csv",
  ...plainly("姓名", "工号", "岗位"),
  bytes: csv(DITTO),
  choose: { fill: true },
  stored: [
    ["未一", "Z1", "保安"],
    ["未二", "Z2", "保安"],
    ["未三", "Z3", "保安"],
    ["未四", "Z4", "保洁"],
  ],
  findings: [],
};
const dittoAsIs: BroughtFile = {
  name: "同上不填.csv",
  ...plainly("姓名", "工号", "岗位"),
  bytes: csv(DITTO.map((line) => line.replaceAll("未", "申").replaceAll("Z", "AA"))),
  stored: [
    ["申一", "AA1", "保安"],
    ["申四", "AA4", "保洁"],
  ],
  findings: [
    [3, "岗位", "“同上”要在核对列时选择"],
    [4, "岗位", "“〃”要在核对列时选择"],
  ],
};

const formats: BroughtFile = {
  ...given("o20-formats.xlsx"),
  ...plainly("姓名", "工号", "岗位", "备注"),
  stored: [
    ["0", "星期五", "aaaa"],
    ["1", "五", "[$-804]aaa"],
    ["2", "2024-01-05", 'yyyy"年"m"月"d"日" aaaa'],
    ["3", "08:29:46", '上午/下午h"时"mm"分"'],
    ["6", "12345", "G/通用格式"],
    ["7", "12.3万", '0!.0,"万"'],
    ["8", "12.3千", '0.0,"千"'],
    ["11", "大", '[>100]"大";"小"'],
    ["12", "2024年", 'e"年"'],
    ["14", "5", "0*-"],
    ["15", "第3期", '"第"0"期"'],
    ["16", "-1.3", "[红色]0.0"],
    ["18", "(1,234)", "#,##0_);(#,##0)"],
    ["19", "138-0013", "000\\-0000"],
    ["20", "36:00", "[h]:mm"],
    ["21", "January", "mmmm"],
    ["22", "Fri", "ddd"],
    ["23", "2024", "b1yyyy"],
    ["24", "-$12.00", "$#,##0.00;[Red]-$#,##0.00"],
    ["25", "1,234", "_-* #,##0_-"],
    ["26", "38岁", '0"岁"'],
    ["27", "5人", 'General"人"'],
    ["28", "¥1,200", "[$¥-804]#,##0"],
    ["29", "1.5", "?0.0?"],
    ["30", "555-1234", "[<=9999999]###-####;(###) ###-####"],
    ["31", "000440-70419850-1010", '000000"-"00000000"-"0000'],
  ].map(([i = "", position = "", remark = ""]) => [`甲格${i}`, `NF-${i}`, position, remark]),
  findings: [
    [6, "岗位", UNSHOWN],
    [7, "岗位", UNSHOWN],
    [11, "岗位", UNSHOWN],
    [12, "岗位", UNSHOWN],
    [15, "岗位", UNSHOWN],
    [19, "岗位", "科学计数法"],
    [19, "备注", "科学计数法"],
  ],
};
const text = (style: number, value: string) => ({
  xml: `<c r="REF" s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`,
});
const shared = (style: number, index: number) => ({
  xml: `<c r="REF" s="${style}" t="s"><v>${index}</v></c>`,
});
const textFormats: BroughtFile = {
  name: "文本格式.xlsx",
  ...plainly("姓名", "工号", "岗位"),
  bytes: xlsx(
    [
      ["姓名", "工号", "岗位"],
      ["酉一", text(1, "A1"), shared(1, 4)],
      ["十二", text(2, "BB2"), shared(3, 4)],
      ["酉三", text(3, "BB3"), text(4, "保安")],
      ["酉四", "BB4", text(5, "保安")],
      ["酉五", "BB5", { xml: '<c r="REF" s="6" t="str"><f>"a"</f><v>队长</v></c>' }],
      ["酉六", "BB6", styled(7, 45_296)],
      ["酉七", "BB7", styled(8, 45_296)],
      ["酉八", "BB8", styled(9, 45_296)],
      ["酉九", "BB9", styled(10, 45_296)],
      ["酉十", raw("12"), styled(11, 5)],
    ],
    [
      '@"号"',
      "_ * #,##0_ ;_ @_ ",
      "@",
      '0;0;0;"岗位："@',
      ";;;",
      '"副"@',
      "[$-411]aaaa",
      "bbbb",
      "[$-804]dddd",
      'yyyy!年"的"',
      "0kg",
    ],
  ),
  stored: [
    ["酉一", "A1号", "十二号"],
    ["十二", "BB2", "十二"],
    ["酉三", "BB3", "岗位：保安"],
    ["酉五", "BB5", "副队长"],
    ["酉九", "BB9", "2024年的"],
  ],
  findings: [
    [5, "岗位", UNSHOWN],
    [7, "岗位", UNSHOWN],
    [8, "岗位", UNSHOWN],
    [9, "岗位", UNSHOWN],
    [11, "岗位", UNSHOWN],
  ],
};

const protectedBook: BroughtFile = {
  ...given("c03a-velvet-agile.xlsx"),
  ...plainly("姓名", "工号", "备注"),
  stored: [
    ["甲护一", "VS-1", "结构保护"],
    ["甲护二", "VS-2", "x"],
  ],
  findings: [],
};
const people = (name: string, no: string): Buffer =>
  xlsx([
    ["姓名", "工号"],
    [name, no],
  ]);
const protected2007: BroughtFile = {
  name: "结构保护2007.xlsx",
  ...plainly("姓名", "工号"),
  bytes: encryptStandard(people("戌一", "CC1"), "VelvetSweatshop"),
  stored: [["戌一", "CC1"]],
  findings: [],
};
const lock = given("lock-file.xlsx");
export const named = (
  name: string,
  bytes: Buffer | string,
): Pick<BroughtFile, "name" | "bytes"> => ({
  name,
  bytes: Buffer.from(bytes),
});

export const BROUGHT_FILES: readonly (readonly [title: string, file: BroughtFile])[] = [
  ["pictures of WPS in cells", pictures],
  ["pictures of every kind, and an error beside them", morePictures],
  ["pictures of WPS in a csv", picturesOfCsv],
  ["one broken byte in UTF-8", broken],
  ["one broken byte in GB18030", brokenGb],
  ["Big5", big5],
  ["Big5 with signs that end in a backslash or a bar", moreBig5],
  ["Big5 too short to be certain", short],
  ["Shift_JIS", japanese],
  ["Windows-1252", western],
  ["an export of MySQL", mysql],
  ["an outfile of MySQL", outfile],
  ["backslashes that escape nothing", backslashes],
  ["notes and units in headers", headA],
  ["required marks and examples in headers", headB],
  ["numbers, other people's columns and weekdays", headC],
  ["two header rows", twoRows],
  ["two header rows below a title, for another person", groups],
  ["a department merged over three rows", merged],
  ["a department merged in an old workbook", oldMerged],
  ["the same as above, filled", ditto],
  ["the same as above, not filled", dittoAsIs],
  ["number formats", formats],
  ["formats of texts, and formats of other calendars", textFormats],
  ["a workbook whose structure is protected", protectedBook],
  ["a workbook whose structure Excel 2007 protects", protected2007],
  [
    "a workbook with a password",
    refused(
      named("有密码.xlsx", encryptAgile(people("亥一", "DD1"), "secret")),
      /设有打开密码，请在 Excel 或 WPS 中打开/,
    ),
  ],
  ["a lock file of Excel", refused({ ...lock, name: "~$员工.xlsx" }, /Excel.*临时文件.*没有 ~\$/)],
  ["a lock file of Excel, renamed", refused(lock, /Excel.*临时文件.*没有 ~\$/)],
  [
    "a lock file of LibreOffice",
    refused(
      named(".~lock.员工.xlsx#", ",user,host,25.11.2026 10:00,file;"),
      /LibreOffice.*临时文件/,
    ),
  ],
  [
    "the companion of a file of a Mac",
    refused(named("._员工.xlsx", Buffer.from([0, 5, 22, 7, 0, 2, 0, 0])), /苹果电脑附加的文件/),
  ],
  [
    "a text with the name of a workbook",
    refused(named("员工.xlsx", "not a zip"), /普通文字，不是表格/),
  ],
  [
    "a message with the name of an old workbook",
    refused(named("导出.xls", "系统繁忙\n请稍后再试\n"), /普通文字，不是表格/),
  ],
];
