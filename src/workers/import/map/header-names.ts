/**
 * The names by which a column may be known, from its header: people add notes in brackets, marks of required columns, a second name
 * behind a slash, and names in two languages.
 */
import { plain } from "../../../shared/domain/text-marks.ts";
import { LEVELS } from "../header.ts";

/** Traditional signs of headers, each with its simplified one. */
const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  "號号 門门 備备 註注 聯联 繫系 絡络 電电 話话 機机 碼码 證证 職职 務务 崗岗 員员 編编 稱称 屬属 郵邮 類类 狀状 態态 緊紧 時时 間间 別别 說说 職职 單单 處处 級级 領领 種种 崗岗 屆届 歲岁 齡龄 學学 歷历 戶户 貫贯 開开 離离 轉转 從从"
    .split(" ")
    .map((pair) => [pair[0] ?? "", pair[1] ?? ""]),
);

/** Without what varies between spellings of the same name: case, blanks, stars, brackets, colons, traditional signs. */
export const bareName = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/\p{Script=Han}/gu, (sign) => SIMPLIFIED.get(sign) ?? sign)
    .replace(/[\s_*:：()（）【】[\].›-]/g, "");

/** Notes that make another thing of a column: the telephone of a relative is not that of the employee. */
const OTHER_THING =
  /紧急|家属|家庭|家人|亲属|亲戚|配偶|父|母|子女|推荐|介绍|担保|监护|公司|单位|企业|离职|转正|合同|开户|银行|原|旧|曾用|备用|复印|扫描|照片|附件|英文|拼音|emergency|family|parent|spouse|company/i;
/** Groups that only say what kind of columns they hold, so that a column's own name is enough. */
const PLAIN_GROUP =
  /^(?:员工|人员|个人|基本|身份|证件|联系|岗位|职务|入职|工作|其他|其它|必填|选填)?(?:信息|资料|情况|方式|内容|项|项目)$/;
/** Whether the header names something that is no attribute of the employee, whatever its cells look like. */
export const isOtherThing = (header: string): boolean => OTHER_THING.test(header);

const NOTE = /[([【{<《][^()[\]【】{}<>《》]*[)\]】}>》]/g;
const NUMBERING = /^(?:[①-⑳]|\d{1,2}[.、)）]|[a-z][.、)）])\s*/i;
const REQUIRED =
  /[*＊★●※√]|(?:为|是)?(?:必填|选填|非必填|必须填写|必录|可选|可空|required|optional)(?:项|字段)?/gi;
/** What follows a colon and tells how to fill the column. */
const HINT = /[:：]\s*(?:格式|例|如|示例|请|必|选|可|y{2,4}|\d).*$/i;

/** The header without notes; the header itself if a note makes another thing of it. */
function withoutNotes(text: string): string {
  const notes = plain(text).match(NOTE) ?? [];
  if (notes.some((note) => OTHER_THING.test(note))) return text;
  return plain(text)
    .replace(NOTE, " ")
    .replace(HINT, "")
    .replace(REQUIRED, " ")
    .replace(NUMBERING, "")
    .trim();
}

/** The names in a header that has several: 手机/电话, 工号 No. */
function parts(text: string): string[] {
  const separate = text.split(/[/／、|｜\n]+/);
  const languages = separate.flatMap((part) =>
    /\p{Script=Han}/u.test(part)
      ? part.split(/(?<=\p{Script=Han})\s*(?=[a-z])|(?<=[a-z.])\s*(?=\p{Script=Han})/iu)
      : [part],
  );
  return languages.map(bareName).filter((name) => name !== "");
}

/** Names in order of trust: each entry holds names that must all mean the same field, as far as they mean one. */
export function namesOf(header: string): (readonly string[])[] {
  const levels = header.split(LEVELS);
  const own = levels.at(-1) ?? "";
  const groups = levels.slice(0, -1).map(withoutNotes);
  const spellings = (text: string): (readonly string[])[] => {
    const short = withoutNotes(text);
    return [[bareName(text)], [bareName(short)], parts(short)];
  };
  const whole = spellings(header);
  if (groups.length === 0) return whole;
  const inGroup = whole.slice(0, 2);
  if (groups.every((group) => PLAIN_GROUP.test(bareName(group))))
    return [...inGroup, ...spellings(own)];
  // A group of unknown kind may be anybody's, so that its columns come behind all others.
  return groups.some(isOtherThing) ? inGroup : [...inGroup, [], [], [], ...spellings(own)];
}
