/**
 * Notices of the core in the language chosen. The text of a call's notice is found by its key. Loaded with the English texts,
 * because the core writes Chinese.
 */
import { CALL_NOTICE_TEXTS } from "../../shared/domain/call-texts.ts";
import { type NoticeArgs, noticeIn } from "../../shared/domain/notice-texts.ts";
import { ERROR_TEXTS_EN } from "../../shared/error-texts-en.ts";
import { ERROR_CATALOGUE, type ErrorCode } from "../../shared/errors.ts";
import type { Notice } from "../../shared/protocol/state.ts";
import { currentLanguage } from "./language.ts";

const isCode = (key: string): key is ErrorCode => Object.hasOwn(ERROR_CATALOGUE, key);

/** A notice in the language chosen; what has no translation stays as the core wrote it. */
export function noticeText(notice: Notice): string {
  if (currentLanguage() === "zh") return notice.text;
  const own = notice.args?.["en"];
  if (typeof own === "string") return own;
  const code = notice.code ?? (isCode(notice.key) ? notice.key : undefined);
  if (code !== undefined && notice.text === ERROR_CATALOGUE[code].zh) {
    return ERROR_TEXTS_EN[code];
  }
  return (
    CALL_NOTICE_TEXTS[notice.key]?.en ??
    noticeIn("en", notice.key, inEnglish(notice.args)) ??
    notice.text
  );
}

/** A reason that stands in a text follows the language too, by its code. */
function inEnglish(args: NoticeArgs = {}): NoticeArgs {
  const { why, code } = args;
  if (typeof code !== "string" || !isCode(code) || why !== ERROR_CATALOGUE[code].zh) return args;
  return { ...args, why: ERROR_TEXTS_EN[code] };
}
