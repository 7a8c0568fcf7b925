/** Invisible characters, and characters that no text should contain. */

/** Marks that only set the direction of text; chat programs put them around numbers. */
const BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
/** Characters without width. */
export const ZERO_WIDTH = "\\u200b-\\u200d\\u2060\\ufeff";
/** Letters and fillers that are drawn as blank. */
const FILLERS = "\\u034f\\u115f\\u1160\\u2800\\u3164\\uffa0";

const INVISIBLE = new RegExp(`^[\\s\\p{Cc}\\p{Cf}${FILLERS}]*$`, "u");
const EDGES = new RegExp(`^[\\s${ZERO_WIDTH}]+|[\\s${ZERO_WIDTH}]+$`, "gu");
const MARKED_EDGES = new RegExp(`^[\\s${BIDI}${ZERO_WIDTH}]+|[\\s${BIDI}${ZERO_WIDTH}]+$`, "gu");
const MARKS = new RegExp(`[${BIDI}${ZERO_WIDTH}]`, "gu");
const BIDI_MARK = new RegExp(`[${BIDI}]`, "u");
// tabs and line ends are not counted as control characters here
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
/** An unpaired surrogate, or the replacement character that decoders use for one. */
const BROKEN = /\p{Surrogate}|\ufffd/u;
/** Any of these and of the line breaks and marks that do not belong in one line. Most texts have none, so that one look suffices. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SUSPECT = new RegExp(
  `[\\0-\\u001f\\u007f-\\u009f\\ufffd\\u2028\\u2029${BIDI}]|\\p{Surrogate}`,
  "u",
);
const LINE_BREAK = /[\n\r\u0085\u2028\u2029]/u;

/** Only printable ASCII characters, without blanks. */
const BARE = /^[!-~]+$/;
/**
 * Whether no function of this file would change or refuse the text. Most numbers of an import are bare, so that this one test
 * replaces all other patterns.
 */
export const isBare = (text: string): boolean => BARE.test(text);

/** Whether the text shows nothing. */
export const isInvisible = (text: string): boolean => !isBare(text) && INVISIBLE.test(text);

/** Removes blanks and zero-width characters at both ends. */
export const trimText = (text: string): string => (isBare(text) ? text : text.replace(EDGES, ""));

const OTHER_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Writes every line break as a line feed: Windows, old Macs and some databases write others. */
export const withLineFeeds = (text: string): string =>
  isBare(text) ? text : text.replace(OTHER_BREAKS, "\n");

/** Like `trimText`, and also removes direction marks at both ends. */
export const trimMarks = (text: string): string =>
  isBare(text) ? text : text.replace(MARKED_EDGES, "");

/** Removes all direction marks and zero-width characters. */
export const withoutMarks = (text: string): string => text.replace(MARKS, "");

/** Converts full-width characters to ASCII, and removes invisible marks and outer spaces. */
export const plain = (text: string): string =>
  isBare(text)
    ? text
    : withoutMarks(text)
        .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
        .replace(/[\u3000\u00a0\u2000-\u200a]/g, " ")
        .trim();

export type Unfit = "control" | "broken" | "lineBreak" | "bidi";

/**
 * The first kind of character that does not belong in the text.
 *
 * @param line true for a text of one line, such as a name: it may contain neither line breaks nor direction marks
 */
export function unfitSign(text: string, line: boolean): Unfit | null {
  if (isBare(text) || !SUSPECT.test(text)) return null;
  if (CONTROL.test(text)) return "control";
  if (BROKEN.test(text)) return "broken";
  if (line && LINE_BREAK.test(text)) return "lineBreak";
  if (line && BIDI_MARK.test(text)) return "bidi";
  return null;
}

/** Removes characters that do not belong in one line; line breaks and tabs become spaces. */
export const asLine = (text: string): string =>
  trimText(
    withoutMarks(text)
      .replace(/[\n\r\t\u0085\u2028\u2029]+/gu, " ")
      .replace(/[\p{Cc}\p{Surrogate}\ufffd]/gu, ""),
  );
