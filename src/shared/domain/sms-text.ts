/** The texts of messages with a code, with the link of an invitation, and to a number that an account uses no more. */

/** It names neither the account nor the new number: somebody else may have the number by now. */
export const MOBILE_GONE_TEXT = "您的账号已不再使用此手机号。如非本人操作，请立即联系企业管理员。";

const CODE = "{code}";
export const DEFAULT_TEMPLATE = "您的验证码是 {code}，5 分钟内有效，请勿告诉他人。";
/** Characters of the longest message that providers bill as one. */
export const LONGEST_TEMPLATE = 70;

export const isTemplate = (text: string): boolean =>
  text.split(CODE).length === 2 && text.length <= LONGEST_TEMPLATE;

export const textOf = (template: string, code: string): string => template.replace(CODE, code);

export interface SmsInvitation {
  readonly company: string;
  /** The whole address. */
  readonly link: string;
}

const COMPANY = "{company}";
const LINK = "{link}";
export const DEFAULT_INVITE_TEMPLATE = "{company}邀请您加入，请打开链接：{link}";

export const INVITE_TEMPLATE_RULE = `must contain {link} once, {company} at most once, and at most ${LONGEST_TEMPLATE} characters`;
export const isInviteTemplate = (text: string): boolean =>
  text.split(LINK).length === 2 &&
  text.split(COMPANY).length <= 2 &&
  text.length <= LONGEST_TEMPLATE;

/** Both are put in at once, because the name of a company may contain `{link}`. */
export const inviteTextOf = (template: string, { company, link }: SmsInvitation): string =>
  template.replaceAll(/\{(?:company|link)\}/g, (part) => (part === LINK ? link : company));
