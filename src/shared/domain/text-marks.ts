/** Signs that nobody sees, and signs that no text should hold: what rules and contracts ask about them. */

/** Marks that only say in which direction the text runs; chats put them around numbers. */
const BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
/** Signs without width. */
const ZERO_WIDTH = "\\u200b-\\u200d\\u2060\\ufeff";
/** Letters and fillers that are drawn as nothing. */
const FILLERS = "\\u034f\\u115f\\u1160\\u2800\\u3164\\uffa0";

const INVISIBLE = new RegExp(`^[\\s\\p{Cc}\\p{Cf}${FILLERS}]*$`, "u");
const EDGES = new RegExp(`^[\\s${ZERO_WIDTH}]+|[\\s${ZERO_WIDTH}]+$`, "gu");
const MARKED_EDGES = new RegExp(`^[\\s${BIDI}${ZERO_WIDTH}]+|[\\s${BIDI}${ZERO_WIDTH}]+$`, "gu");
const MARKS = new RegExp(`[${BIDI}${ZERO_WIDTH}]`, "gu");
const BIDI_MARK = new RegExp(`[${BIDI}]`, "u");
// a tab and line ends are no controls in this sense
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
/** Half of a surrogate pair, and the sign that decoders put in its place. */
const BROKEN = /\p{Surrogate}|\ufffd/u;
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/u;

/** Whether a reader sees nothing of the text. */
export const isInvisible = (text: string): boolean => INVISIBLE.test(text);

/** Without blanks and zero-width signs around; what stands inside stays as it is. */
export const trimText = (text: string): string => text.replace(EDGES, "");

/** As `trimText`, without direction marks around as well. */
export const trimMarks = (text: string): string => text.replace(MARKED_EDGES, "");

/** Without any direction mark or zero-width sign. */
export const withoutMarks = (text: string): string => text.replace(MARKS, "");

export type Unfit = "control" | "broken" | "lineBreak" | "bidi";

/**
 * The first kind of sign that does not belong in a text.
 *
 * @param line the text is one line that a person reads by its signs, such as a name: no line break, no direction mark
 */
export function unfitSign(text: string, line: boolean): Unfit | null {
  if (CONTROL.test(text)) return "control";
  if (BROKEN.test(text)) return "broken";
  if (line && LINE_BREAK.test(text)) return "lineBreak";
  if (line && BIDI_MARK.test(text)) return "bidi";
  return null;
}

/** The text without signs that do not belong in one line; line breaks are blanks. */
export const asLine = (text: string): string =>
  trimText(
    withoutMarks(text)
      .replace(/[\n\r\t\u0085\u2028\u2029]+/gu, " ")
      .replace(/[\p{Cc}\p{Surrogate}\ufffd]/gu, ""),
  );
