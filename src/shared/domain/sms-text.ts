/** The text of a message with a code. */

const CODE = "{code}";
export const DEFAULT_TEMPLATE = "您的验证码是 {code}，5 分钟内有效，请勿告诉他人。";
/** Characters of the longest message that providers bill as one. */
export const LONGEST_TEMPLATE = 70;

export const isTemplate = (text: string): boolean =>
  text.split(CODE).length === 2 && text.length <= LONGEST_TEMPLATE;

export const textOf = (template: string, code: string): string => template.replace(CODE, code);
