/**
 * The texts that the specification shows in §2 to §8 are in the product to the letter. Those that it describes in English are compared
 * with the English of the product. docs/deviations.md names what differs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CALL_NOTICE_TEXTS } from "../../src/shared/domain/call-texts.ts";
import { NOTICE_TEXTS } from "../../src/shared/domain/notice-texts.ts";
import { ERROR_TEXTS_EN } from "../../src/shared/error-texts-en.ts";
import { ERROR_CATALOGUE } from "../../src/shared/errors.ts";
import { UPLOAD_TEXTS } from "../../src/ui/components/upload/rules.ts";
import { RICH_TEXTS } from "../../src/ui/components/rich-text/texts.ts";
import { en } from "../../src/ui/i18n/en.ts";
import { zh } from "../../src/ui/i18n/zh.ts";

const root = join(import.meta.dirname, "../..");

/** In Chinese, as the specification writes them. */
const CHINESE = [
  "首页",
  "退出",
  "暂无企业",
  "确认要切换到企业[{company}]吗?",
  "提示",
  "确定",
  "取消",
  "获取用户信息出错，请刷新重试",
  "当前登录用户没有使用权限",
  "保存加入群组数据失败",
  "加入群组失败",
  "您当前正在通话中,请结束当前通话后再次发起。",
  "通话请求发送失败，请重试。",
  "答复音视频通话请求发送失败，请重试。",
  "确认音视频通话请求发送失败，请重试。",
  "取消音视频通话失败",
  "不能和自己音视频通话",
  "通话请求已经发送",
  "通话请求已经发送成功",
  "取消音视频通话成功",
  "对方没有回应，可能是不在线，请稍后重试。释放房间",
  "长时间未回应对方的音视频通话请求。",
  "长时间未收到对方的音视频通话确认信息。",
];
/** Described in English. */
const ENGLISH = [
  "file format incorrect, please upload {types} format files!",
  "uploaded file size cannot exceed {n} MB!",
  "uploaded file count cannot exceed {n}!",
  "upload failed, please retry",
  "upload successful",
  "upload failed",
  "please enter account and password",
  "message recall failed",
  "username does not exist!",
  "password invalid!",
  "user has been banned!",
  "Rejected joining the group",
];

/** Every text below a value. */
const textsOf = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsOf)
      : [];
const plain = (text: string): string => text.replaceAll(/\{\{(\w+)\}\}/g, "{$1}");
const product = new Set(
  textsOf([
    ERROR_CATALOGUE,
    ERROR_TEXTS_EN,
    CALL_NOTICE_TEXTS,
    NOTICE_TEXTS,
    UPLOAD_TEXTS,
    RICH_TEXTS,
    zh,
    en,
  ]).map(plain),
);

it.each([...CHINESE, ...ENGLISH])("is in the product to the letter: %s", (text) => {
  expect([...product].filter((one) => one === text)).toEqual([text]);
});

it("the failure of an editor's picture begins as the specification says", () => {
  const beginning = /^image insert failed/i;
  expect([...product].filter((text) => beginning.test(text))).toHaveLength(1);
});

it("the one text that differs is named in docs/deviations.md, and the product has it with its addition", () => {
  const page = readFileSync(join(root, "src/ui/features/people/common/group-texts.ts"), "utf8");
  expect(page).toContain('"获取群组成员失败"');
  const deviations = readFileSync(join(root, "docs/deviations.md"), "utf8");
  expect(deviations).toContain("获取群组成员");
});

it("the style of a successful cancellation is that of an error, and those of timeouts that of a warning", () => {
  const styleOf = (text: string): string[] =>
    Object.values(CALL_NOTICE_TEXTS).flatMap((one) => (one.text === text ? [one.style] : []));
  expect(styleOf("取消音视频通话成功")).toEqual(["error"]);
  for (const text of CHINESE.filter((one) => /^(?:对方没有|长时间)/.test(one))) {
    expect(styleOf(text), text).toEqual(["warning"]);
  }
});
